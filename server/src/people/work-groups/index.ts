export { workGroupsRoutes } from './work-groups.routes.ts';
export { createWorkGroups } from './work-groups.service.ts';
export { insertGroup, replaceMembers } from './work-groups.store.ts';
