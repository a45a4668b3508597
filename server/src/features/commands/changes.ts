import type { Bus } from '../../platform/bus/index.ts';

/** One device's part of one command that changed. */
export interface Changed { readonly commandId: number; readonly deviceId: number }

/** Tells who watches which items of which commands changed; after the commit. */
export function announceChanges(bus: Bus, changes: readonly Changed[]): void {
  for (const [commandId, some] of Map.groupBy(changes, (change) => change.commandId)) {
    bus.publish('commands.changed', { commandId, deviceIds: some.map((change) => change.deviceId) });
  }
}

/** Tells that a command changed as a whole: halted, cancelled, decided. */
export function announceCommand(bus: Bus, commandId: number): void {
  bus.publish('commands.changed', { commandId, deviceIds: [] });
}
