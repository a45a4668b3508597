export { createExpiries } from './expiries.ts';
export { expiryExportTask } from './export-task.ts';
export { createStatistics } from './statistics.service.ts';
export { statisticsRoutes } from './statistics.routes.ts';
