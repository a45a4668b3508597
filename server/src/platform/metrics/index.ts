export { briefSeconds, createRegistry, longSeconds, type Counter, type Gauge, type Histogram, type Registry } from './instruments.ts';
export { watchProcess, type ProcessWatch } from './process.ts';
export { startMetrics } from './serve.ts';
