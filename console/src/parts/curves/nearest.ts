import { inGap } from './gaps.ts';
import type { Curve, Points } from './model.ts';
import { lastBefore } from './scale.ts';

/**
 * The index of what a curve says at an instant; null: in a gap, or before and after everything. `reach`: how far a
 * reading may be at its ends.
 */
export function indexAt(
  { points, stepped }: Pick<Curve, 'points' | 'stepped'>,
  at: number,
  reach: number,
): number | null {
  const { times, width, gaps } = points;
  const before = lastBefore(times, at);
  const isIn = before >= 0 && at < times[before]! + width;
  if (isIn) return before;
  const after = before + 1;
  const since = before < 0 ? Infinity : at - times[before]! - width;
  const until = after >= times.length ? Infinity : times[after]! - at;
  // In a gap, and beyond the ends, only what is at hand.
  const isFree = !inGap(gaps, at) && before >= 0 && after < times.length;
  const most = isFree ? Infinity : reach;
  if (stepped && since <= (inGap(gaps, at) ? reach : Infinity)) return before;
  if (since <= until) return since <= most ? before : null;
  return until <= most ? after : null;
}

/** Where a reading stands on the axis of time: the middle of its bucket. */
export const standsAt = ({ times, width }: Points, index: number): number => times[index]! + width / 2;

/**
 * The next reading (or the one before) of any curve, for who goes along the curves by keys; undefined: there is none.
 */
export function nextReading(
  curves: readonly Pick<Curve, 'points'>[],
  at: number,
  forward: boolean,
): number | undefined {
  const found = curves.flatMap(({ points }) => {
    // A bucket is told from its middle on both ways.
    let index = lastBefore(points.times, at - points.width / 2);
    if (forward) index += 1;
    else while (index >= 0 && standsAt(points, index) >= at) index -= 1;
    return index >= 0 && index < points.times.length ? [standsAt(points, index)] : [];
  });
  return found.length === 0 ? undefined : forward ? Math.min(...found) : Math.max(...found);
}

/** Least, mean, greatest and last of what a curve shows; means of buckets count equally. null: nothing is there. */
export function summaryOf({
  points: { times, values, lows, highs },
}: Pick<Curve, 'points'>): { low: number; mean: number; high: number; last: number; lastAt: number } | null {
  if (times.length === 0) return null;
  let [low, high, sum] = [Infinity, -Infinity, 0];
  values.forEach((value, index) => {
    low = Math.min(low, lows?.[index] ?? value);
    high = Math.max(high, highs?.[index] ?? value);
    sum += value;
  });
  return { low, high, mean: sum / values.length, last: values.at(-1)!, lastAt: times.at(-1)! };
}
