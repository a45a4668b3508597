export { connectionsRoutes } from './connections.routes.ts';
export { createConnections } from './connections.service.ts';
export { createLineJournal } from './line-journal.ts';
export { recordReach, type Reach } from './outages.ts';
export { keepWatch, silenceCountsFrom } from './watch.ts';
export { connectionExportTask } from './export-task.ts';
