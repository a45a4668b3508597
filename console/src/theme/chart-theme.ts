import { paletteOf, type AccentName, type ThemeName } from './tokens.ts';

/** What a chart needs to look like the rest: lines 1–3, reference, grid, gap, night ground, text, and a tooltip. */
export interface ChartColors {
  actual: string;
  second: string;
  light: string;
  reference: string;
  grid: string;
  gap: string;
  night: string;
  text: string;
  faint: string;
  surface: string;
  warning: string;
  error: string;
  /** Of several curves in one picture, in their order; none is warm, which is light, nor a state's. */
  series: readonly string[];
}

/** Told apart by every kind of eye (tokens.test.ts); beyond these a dash tells. */
export const seriesColors = ['ch-1', 'ch-2', 'ch-4', 'ch-5', 'ch-6', 'ch-7'] as const;

export function chartColors(theme: ThemeName, accent: AccentName = 'blue'): ChartColors {
  const p = paletteOf(theme, accent);
  return {
    actual: p['ch-1'],
    second: p['ch-2'],
    light: p['ch-3'],
    reference: p['ch-ref'],
    grid: p['ch-grid'],
    gap: p['ch-gap'],
    night: p['c-night'],
    text: p['c-text'],
    faint: p['c-text-3'],
    surface: p['c-surface'],
    warning: p['c-warning-text'],
    error: p['s-alarm'],
    series: seriesColors.map((name) => p[name]),
  };
}

/**
 * The ECharts theme object: horizontal grid lines only, at most three colours, no smoothing, no animation that counts
 * up. Plain data, so that importing it does not load ECharts.
 */
export function echartsTheme(
  theme: ThemeName,
  fontFamily: string,
  accent: AccentName = 'blue',
): Record<string, unknown> {
  const c = chartColors(theme, accent);
  const p = paletteOf(theme, accent);
  const label = { color: c.faint, fontSize: 12, fontFamily };
  const category = {
    axisLine: { show: true, lineStyle: { color: p['c-line-strong'] } },
    axisTick: { show: false },
    splitLine: { show: false },
    axisLabel: label,
  };
  const value = {
    axisLine: { show: false },
    axisTick: { show: false },
    splitLine: { show: true, lineStyle: { color: c.grid } },
    axisLabel: label,
  };
  return {
    color: [c.actual, c.second, c.light],
    backgroundColor: 'transparent',
    textStyle: { fontFamily, color: c.text },
    categoryAxis: category,
    timeAxis: category,
    valueAxis: value,
    logAxis: value,
    line: { symbol: 'none', smooth: false, lineStyle: { width: 1.8 } },
    legend: { textStyle: { color: p['c-text-2'], fontSize: 12 }, icon: 'rect', itemWidth: 14, itemHeight: 2 },
    tooltip: {
      backgroundColor: p['c-raised'],
      borderColor: p['c-line'],
      textStyle: { color: c.text, fontSize: 13 },
      axisPointer: { lineStyle: { color: p['c-text-2'] } },
    },
    animationDuration: 200,
    animationDurationUpdate: 0,
  };
}
