export { whyRoutes } from './why.routes.ts';
