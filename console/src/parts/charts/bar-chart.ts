import type { EChartsCoreOption } from 'echarts/core';
import { formatNumber } from '../../locales/format-number.ts';
import type { ChartContext } from './time-chart.ts';

/**
 * An amount of something that has a name; `color` where the thing has one of its own, `muted`: what is left over or not
 * known.
 */
export interface Bar {
  readonly name: string;
  readonly value: number;
  readonly color?: string;
  readonly muted?: boolean;
}

/** Longer names than this are cut on the axis; the table beside the chart has them whole. */
const longestName = 128;
export const barHeight = 28;

/**
 * Amounts as bars, the first on top (`upright`: as columns, the first to the left): one colour, the number at the end
 * of each, no grid.
 */
export function barChartOption(
  bars: readonly Bar[],
  upright: boolean,
  { colors, language, fontFamily }: Omit<ChartContext, 'zone'>,
): EChartsCoreOption {
  const number = (value: number): string => formatNumber(value, language, 0);
  const label = { color: colors.text, fontSize: 12, fontFamily };
  const names = {
    type: 'category',
    data: bars.map(({ name }) => name),
    inverse: !upright,
    axisTick: { show: false },
    axisLabel: upright
      ? { ...label, interval: 0, width: 62, overflow: 'break', lineHeight: 15 }
      : { ...label, interval: 0, width: longestName, overflow: 'truncate' },
  };
  // Bars tell amounts only from zero on; their numbers stand beside them, so the axis has none.
  const amounts = { type: 'value', min: 0, max: 'dataMax', axisLabel: { show: false }, splitLine: { show: false } };
  return {
    animation: false,
    aria: { enabled: false },
    grid: upright
      ? { left: 4, right: 4, top: 24, bottom: 4, containLabel: true }
      : { left: 4, right: 64, top: 0, bottom: 0, containLabel: true },
    tooltip: {
      trigger: 'item',
      confine: true,
      transitionDuration: 0,
      renderMode: 'richText',
      formatter: (item: unknown) => {
        const { name, value } = item as { name: string; value: number };
        return `${name} ${number(value)}`;
      },
    },
    xAxis: upright ? names : amounts,
    yAxis: upright ? amounts : names,
    series: [
      {
        type: 'bar',
        barMaxWidth: upright ? 34 : 14,
        cursor: 'default',
        label: {
          show: true,
          position: upright ? 'top' : 'right',
          ...label,
          formatter: ({ value }: { value: unknown }) => number(Number(value)),
        },
        data: bars.map(({ value, color, muted }) => ({
          value,
          itemStyle: {
            color: color ?? (muted === true ? colors.reference : colors.actual),
            borderRadius: upright ? [2, 2, 0, 0] : [0, 2, 2, 0],
          },
        })),
      },
    ],
  };
}
