export { previewsRoutes } from './previews.routes.ts';
export { createPreviews } from './previews.service.ts';
