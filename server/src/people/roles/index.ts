export { rolesRoutes } from './roles.routes.ts';
export { createRoles } from './roles.service.ts';
export { addRole, type RoleSeed } from './seeding.ts';
