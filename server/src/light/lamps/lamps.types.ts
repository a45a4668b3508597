import type { lampStates } from '../../../../contract/light/lamps.ts';

export type StateName = (typeof lampStates)[number];

/** A stretch in which a manual command was in force on the lamp. `level` 0: off. Times in ms. */
export interface ManualSpan {
  readonly from: number;
  readonly to: number;
  readonly level: number;
  readonly commandId: number;
  /** By the lane of the command. */
  readonly layer: 'emergency' | 'manual' | 'linkage';
}
