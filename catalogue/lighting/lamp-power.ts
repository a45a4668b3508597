/**
 * Expected power by level. LED drivers lose a little more in proportion when dimmed, so their curve is slightly bent; a
 * lamp of an unknown kind is taken as linear above a standby share of 5 %.
 */
export type LampCurve = 'led' | 'sodium' | 'unknown';

/** Share of the rated power while the relay is closed at the lowest level. */
export const standbyShare = 0.05;

/** Watts that a sound lamp of `ratedWatts` takes at `level` percent; 0 at level 0 (relay open). */
export function expectedWatts(ratedWatts: number, level: number, curve: LampCurve = 'unknown'): number {
  if (level <= 0) return 0;
  return ratedWatts * shareAt(Math.min(level, 100) / 100, curve);
}

function shareAt(x: number, curve: LampCurve): number {
  switch (curve) {
    case 'led':
      return standbyShare + 0.79 * x + 0.16 * x * x;
    // Ballasts of discharge lamps cannot go far below half of their power.
    case 'sodium':
      return Math.max(0.45, standbyShare + 0.95 * x);
    case 'unknown':
      return standbyShare + (1 - standbyShare) * x;
  }
}

/** What was learned of a kind of lamp: levels in percent, ascending, and beside each the share of the rated power. */
export interface LearnedCurve {
  readonly levels: readonly number[];
  readonly shares: readonly number[];
}

/**
 * Watts at a level by what was learned of lamps of its model; without it as of an unknown kind. Between levels that are
 * known it is taken as straight, below the lowest towards the standby share, above the highest towards the rated power.
 * More light never takes less.
 */
export function learnedWatts(ratedWatts: number, level: number, learned: LearnedCurve | null): number {
  if (level <= 0) return 0;
  const points: [number, number][] = [];
  let most = 0;
  for (const [i, at] of learned?.levels.entries() ?? []) {
    most = Math.max(most, learned?.shares[i] ?? 0);
    points.push([at, most]);
  }
  if (points.length === 0) return expectedWatts(ratedWatts, level);
  const whole: [number, number][] = [
    [0, Math.min(standbyShare, points[0]?.[1] ?? standbyShare)],
    ...points,
    ...((points.at(-1)?.[0] ?? 100) < 100 ? [[100, Math.max(1, most)] as [number, number]] : []),
  ];
  const x = Math.min(level, 100);
  const next = Math.max(
    1,
    whole.findIndex(([at]) => at >= x),
  );
  const [[x0, y0], [x1, y1]] = [whole[next - 1] ?? [0, 0], whole[next] ?? [100, 1]];
  return ratedWatts * (y0 + ((y1 - y0) * (x - x0)) / (x1 - x0));
}
