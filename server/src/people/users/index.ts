export { addPerson } from './seeding.ts';
export { usersRoutes } from './users.routes.ts';
