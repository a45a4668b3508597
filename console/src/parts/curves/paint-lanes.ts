import { gapsWithin } from './gaps.ts';
import { colorOf, hatch, type Ink, type Pencil, type Plot } from './ink.ts';
import type { Curve, Panel, Points, Span } from './model.ts';

/** The name, and below it the lane. */
export const laneHeight = 40;
const thick = 12;

/** A state that was held: `value` is the index of its word. */
export interface Held extends Span {
  readonly value: number;
}

/** The states of a curve as spans; each lasts until the next reading, the next gap or `until`. */
export function heldStates({ times, values, gaps }: Points, until: number): Held[] {
  const held: Held[] = [];
  let gap = 0;
  times.forEach((at, index) => {
    while (gap < gaps.length && gaps[gap]!.to <= at) gap += 1;
    const to = Math.min(until, times[index + 1] ?? until, Math.max(at, gaps[gap]?.from ?? until));
    const value = values[index]!;
    const before = held.at(-1);
    if (before?.value === value && before.to === at) held[held.length - 1] = { ...before, to };
    else if (to > at) held.push({ from: at, to, value });
  });
  return held;
}

/**
 * What has states instead of amounts: a lane each, thick where it is on, thin where it is off, its word where there is
 * room.
 */
export function paintLanes(pen: Pencil, panel: Panel, span: Span, plot: Plot, ink: Ink): void {
  const x = (at: number): number =>
    Math.max(0, Math.min(plot.width, ((at - span.from) / (span.to - span.from)) * plot.width));
  panel.curves.forEach((curve, index) => {
    const middle = index * laneHeight + 28;
    pen.font = `12px ${ink.fontFamily}`;
    Object.assign(pen, { fillStyle: ink.colors.faint, textAlign: 'left', textBaseline: 'top' });
    pen.fillText(curve.name, 0, index * laneHeight + 4, plot.width);
    for (const gap of gapsWithin(curve.points.gaps, span))
      hatch(pen, x(gap.from), middle - thick / 2, x(gap.to) - x(gap.from), thick, ink.colors);
    for (const one of heldStates(curve.points, span.to))
      if (one.to > span.from && one.from < span.to) paintHeld(pen, curve, one, [x(one.from), x(one.to)], middle, ink);
  });
}

function paintHeld(
  pen: Pencil,
  curve: Curve,
  { value }: Held,
  [left, right]: readonly [number, number],
  middle: number,
  ink: Ink,
): void {
  const isOff = value === 0;
  const height = isOff ? 2 : thick;
  pen.fillStyle = colorOf(curve, ink.colors);
  pen.globalAlpha = isOff ? 0.6 : 0.85;
  pen.fillRect(left, middle - height / 2, Math.max(1, right - left), height);
  pen.globalAlpha = 1;
  // Two words need no writing: thick and thin say it, and the legend in words.
  const word = curve.words?.[value];
  if (word === undefined || (curve.words?.length ?? 0) <= 2) return;
  pen.font = `12px ${ink.fontFamily}`;
  if (pen.measureText(word).width + 10 > right - left) return;
  Object.assign(pen, {
    fillStyle: isOff ? ink.colors.faint : ink.colors.surface,
    textAlign: 'left',
    textBaseline: 'middle',
  });
  pen.fillText(word, left + 5, isOff ? middle - 8 : middle + 0.5);
}
