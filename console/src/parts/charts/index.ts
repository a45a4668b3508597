/** Charts over time and of amounts. ECharts itself comes with the first one that is shown. */
export { BarChart } from './BarChart.tsx';
export { TimeChart } from './TimeChart.tsx';
export { brokenAt, steps, durationText, type Span } from './gaps.ts';
export type { Bar } from './bar-chart.ts';
export type { ChartLine, TimeChartSpec } from './time-chart.ts';
