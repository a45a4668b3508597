export { createRecords } from './records.service.ts';
export { recordsRoutes } from './records.routes.ts';
