export { apiDocsRoutes } from './api-docs.routes.ts';
export { openApiDocument } from './openapi.ts';
