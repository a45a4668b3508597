import type { Bus } from '../../platform/bus/index.ts';
import type { Changed } from './commands.store.ts';

/** Tells who watches which items of which commands changed; after the commit. */
export function announceChanges(bus: Bus, changes: readonly Changed[]): void {
  for (const [commandId, some] of Map.groupBy(changes, (change) => change.commandId)) {
    bus.publish('commands.changed', { commandId, deviceIds: some.map((change) => change.deviceId) });
  }
}
