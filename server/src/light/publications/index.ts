export { publicationsRoutes } from './publications.routes.ts';
export { shownBy, tolerance } from './proving.rules.ts';
export { findLamps, findScopeParts, type Lamp, type Scope } from './publications.store.ts';
export { approvalOf } from './reading.service.ts';
export { rehash } from './rehash.store.ts';
export { tried } from './trial.ts';
export { createSteps, type Steps } from './steps.ts';
