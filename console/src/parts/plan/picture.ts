import type { Stretch } from '../../../../catalogue/lighting/plan/night-energy.ts';

/** Heights of the ribbon in percent of it: full level, and the ground line of level 0. */
const top = 36;
const ground = 86;
export const yOf = (level: number): number => ground - (Math.min(100, Math.max(0, level)) / 100) * (ground - top);

const x = (share: number): string => (share * 1000).toFixed(2);

/** A stretch of light as a closed path in 1000 × 100; a ramp rises or falls from the level before it. */
export function lightPath(
  stretch: Stretch,
  before: Stretch | undefined,
  { from, to }: { from: number; to: number },
): string {
  const share = (at: number): number => Math.min(1, Math.max(0, (at - from) / (to - from)));
  const begin = before !== undefined && before.to === stretch.from ? before.level : 0;
  const full = Math.min(stretch.to, stretch.from + stretch.rampSeconds * 1000);
  const rise = stretch.rampSeconds > 0 ? `L${x(share(stretch.from))} ${yOf(begin).toFixed(2)}` : '';
  const [a, b, c] = [x(share(stretch.from)), x(share(full)), x(share(stretch.to))];
  const y = yOf(stretch.level).toFixed(2);
  return `M${a} ${ground}${rise}L${b} ${y}L${c} ${y}L${c} ${ground}Z`;
}
