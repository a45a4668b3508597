export { organisationsRoutes } from './organisations.routes.ts';
export { createOrganisations } from './organisations.service.ts';
export { insertOrganisation, replaceGroups, replacePeople } from './organisations.store.ts';
