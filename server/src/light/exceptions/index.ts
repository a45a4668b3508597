export { exceptionsRoutes } from './exceptions.routes.ts';
export { createExceptionSteps, type ExceptionSteps } from './steps.ts';
export { addEndedException } from './seeding.ts';
