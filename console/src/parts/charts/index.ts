/** Charts over time. ECharts itself comes with the first one that is shown. */
export { TimeChart } from './TimeChart.tsx';
export { brokenAt, steps, durationText, type Span } from './gaps.ts';
export type { ChartLine, TimeChartSpec } from './time-chart.ts';
