export { rolesRoutes } from './roles.routes.ts';
export { createRoles } from './roles.service.ts';
export { addRole } from './seeding.ts';
