import { lastBefore } from './scale.ts';
import type { Points, Span } from './model.ts';

/**
 * What falls on one column of the picture: where a line enters and leaves it, how far it goes, and how far its band.
 */
export interface Column {
  x: number;
  first: number;
  last: number;
  low: number;
  high: number;
  bandLow: number;
  bandHigh: number;
}

/**
 * The points of a span as unbroken runs of columns, so many as the picture is wide at most: whatever their number, a
 * peak is seen and a gap stays one. A neighbour on each side comes with them, so that lines go on to the edges.
 */
export function runsOf(
  { times, values, lows, highs, gaps, width: bucket }: Points,
  { from, to }: Span,
  width: number,
): Column[][] {
  const scale = width / (to - from);
  const first = Math.max(0, lastBefore(times, from - bucket / 2) - 1);
  const runs: Column[][] = [];
  let run: Column[] = [];
  let gap = 0;
  for (let index = first; index < times.length; index += 1) {
    const at = times[index]!;
    // The gaps that end before the point before; the next one may lie between the two.
    while (index > first && gap < gaps.length && gaps[gap]!.to <= times[index - 1]!) gap += 1;
    const isBroken = index > first && gap < gaps.length && gaps[gap]!.from < at;
    if (isBroken || index === first) runs.push((run = []));
    const x = (at + bucket / 2 - from) * scale;
    add(run, x, values[index]!, lows?.[index] ?? values[index]!, highs?.[index] ?? values[index]!);
    if (x > width) break;
  }
  return runs.filter((one) => one.at(-1)!.x >= 0 && one[0]!.x <= width);
}

function add(run: Column[], x: number, value: number, low: number, high: number): void {
  const column = run.at(-1);
  if (column === undefined || Math.floor(column.x) !== Math.floor(x))
    return void run.push({ x, first: value, last: value, low: value, high: value, bandLow: low, bandHigh: high });
  column.last = value;
  column.low = Math.min(column.low, value);
  column.high = Math.max(column.high, value);
  column.bandLow = Math.min(column.bandLow, low);
  column.bandHigh = Math.max(column.bandHigh, high);
}
