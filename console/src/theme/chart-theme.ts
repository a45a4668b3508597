import { paletteOf, type AccentName, type ThemeName } from './tokens.ts';

/** What a chart needs to look like the rest: lines 1–3, reference, grid, gap, night ground, text. */
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
