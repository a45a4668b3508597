export { organisationsRoutes } from './organisations.routes.ts';
export { createOrganisations } from './organisations.service.ts';
