export { createHome, type Home } from './home.service.ts';
export { homeRoutes } from './home.routes.ts';
