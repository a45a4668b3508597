import type { EChartsCoreOption } from 'echarts/core';
import type { ChartColors } from '../../theme/chart-theme.ts';
import { tickText, timeTicks, type TimeTick } from '../time/ticks.ts';
import { formatNumber } from '../../locales/format-number.ts';
import { formatTime } from '../time/zone.ts';
import { durationText, type Point, type Span } from './gaps.ts';

/** `light`: warm with an area (light or energy); `plain`: ink; `plan`: dashed grey; `reference`: thin grey. */
export type LineKind = 'light' | 'plain' | 'plan' | 'reference';

export interface ChartLine {
  name: string;
  kind: LineKind;
  points: readonly (Point | readonly [number, null])[];
  /** Write the last value at the end of the line. */
  endLabel?: boolean;
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
  limits?: readonly { value: number; label: string }[];
  /** Ends of the value axis; unset: from 0 to what fits. */
  min?: number;
  max?: number;
  compact?: boolean;
}

export interface ChartContext {
  colors: ChartColors;
  zone: string;
  language: string;
  fontFamily: string;
}

const stroke: Record<LineKind, (colors: ChartColors) => { color: string; width: number; type: 'solid' | number[] }> = {
  light: (colors) => ({ color: colors.light, width: 2, type: 'solid' }),
  plain: (colors) => ({ color: colors.actual, width: 1.8, type: 'solid' }),
  plan: (colors) => ({ color: colors.reference, width: 1.3, type: [3, 4] }),
  reference: (colors) => ({ color: colors.reference, width: 1.3, type: 'solid' }),
};

/**
 * A chart over time by the rules of the look: horizontal grid only, night tinted, gaps hatched, plan dashed, no
 * smoothing.
 */
export function timeChartOption(spec: TimeChartSpec, context: ChartContext): EChartsCoreOption {
  const { colors, zone, language, fontFamily } = context;
  const number = (value: number) => formatNumber(value, language, spec.decimals);
  const marks = marksOf(spec, zone);
  return {
    animation: false,
    aria: { enabled: false },
    grid: { left: 4, right: 14, top: 26, bottom: 4, containLabel: true },
    tooltip: {
      trigger: 'axis',
      confine: true,
      transitionDuration: 0,
      axisPointer: { type: 'line', animation: false },
      formatter: (items: unknown) =>
        tooltip(
          items as TooltipItem[],
          (at) => formatTime(at, 'dayTime', zone),
          (value) => `${number(value)} ${spec.unit}`,
        ),
    },
    xAxis: {
      type: 'time',
      min: spec.from,
      max: spec.to,
      axisLabel: {
        hideOverlap: true,
        customValues: [...marks.keys()],
        formatter: (at: number) => tickText(marks.get(at) ?? { at, step: 'minute', begins: false }, zone),
      },
      axisTick: { customValues: [...marks.keys()] },
      axisLine: { lineStyle: { color: colors.grid } },
    },
    yAxis: {
      type: 'value',
      name: spec.unit,
      nameGap: 8,
      nameTextStyle: { color: colors.faint, fontSize: 12, align: 'right', padding: [0, 6, 0, 0], fontFamily },
      min: spec.min ?? 0,
      ...(spec.max === undefined ? { splitNumber: 3 } : { max: spec.max, interval: (spec.max - (spec.min ?? 0)) / 3 }),
      axisLabel: {
        formatter: (value: number) => formatNumber(value, language, spec.max !== undefined && spec.max <= 5 ? 1 : 0),
      },
    },
    series: [ground(spec, context), ...spec.lines.map((line) => series(line, context, number, spec))],
  };
}

/**
 * Marks of time by the shown zone (ECharts has them by the browser's), days by their date; none so near the ends that
 * it would be cut off.
 */
function marksOf({ from, to, compact = false }: TimeChartSpec, zone: string): ReadonlyMap<number, TimeTick> {
  const edge = (to - from) * (compact ? 0.04 : 0.02);
  return new Map(
    timeTicks({ from, to }, zone, compact ? 5 : 8)
      .filter(({ at }) => at >= from + edge && at <= to - edge)
      .map((tick) => [tick.at, tick]),
  );
}

