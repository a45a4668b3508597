export { createHeartbeat } from './heartbeat.ts';
export { systemHealthRoutes } from './system-health.routes.ts';
export { createSystemHealth, type SystemFigures } from './system-health.service.ts';
