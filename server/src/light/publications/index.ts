export { publicationsRoutes } from './publications.routes.ts';
export { createSteps, type Steps } from './steps.ts';
