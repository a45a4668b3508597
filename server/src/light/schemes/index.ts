export { schemesRoutes } from './schemes.routes.ts';
