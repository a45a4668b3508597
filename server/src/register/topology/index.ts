export { createTopology } from './topology.service.ts';
export { createMover } from './move.ts';
export { topologyRoutes } from './topology.routes.ts';
