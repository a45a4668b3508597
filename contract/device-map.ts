import { lampStates } from './light/lamps.ts';

/**
 * The positions of a city in one answer: parallel columns of small whole numbers, each the difference to the one before
 * it, so that neighbours in the answer have short numbers. The server writes them, `decodePlaced` reads them.
 */

/**
 * The state of a device on the map: the states of lamps (`on` means online for other families), and `inUse` for
 * families that report nothing.
 */
export const mapStates = [...lampStates, 'inUse'] as const;
export type MapStateName = (typeof mapStates)[number];

/** Positions are rounded to this part of a degree (0.1 m). */
export const stepsPerDegree = 1_000_000;

export interface PlacedColumns {
  /** Differences of the ids. */
  readonly ids: readonly number[];
  /**
   * 16 × index into the answer's families + 2 × index into `mapStates` + 1 if the device has no position of its own and
   * stands at its pole.
   */
  readonly kinds: readonly number[];
  /** Differences of longitude and latitude, in millionths of a degree. */
  readonly dx: readonly number[];
  readonly dy: readonly number[];
}

/** Each number as the difference to the one before it. */
export function differences(values: readonly number[]): number[] {
  return values.map((value, index) => value - (index === 0 ? 0 : values[index - 1]!));
}

/** Restores the numbers from their differences. */
export function sums(steps: readonly number[]): number[] {
  let sum = 0;
  return steps.map((step) => (sum += step));
}

/** Restores the columns: 100,000 devices become six arrays, not 100,000 objects. */
export function decodePlaced({ ids, kinds, dx, dy }: PlacedColumns) {
  return {
    ids: sums(ids),
    families: kinds.map((kind) => kind >> 4),
    states: kinds.map((kind) => (kind >> 1) & 7),
    atPole: kinds.map((kind) => kind & 1),
    longitudes: sums(dx).map((steps) => steps / stepsPerDegree),
    latitudes: sums(dy).map((steps) => steps / stepsPerDegree),
  };
}