/** An empty line that carries the tinted nights, the hatched gaps and the limits. */
function ground(spec: TimeChartSpec, { colors, language }: ChartContext): object {
  const area = (span: Span, style: object, label?: string) => [
    {
      xAxis: Math.max(span.from, spec.from),
      itemStyle: style,
      label: {
        show: label !== undefined,
        formatter: label ?? '',
        position: 'insideTop',
        color: colors.faint,
        fontSize: 12,
      },
    },
    { xAxis: Math.min(span.to, spec.to) },
  ];
  const wide = (spec.to - spec.from) / (spec.compact === true ? 6 : 10);
  return {
    type: 'line',
    data: [],
    silent: true,
    tooltip: { show: false },
    markArea: {
      silent: true,
      data: [
        ...(spec.nights ?? [])
          .filter((night) => night.to > spec.from && night.from < spec.to)
          .map((night) => area(night, { color: colors.night })),
        ...(spec.gaps ?? []).map((gap) =>
          area(
            gap,
            { color: hatch(colors) },
            gap.to - gap.from > wide ? durationText(gap.to - gap.from, language) : undefined,
          ),
        ),
      ],
    },
    markLine: {
      silent: true,
      symbol: 'none',
      animation: false,
      data: (spec.limits ?? []).map(({ value, label }) => ({
        yAxis: value,
        lineStyle: { color: colors.faint, type: [1, 3], width: 1.2 },
        label: { show: label !== '', formatter: label, position: 'end', color: colors.faint, fontSize: 12 },
      })),
    },
  };
}

function series(
  line: ChartLine,
  { colors, fontFamily }: ChartContext,
  number: (value: number) => string,
  { unit, from, to }: TimeChartSpec,
): object {
  const style = stroke[line.kind](colors);
  const last = line.points.findLast((point): point is Point => point[1] !== null);
  return {
    type: 'line',
    name: line.name,
    data: line.points,
    symbol: 'none',
    connectNulls: false,
    smooth: false,
    ...(line.stepped === true ? { step: 'end' } : {}),
    lineStyle: style,
    itemStyle: { color: style.color },
    z: line.kind === 'plan' || line.kind === 'reference' ? 2 : 3,
    ...(line.kind === 'light' ? { areaStyle: { color: colors.light, opacity: 0.14 } } : {}),
    ...(line.endLabel === true && last
      ? {
          markPoint: {
            symbol: 'circle',
            symbolSize: 6,
            silent: true,
            animation: false,
            itemStyle: { color: style.color },
            // Away from the axis and its unit where the curve has only begun; a rim keeps it readable on limits and
            // grid.
            label: {
              show: true,
              position: 'top',
              distance: 6,
              align: last[0] - from < (to - from) * 0.4 ? 'left' : 'right',
              color: colors.text,
              textBorderColor: colors.surface,
              textBorderWidth: 3,
              fontSize: 12,
              fontFamily,
              formatter: `${number(last[1])} ${unit}`,
            },
            data: [{ coord: [...last] }],
          },
        }
      : {}),
  };
}

/** A picture of thin diagonals; the plain gap colour where there is no canvas. */
function hatch(colors: ChartColors): object | string {
  const side = 6;
  const canvas = document.createElement('canvas');
  canvas.width = canvas.height = side;
  const pen = canvas.getContext('2d');
  if (!pen) return colors.gap;
  pen.fillStyle = colors.gap;
  pen.fillRect(0, 0, side, side);
  pen.strokeStyle = colors.gap;
  pen.lineWidth = 1;
  for (const shift of [-side, 0, side]) {
    pen.moveTo(shift, side);
    pen.lineTo(shift + side, 0);
  }
  pen.stroke();
  return { image: canvas, repeat: 'repeat' };
}

interface TooltipItem {
  seriesName?: string;
  value?: unknown;
  color?: unknown;
  axisValue?: unknown;
}

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const plain = (text: string): string => text.replace(/[&<>"]/g, (sign) => escapes[sign] ?? sign);

function tooltip(items: TooltipItem[], time: (at: number) => string, value: (value: number) => string): string {
  const at = Number(items[0]?.axisValue);
  const lines = items.flatMap((item) => {
    const amount = Array.isArray(item.value) ? (item.value[1] as unknown) : null;
    return typeof amount === 'number' ? [`${plain(item.seriesName ?? '')} ${value(amount)}`] : [];
  });
  return [Number.isFinite(at) ? time(at) : '', ...lines].join('<br>');
}
