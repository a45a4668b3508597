export { publicationMetrics } from './metrics.ts';
export { publicationsRoutes } from './publications.routes.ts';
export { createSteps, type Steps, type StepsParts } from './steps.ts';
