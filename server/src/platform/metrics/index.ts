export { briefSeconds, createRegistry, longSeconds, type Registry } from './instruments.ts';
export { watchProcess } from './process.ts';
export { startMetrics } from './serve.ts';
export { byLabel, metricsFrom, type Metric, type MetricSource, type Values } from './sources.ts';
