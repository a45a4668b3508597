export { workGroupsRoutes } from './work-groups.routes.ts';
export { createWorkGroups } from './work-groups.service.ts';
