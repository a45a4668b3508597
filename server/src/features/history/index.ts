export { holdOpenHours, markLate, type OpenHours } from './late.ts';
export { createRoller, type Roller } from './roller.ts';
export { createHistory } from './history.service.ts';
export { historyRoutes } from './history.routes.ts';
export { createEnergy } from './energy.service.ts';
export { createHistoryStorage } from './storage.service.ts';
export { startHistoryRetention } from './retention.ts';
export { historyExportRoutes, historyExportTask } from './export-task.ts';
