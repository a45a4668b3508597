/** Small fixed charts: one curve over time, drawn by `parts/curves`, and amounts as bars. */
export { TimeChart } from './TimeChart.tsx';
export { brokenAt, steps, durationText, type Span } from './gaps.ts';
export type { ChartLine, TimeChartSpec } from './time-panel.ts';
