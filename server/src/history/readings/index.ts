export { holdOpenHours, markLate } from './late.ts';
export { createRoller } from './roller.ts';
export { createHistory } from './history.service.ts';
export { historyRoutes } from './history.routes.ts';
export { createEnergy } from './energy.service.ts';
export { createHistoryStorage } from './storage.service.ts';
export { startHistoryRetention } from './retention.ts';
export { historyExportRoutes, historyExportTask } from './export-task.ts';
export { keptSince } from './storage.store.ts';
