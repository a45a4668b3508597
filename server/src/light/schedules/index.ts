export { insertSchedule } from './schedules.store.ts';
export { schedulesRoutes } from './schedules.routes.ts';
