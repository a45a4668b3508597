import { lampStates } from './light/lamps.ts';

/**
 * How the positions of a whole city travel: parallel columns of small whole numbers, each the difference to the one
 * before, so that what is near in the answer is short in it. The server writes them, `decodePlaced` reads them.
 */

/**
 * What a device on the map is doing: the states of lamps (`on`: online, of what is no lamp), and `inUse` for families
 * that report nothing.
 */
export const mapStates = [...lampStates, 'inUse'] as const;
export type MapStateName = (typeof mapStates)[number];

/** Steps of a degree that positions are rounded to: a tenth of a metre. */
export const stepsPerDegree = 1_000_000;

export interface PlacedColumns {
  /** Differences of the ids. */
  readonly ids: readonly number[];
  /**
   * 16 × index into the answer's families + 2 × index into `mapStates` + (1: it has no position of its own and stands
   * where its pole does).
   */
  readonly kinds: readonly number[];
  /** Differences of longitude and latitude in steps of a millionth of a degree. */
  readonly dx: readonly number[];
  readonly dy: readonly number[];
}

/** Each number as the difference to the one before it. */
export function differences(values: readonly number[]): number[] {
  return values.map((value, index) => value - (index === 0 ? 0 : values[index - 1]!));
}

/** The numbers whose differences these are. */
export function sums(steps: readonly number[]): number[] {
  let sum = 0;
  return steps.map((step) => (sum += step));
}

/** What the columns carry, column by column: 100,000 devices become six arrays, not 100,000 objects. */
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
