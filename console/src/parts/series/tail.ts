import type { Reply, Series } from './panels.ts';

/**
 * From when on a tail is asked for: two stretches back, whose beginnings fall on those of the stretches already there.
 */
export const tailFrom = (to: number, seconds: number): number =>
  seconds === 0 ? to - 3_600_000 : Math.floor(to / (seconds * 1000) - 2) * seconds * 1000;

/**
 * A curve with its end told anew. The first stretch of the tail may be cut off by where it was asked from, so that one
 * stays as it was.
 */
export function withTail(base: Series, tail: Series, from: number, seconds: number): Series {
  const cut = from + seconds * 1000;
  const before = base.gaps.flatMap(([begin, end]): [number, number][] =>
    begin < cut ? [[begin, Math.min(end, cut)]] : [],
  );
  const after = tail.gaps.flatMap(([begin, end]): [number, number][] =>
    end > cut ? [[Math.max(begin, cut), end]] : [],
  );
  const [last, next] = [before.at(-1), after[0]];
  // What goes on over the seam is one gap.
  const gaps =
    last && next && last[1] === next[0]
      ? [...before.slice(0, -1), [last[0], next[1]] satisfies [number, number], ...after.slice(1)]
      : [...before, ...after];
  return {
    ...base,
    points: [...base.points.filter(([at]) => at < cut), ...tail.points.filter(([at]) => at >= cut)],
    gaps,
  };
}

/** An answer with a newer end; curves that the tail does not have stay. */
export function joined(base: Reply, tail: Reply | null, from: number): Reply {
  if (tail === null) return base;
  return {
    ...base,
    to: tail.to,
    series: base.series.map((series) => {
      const newer = tail.series.find(
        ({ deviceId, quantity }) => deviceId === series.deviceId && quantity === series.quantity,
      );
      return newer ? withTail(series, newer, from, base.seconds) : series;
    }),
  };
}
