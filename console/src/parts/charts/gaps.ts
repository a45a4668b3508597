/** A measured value at an instant (epoch ms). */
export type Point = readonly [at: number, value: number];
/** A span of time, epoch ms. */
export interface Span {
  from: number;
  to: number;
}

/** Readings as points of a line that is broken inside each gap: nothing is drawn where nothing was measured. */
export function brokenAt(
  times: readonly number[],
  values: readonly (number | null)[],
  gaps: readonly Span[],
): (Point | readonly [number, null])[] {
  const points: (Point | readonly [number, null])[] = [];
  let next = 0;
  times.forEach((at, index) => {
    while (next < gaps.length && gaps[next]!.to <= at) points.push([gaps[next++]!.from + 1, null]);
    points.push([at, values[index] ?? null] as Point);
  });
  return points;
}

/** Levels in force from an instant on, as the corners of a line of steps between `from` and `to`. */
export function steps(plan: readonly { at: number; value: number }[], from: number, to: number): Point[] {
  const corners: Point[] = [];
  plan.forEach((step, index) => {
    const start = Math.max(step.at, from);
    const end = Math.min(plan[index + 1]?.at ?? to, to);
    if (end <= start) return;
    corners.push([start, step.value], [end, step.value]);
  });
  return corners;
}

/** "27 min", "1 h 5 min", "3 days": how long a gap is, in words of the language. */
export function durationText(ms: number, language: string): string {
  const minutes = Math.max(1, Math.round(ms / 60_000));
  const unit = (value: number, name: 'day' | 'hour' | 'minute') =>
    new Intl.NumberFormat(language === 'en-XA' ? 'en-US' : language, {
      style: 'unit',
      unit: name,
      unitDisplay: 'short',
    }).format(value);
  if (minutes < 60) return unit(minutes, 'minute');
  if (minutes >= 2880) return unit(Math.round(minutes / 1440), 'day');
  return minutes % 60 === 0
    ? unit(minutes / 60, 'hour')
    : `${unit(Math.floor(minutes / 60), 'hour')} ${unit(minutes % 60, 'minute')}`;
}
