import { commandLanes } from '../../../../contract/light/commands.ts';
import type { Bus } from '../../platform/bus/index.ts';

/** One device's part of one command that changed. */
export interface Changed {
  readonly commandId: number;
  readonly deviceId: number;
  /**
   * The step that was made, the lane, and the milliseconds since the step before; absent where it is no step forward.
   */
  readonly step?: CommandStep;
  readonly lane?: number;
  readonly tookMs?: number | null;
}
export type CommandStep = 'sent' | 'acknowledged' | 'confirmed';

/** Told how long a step of one device's part took. */
export type StepMeter = (step: CommandStep, lane: string, milliseconds: number) => void;

/** Measures the steps among these changes; after the commit. */
export function measureSteps(meter: StepMeter | undefined, changes: readonly Changed[]): void {
  if (!meter) return;
  for (const { step, lane, tookMs } of changes)
    if (step !== undefined && typeof tookMs === 'number') meter(step, commandLanes[lane ?? 1] ?? 'manual', tookMs);
}

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
