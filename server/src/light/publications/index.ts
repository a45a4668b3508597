export { publicationMetrics } from './metrics.ts';
export { publicationsRoutes } from './publications.routes.ts';
export { holidayFindings } from './assess.ts';
export { addBegun, addTold } from './seeding.ts';
export { createSteps, type Steps, type StepsParts } from './steps.ts';
