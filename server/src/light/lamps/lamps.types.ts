import type { faultCodes } from '../../../../contract/episodes.ts';
import type { lampStates } from '../../../../contract/light/lamps.ts';

export type FaultName = (typeof faultCodes)[number];
export type StateName = (typeof lampStates)[number];

/**
 * One stored reading of a lamp as the judgement needs it. `at` device time in ms; null: not reported or implausible.
 */
export interface LampSample {
  readonly at: number;
  readonly power: number | null;
  readonly level: number | null;
  readonly commandLevel: number | null;
  readonly relay: boolean | null;
  readonly voltage: number | null;
}

/** A stretch in which a manual command was in force on the lamp. `level` 0: off. Times in ms. */
export interface ManualSpan {
  readonly from: number;
  readonly to: number;
  readonly level: number;
  readonly commandId: number;
}

/** What the judgement says of one device. */
export interface Judgement {
  readonly state: StateName;
  readonly online: boolean;
  /** null: not known. */
  readonly lit: boolean | null;
  readonly shouldBeLit: boolean | null;
  readonly level: number | null;
  readonly fault: FaultName | null;
  readonly faultSince: number | null;
  /** Silent, and without power: that is no fault. */
  readonly unpowered: boolean;
}
