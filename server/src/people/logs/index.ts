export { logExportTasks } from './export-tasks.ts';
export { logsRoutes } from './logs.routes.ts';
export { createLogs } from './logs.service.ts';
