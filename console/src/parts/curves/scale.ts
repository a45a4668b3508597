import type { Axis, Curve, Span } from './model.ts';

/** 1, 2, 5, 10 … times a power of ten: the least step of which `count` reach over `range`. */
export function niceStep(range: number, count: number): number {
  const rough = range / Math.max(1, count);
  const power = 10 ** Math.floor(Math.log10(rough));
  const factor = [1, 2, 5, 10].find((one) => one * power >= rough * 0.999) ?? 10;
  return factor * power;
}

const decimalsOf = (step: number): number => Math.max(0, Math.min(6, -Math.floor(Math.log10(step) + 1e-9)));

/**
 * An axis over the values, its ends on ticks: from zero where that says something, else with room around what there is.
 * `most`: nothing can be more.
 */
export function axisOver(
  unit: string,
  low: number,
  high: number,
  { fromZero = false, count = 4, most = Infinity } = {},
): Axis {
  const flat = Math.max(Math.abs(high) * 0.02, 1e-3);
  // What swings by more than a third of its height is read against zero.
  const isTall = low >= 0 && high - low > high * 0.3;
  const needsZero = fromZero || isTall || (low === 0 && high === 0);
  const bottom = needsZero ? Math.min(0, low) : low - Math.max(high - low, flat) * 0.15;
  const top =
    needsZero && high <= 0 ? (low < 0 ? 0 : 1) : high + Math.max(high - low, flat) * (needsZero ? 0.06 : 0.15);
  const end = Math.min(top, Math.max(most, high));
  const step = niceStep(end - bottom, count);
  const [first, last] = [Math.floor(bottom / step + 1e-9), Math.ceil(end / step - 1e-9)];
  const ticks = Array.from({ length: last - first + 1 }, (_, index) =>
    Number(((first + index) * step).toPrecision(12)),
  );
  return { unit, low: ticks[0]!, high: ticks.at(-1)!, ticks, decimals: decimalsOf(step) };
}

/** Least and greatest of what the curves show within a span, bands included; null: nothing is there. */
export function extentOf(curves: readonly Curve[], { from, to }: Span): { low: number; high: number } | null {
  let [low, high] = [Infinity, -Infinity];
  for (const { points } of curves) {
    points.times.forEach((at, index) => {
      if (at + points.width < from || at > to) return;
      const value = points.values[index]!;
      low = Math.min(low, points.lows?.[index] ?? value);
      high = Math.max(high, points.highs?.[index] ?? value);
    });
  }
  return low <= high ? { low, high } : null;
}

/** The index of the last instant at or before `at`; -1: all are later. */
export function lastBefore(times: readonly number[], at: number): number {
  let [low, high] = [0, times.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (times[middle]! <= at) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
