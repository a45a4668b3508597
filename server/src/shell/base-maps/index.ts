export { baseMapsRoutes } from './base-maps.routes.ts';
export { createBaseMaps } from './base-maps.service.ts';
