export { areasOf, createHome, holdOf, scopeKey } from './home.service.ts';
export { homeRoutes } from './home.routes.ts';
export { createLoadSums } from './loads.ts';
export { createHomeMap } from './map.service.ts';
export { createSince } from './since.service.ts';
export { markLoadsDue, type Hold } from './loads.store.ts';
export { remember } from './remember.ts';
