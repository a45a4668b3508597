export { rolesRoutes } from './roles.routes.ts';
export { createRoles } from './roles.service.ts';
