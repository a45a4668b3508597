import { expectedWatts } from '../lamp-power.ts';
import type { Night, Pattern } from './programme.ts';

/** What a night takes, by plan. */

/** Of the lamps of a row, the share that a pattern lights. */
export const shareOf: Record<Pattern, number> = { all: 1, alternateOne: 1 / 2, alternateTwo: 1 / 3 };

/** Stretches of one level and pattern, ascending, between on and off. */
export interface Stretch {
  readonly from: number;
  readonly to: number;
  readonly level: number;
  readonly pattern: Pattern;
  readonly rampSeconds: number;
}

export function stretchesOf(night: Night): Stretch[] {
  const { off, steps } = night;
  if (off === null) return [];
  return steps.flatMap((step, index) => {
    const to = steps[index + 1]?.at ?? off;
    const { level, pattern, rampSeconds } = step;
    return step.at >= off || to <= step.at ? [] : [{ from: step.at, to, level, pattern, rampSeconds }];
  });
}

/** Of a lamp that nobody named the power of. */
export const usualWatts = 120;
/** What a lamp of so many rated watts takes at a level. */
export const wattsOf =
  (rated: number) =>
  (level: number): number =>
    expectedWatts(rated, level, 'led');

/** Energy of an average lamp of a row, kWh. `wattsAt`: what it takes at a level. */
export const energyOf = (night: Night, wattsAt: (level: number) => number): number =>
  stretchesOf(night).reduce(
    (sum, { from, to, level, pattern }) => sum + ((to - from) / 3_600_000) * (wattsAt(level) / 1000) * shareOf[pattern],
    0,
  );
