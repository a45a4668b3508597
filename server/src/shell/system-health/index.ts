export { systemMetrics } from './metrics.ts';
export { createHeartbeat } from './heartbeat.ts';
export { systemHealthRoutes } from './system-health.routes.ts';
export { createSystemHealth, type SystemHealth } from './system-health.service.ts';
