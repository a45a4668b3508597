export { templatesRoutes } from './templates.routes.ts';
