export { connectionsRoutes } from './connections.routes.ts';
export { createConnections, type Connections } from './connections.service.ts';
export { createLineJournal, type LineJournal } from './line-journal.ts';
export { recordReach, type ConnectionReason, type Reach } from './outages.ts';
export { keepWatch, silenceCountsFrom } from './watch.ts';
