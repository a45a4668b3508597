import { formatNumber } from '../../locales/format-number.ts';
import type { Panel, Span } from './model.ts';

const digit = 7.4;

/**
 * How much room the numbers of all pictures need beside the curves: the same for all, so that their times stand below
 * each other.
 */
export function marginsOf(panels: readonly Panel[], language: string): { left: number; right: number } {
  const room = (axis: 0 | 1): number =>
    Math.max(
      0,
      ...panels.flatMap(({ axes }) => {
        const one = axes[axis];
        return one
          ? [...one.ticks.map((value) => formatNumber(value, language, one.decimals).length), one.unit.length]
          : [];
      }),
    ) * digit;
  return { left: Math.max(34, room(0) + 14), right: panels.some(({ axes }) => axes.length > 1) ? room(1) + 14 : 16 };
}

/** The instant at `x` px of the plot, and the place of an instant, as a share of its width. */
export const instantAt = ({ from, to }: Span, share: number): number =>
  from + (to - from) * Math.max(0, Math.min(1, share));
export const shareOf = ({ from, to }: Span, at: number): number => (at - from) / (to - from);

/**
 * The span made narrower (factor < 1) or wider around an instant, which stays where it is; never shorter than
 * `shortest`.
 */
export function zoomed({ from, to }: Span, around: number, factor: number, shortest: number, longest: number): Span {
  const length = Math.max(shortest, Math.min(longest, (to - from) * factor));
  const share = Math.max(0, Math.min(1, (around - from) / (to - from)));
  const start = Math.round(around - length * share);
  return { from: start, to: start + Math.round(length) };
}

/** The span moved by a share of itself. */
export function panned({ from, to }: Span, share: number): Span {
  const by = Math.round((to - from) * share);
  return { from: from + by, to: to + by };
}
