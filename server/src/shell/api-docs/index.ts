export { apiDocsRoutes } from './api-docs.routes.ts';
export { refusedStatuses } from './statuses.ts';
