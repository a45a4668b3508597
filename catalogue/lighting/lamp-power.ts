/**
 * Expected power by level. LED drivers lose a little more in proportion when dimmed, so their curve is slightly bent; a lamp of an
 * unknown kind is taken as linear above a standby share of 5 % (domain reference, section 7).
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
    case 'led': return standbyShare + 0.79 * x + 0.16 * x * x;
    // Ballasts of discharge lamps cannot go far below half of their power.
    case 'sodium': return Math.max(0.45, standbyShare + 0.95 * x);
    case 'unknown': return standbyShare + (1 - standbyShare) * x;
  }
}
