export { createRecords, type Records } from './records.service.ts';
export { recordsRoutes } from './records.routes.ts';
