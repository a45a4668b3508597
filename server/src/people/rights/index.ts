export { rightsRoutes } from './rights.routes.ts';
