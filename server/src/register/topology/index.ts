export { createTopology } from './topology.service.ts';
export { createMover } from './move.ts';
export { topologyRoutes } from './topology.routes.ts';
export { among, lampsBelow } from './trees.query.ts';
