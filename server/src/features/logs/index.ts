export { logsRoutes } from './logs.routes.ts';
export { createLogs } from './logs.service.ts';
