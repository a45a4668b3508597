import { axisOver } from '../curves/scale.ts';
import type { Axis, Curve, Panel, Pen } from '../curves/model.ts';
import type { Point, Span } from './gaps.ts';

/** `light`: warm with an area (light or energy); `plain`: ink; `plan`: dashed grey; `reference`: thin grey. */
export type LineKind = 'light' | 'plain' | 'plan' | 'reference';

export interface ChartLine {
  name: string;
  kind: LineKind;
  points: readonly (Point | readonly [number, null])[];
  /** A switched quantity: it held its value until the next reading, nothing in between was measured. */
  stepped?: boolean;
}

export interface TimeChartSpec {
  from: number;
  to: number;
  unit: string;
  decimals: number;
  lines: readonly ChartLine[];
  nights?: readonly Span[];
  gaps?: readonly Span[];
  /** Dotted horizontals: permitted ends of a range. */
  limits?: readonly number[];
  /** Ends of the value axis; unset: from 0 to what fits. */
  min?: number;
  max?: number;
}

const pens: Record<LineKind, Pen> = {
  light: { color: 'light', dash: [] },
  plain: { color: 0, dash: [] },
  plan: { color: 'reference', dash: [3, 4] },
  reference: { color: 'reference', dash: [] },
};
/** Above the curves the unit, below them the times (px). */
const aroundPlot = 54;

/** One picture of a chart over time, `height` px with its axes. */
export function timePanel({ unit, decimals, lines, gaps, limits, min, max }: TimeChartSpec, height: number): Panel {
  return {
    key: unit,
    title: '',
    kind: 'lines',
    axes: [axisOf(unit, lines, min, max)],
    curves: lines.map((line, index) => curveOf(line, index, unit, decimals)),
    height: Math.max(40, height - aroundPlot),
    gaps: gaps ?? [],
    limits: limits ?? [],
  };
}

function axisOf(unit: string, lines: readonly ChartLine[], min = 0, max?: number): Axis {
  if (max === undefined) {
    const values = lines.flatMap(({ points }) => points.flatMap(([, value]) => (value === null ? [] : [value])));
    return axisOver(
      unit,
      min,
      values.reduce((most, value) => Math.max(most, value), min + 1e-9),
      {
        fromZero: true,
        count: 3,
      },
    );
  }
  const step = (max - min) / 3;
  return { unit, low: min, high: max, ticks: [0, 1, 2, 3].map((n) => min + n * step), decimals: max <= 5 ? 1 : 0 };
}

function curveOf({ name, kind, points, stepped }: ChartLine, index: number, unit: string, decimals: number): Curve {
  const known = points.filter((point): point is Point => point[1] !== null);
  return {
    key: `${index} ${name}`,
    name,
    unit,
    decimals,
    pen: pens[kind],
    stepped: stepped === true || kind === 'plan',
    axis: 0,
    points: {
      times: known.map(([at]) => at),
      values: known.map(([, value]) => value),
      width: 0,
      gaps: gapsOf(points),
    },
  };
}

/** From the last known value before a missing one to the next known one. */
function gapsOf(points: ChartLine['points']): Span[] {
  const gaps: Span[] = [];
  let before: number | null = null;
  let isMissing = false;
  for (const [at, value] of points) {
    if (value === null) {
      isMissing = true;
      continue;
    }
    if (isMissing && before !== null) gaps.push({ from: before, to: at });
    isMissing = false;
    before = at;
  }
  return gaps;
}
