export { briefSeconds, createRegistry, longSeconds, type Counter, type Registry } from './instruments.ts';
export { watchProcess } from './process.ts';
export { startMetrics } from './serve.ts';
