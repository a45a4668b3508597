import { durationText } from '../charts/gaps.ts';
import { formatNumber } from '../../locales/format-number.ts';
import { runsOf, type Column } from './columns.ts';
import { gapsOfAll, gapsWithin } from './gaps.ts';
import { colorOf, hatch, type Ink, type Pencil, type Plot } from './ink.ts';
import type { Axis, Curve, Panel, Span } from './model.ts';
import { paintLanes } from './paint-lanes.ts';
import { paintQuality } from './paint-quality.ts';
import { tickText, type TimeTick } from '../time/ticks.ts';

/** What of a picture is its margin, in px; the curves lie between. */
export interface Frame {
  readonly width: number;
  readonly height: number;
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

export interface Scene {
  readonly panel: Panel;
  readonly span: Span;
  readonly nights: readonly Span[];
  readonly ticks: readonly TimeTick[];
  /** Where the future begins; later than the span: not shown. */
  readonly now: number;
  /** The curve that somebody points at in the legend; the others step back. */
  readonly chosen: string | null;
}

/** More curves than these are shown without their bands: a picture of overlapping bands says nothing. */
const mostBands = 3;
/** With more curves their last values would lie over each other. */
const mostLabels = 2;

export const plotOf = (frame: Frame): Plot => ({
  width: Math.max(1, frame.width - frame.left - frame.right),
  height: Math.max(1, frame.height - frame.top - frame.bottom),
});

/** Draws one picture of the stack: nights, gaps, grid, bands, lines, and marks of what was not measured. */
export function paintPanel(pen: Pencil, scene: Scene, frame: Frame, ink: Ink): void {
  const { panel, span, now } = scene;
  const plot = plotOf(frame);
  const x = (at: number): number => ((at - span.from) / (span.to - span.from)) * plot.width;
  pen.clearRect(0, 0, frame.width, frame.height);
  pen.save();
  pen.translate(frame.left, frame.top);
  pen.save();
  clip(pen, plot);
  paintGround(pen, scene, plot, x, ink);
  pen.restore();
  if (panel.kind === 'lanes') paintLanes(pen, panel, span, plot, ink);
  else paintAxes(pen, panel, plot, ink);
  paintTimes(pen, scene, plot, x, ink);
  pen.save();
  clip(pen, plot);
  if (panel.kind === 'lines') {
    const own = panel.curves.filter(({ moved, pen: { color } }) => moved === undefined && color !== 'reference');
    const drawn = panel.curves.map((curve) => ({ curve, runs: runsOf(curve.points, span, plot.width) }));
    const level =
      (axis: Axis) =>
      (value: number): number =>
        plot.height - ((value - axis.low) / (axis.high - axis.low)) * plot.height;
    for (const value of panel.limits ?? []) dotted(pen, level(panel.axes[0]!)(value), plot.width, ink.colors.faint);
    for (const { curve, runs } of drawn)
      if (curve.moved === undefined && (own.length <= mostBands || curve.key === scene.chosen))
        paintBand(pen, curve, runs, level(panel.axes[curve.axis]!), plot.height, ink);
    for (const { curve, runs } of drawn) {
      pen.globalAlpha = scene.chosen === null || scene.chosen === curve.key ? 1 : 0.25;
      paintLine(pen, curve, runs, level(panel.axes[curve.axis]!), ink);
    }
    pen.globalAlpha = 1;
    const written: number[] = [];
    if (own.length <= mostLabels)
      for (const { curve, runs } of drawn)
        if (curve.moved === undefined && curve.pen.color !== 'reference')
          paintLast(pen, curve, runs, level(panel.axes[curve.axis]!), written, plot, ink);
    paintQuality(pen, own, span, plot, ink);
  }
  if (now > span.from && now < span.to) line(pen, x(now), plot.height, ink.colors.faint, [2, 3]);
  pen.restore();
  pen.restore();
}

function clip(pen: Pencil, plot: Plot): void {
  pen.beginPath();
  pen.rect(0, -1, plot.width, plot.height + 2);
  pen.clip();
}

function paintGround(
  pen: Pencil,
  { panel, span, nights }: Scene,
  plot: Plot,
  x: (at: number) => number,
  ink: Ink,
): void {
  pen.fillStyle = ink.colors.night;
  for (const night of nights) pen.fillRect(x(night.from), 0, x(night.to) - x(night.from), plot.height);
  if (panel.kind === 'lanes') return;
  const gaps = panel.gaps
    ? gapsWithin(panel.gaps, span)
    : gapsOfAll(
        panel.curves.filter(({ moved }) => moved === undefined).map(({ points }) => points),
        span,
      );
  for (const gap of gaps) {
    const [left, right] = [x(gap.from), x(gap.to)];
    hatch(pen, left, 0, right - left, plot.height, ink.colors);
    const text = durationText(gap.to - gap.from, ink.language);
    pen.font = `12px ${ink.fontFamily}`;
    if (pen.measureText(text).width + 8 > right - left) continue;
    Object.assign(pen, { fillStyle: ink.colors.faint, textAlign: 'center', textBaseline: 'top' });
    pen.fillText(text, (Math.max(0, left) + Math.min(plot.width, right)) / 2, 3);
  }
}

function paintAxes(pen: Pencil, { axes, curves }: Panel, plot: Plot, { colors, fontFamily, language }: Ink): void {
  pen.font = `12px ${fontFamily}`;
  axes.forEach((axis, index) => {
    const isLeft = index === 0;
    const [only, ...others] = curves.filter((curve) => curve.axis === index && curve.moved === undefined);
    // Of two axes, one that belongs to a single curve has its colour.
    const color = axes.length > 1 && only && others.length === 0 ? colorOf(only, colors) : colors.faint;
    axis.ticks.forEach((value, tick) => {
      const y = Math.round(plot.height - ((value - axis.low) / (axis.high - axis.low)) * plot.height) + 0.5;
      if (isLeft) level(pen, y, plot.width, tick === 0 ? colors.faint : colors.grid);
      Object.assign(pen, { fillStyle: color, textAlign: isLeft ? 'right' : 'left', textBaseline: 'middle' });
      pen.fillText(formatNumber(value, language, axis.decimals), isLeft ? -8 : plot.width + 8, y);
    });
    Object.assign(pen, { textAlign: isLeft ? 'right' : 'left', textBaseline: 'alphabetic' });
    pen.fillText(axis.unit, isLeft ? -8 : plot.width + 8, -12);
  });
}

function level(pen: Pencil, y: number, width: number, color: string): void {
  pen.strokeStyle = color;
  pen.lineWidth = 1;
  pen.beginPath();
  pen.moveTo(0, y);
  pen.lineTo(width, y);
  pen.stroke();
}

function dotted(pen: Pencil, y: number, width: number, color: string): void {
  pen.setLineDash([1, 3]);
  level(pen, Math.round(y) + 0.5, width, color);
  pen.setLineDash([]);
}

function line(pen: Pencil, x: number, height: number, color: string, dash: readonly number[]): void {
  pen.strokeStyle = color;
  pen.lineWidth = 1;
  pen.setLineDash([...dash]);
  pen.beginPath();
  pen.moveTo(Math.round(x) + 0.5, 0);
  pen.lineTo(Math.round(x) + 0.5, height);
  pen.stroke();
  pen.setLineDash([]);
}

function paintTimes(
  pen: Pencil,
  { ticks }: Scene,
  plot: Plot,
  x: (at: number) => number,
  { colors, fontFamily, zone }: Ink,
): void {
  let free = -Infinity;
  for (const tick of ticks) {
    const at = x(tick.at);
    if (tick.begins) line(pen, at, plot.height, colors.grid, []);
    pen.font = `${tick.begins ? '600 ' : ''}12px ${fontFamily}`;
    const text = tickText(tick, zone);
    const half = pen.measureText(text).width / 2;
    if (at - half < free + 8 || at - half < -30 || at + half > plot.width + 30) continue;
    free = at + half;
    Object.assign(pen, { fillStyle: colors.faint, textAlign: 'center', textBaseline: 'top' });
    pen.fillText(text, at, plot.height + 7);
  }
}

/** The last value, written at the end of its line. */
function paintLast(
  pen: Pencil,
  curve: Curve,
  runs: readonly Column[][],
  y: (value: number) => number,
  written: number[],
  plot: Plot,
  { colors, fontFamily, language }: Ink,
): void {
  const last = runs.at(-1)?.at(-1);
  if (last === undefined || last.x > plot.width + 1) return;
  const at = y(last.last);
  pen.fillStyle = colorOf(curve, colors);
  pen.beginPath();
  pen.arc(last.x, at, 3, 0, 2 * Math.PI);
  pen.fill();
  // Two that lie close would cover each other: the table below has both.
  if (written.some((other) => Math.abs(other - at) < 18)) return;
  written.push(at);
  // A rim keeps it readable on lines and grid.
  Object.assign(pen, {
    font: `500 12px ${fontFamily}`,
    textAlign: 'right',
    textBaseline: at < 18 ? 'top' : 'bottom',
    lineWidth: 3,
    strokeStyle: colors.surface,
    fillStyle: colors.text,
  });
  const text = `${formatNumber(last.last, language, curve.decimals)} ${curve.unit}`.trim();
  for (const write of ['strokeText', 'fillText'] as const)
    pen[write](text, Math.min(plot.width - 2, last.x + 4), at < 18 ? at + 5 : at - 5);
}

function paintBand(
  pen: Pencil,
  curve: Curve,
  runs: readonly Column[][],
  y: (value: number) => number,
  height: number,
  { colors }: Ink,
): void {
  const isArea = curve.pen.color === 'light';
  pen.fillStyle = colorOf(curve, colors);
  for (const run of runs) {
    const corners = curve.stepped ? stepped(run) : run;
    const around = (top: (one: Column) => number, bottom: (one: Column) => number, alpha: number): void => {
      pen.globalAlpha = alpha;
      pen.beginPath();
      corners.forEach((one, index) => (index === 0 ? pen.moveTo(one.x, top(one)) : pen.lineTo(one.x, top(one))));
      corners.toReversed().forEach((one) => pen.lineTo(one.x, bottom(one)));
      pen.fill();
    };
    if (curve.points.lows !== undefined)
      around(
        (one) => y(one.bandHigh),
        (one) => y(one.bandLow),
        0.16,
      );
    // Area only under light, as everywhere.
    if (isArea)
      around(
        (one) => y(one.last),
        () => height,
        0.12,
      );
  }
  pen.globalAlpha = 1;
}

/** The corners of what holds its value until the next reading. */
const stepped = (run: readonly Column[]): Column[] =>
  run.flatMap((one, index) => {
    const before = run[index - 1];
    return before === undefined ? [one] : [{ ...before, x: one.x }, one];
  });

/** Several points in most columns: a line through all of them is the area that it covers. */
const isDense = (run: readonly Column[]): boolean =>
  run.length > 200 && run.filter(({ low, high }) => low !== high).length > run.length / 2;

/** That area, which is filled many times faster than such a line is stroked. */
function paintEnvelope(pen: Pencil, run: readonly Column[], y: (value: number) => number, half: number): void {
  pen.beginPath();
  run.forEach(({ x, high }, index) => (index === 0 ? pen.moveTo(x, y(high) - half) : pen.lineTo(x, y(high) - half)));
  run.toReversed().forEach(({ x, low }) => pen.lineTo(x, y(low) + half));
  pen.fill();
}

function paintLine(
  pen: Pencil,
  curve: Curve,
  runs: readonly Column[][],
  y: (value: number) => number,
  { colors }: Ink,
): void {
  pen.strokeStyle = colorOf(curve, colors);
  pen.fillStyle = pen.strokeStyle;
  pen.lineWidth = curve.moved === undefined && curve.pen.color !== 'reference' ? 1.8 : 1.3;
  pen.lineJoin = 'bevel';
  pen.setLineDash([...curve.pen.dash]);
  for (const run of runs) if (isDense(run)) paintEnvelope(pen, run, y, pen.lineWidth / 2);
  pen.beginPath();
  const alone: Column[] = [];
  for (const run of runs) {
    if (run.length === 1 && run[0]!.low === run[0]!.high) alone.push(run[0]!);
    if (isDense(run)) continue;
    run.forEach((one, index) => {
      const before = run[index - 1];
      if (index === 0) pen.moveTo(one.x, y(one.first));
      else {
        if (curve.stepped && before) pen.lineTo(one.x, y(before.last));
        pen.lineTo(one.x, y(one.first));
      }
      if (one.low === one.high) return;
      // Through its extremes on the shortest way: a column of many points has three corners, whatever their number.
      const isRising = one.last >= one.first;
      pen.lineTo(one.x, y(isRising ? one.low : one.high));
      pen.lineTo(one.x, y(isRising ? one.high : one.low));
      pen.lineTo(one.x, y(one.last));
    });
  }
  pen.stroke();
  pen.setLineDash([]);
  // A reading between two gaps has no line to be seen by.
  for (const { x, first } of alone) {
    pen.beginPath();
    pen.arc(x, y(first), 2.4, 0, 2 * Math.PI);
    pen.fill();
  }
}
