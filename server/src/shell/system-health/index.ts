export { createHeartbeat } from './heartbeat.ts';
export { systemHealthRoutes } from './system-health.routes.ts';
export { createSystemHealth, type SystemFigures, type SystemHealth } from './system-health.service.ts';
