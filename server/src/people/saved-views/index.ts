export { savedViewsRoutes } from './saved-views.routes.ts';
export { createSavedViews } from './saved-views.service.ts';
export { deletePrivateViews, insertView } from './saved-views.store.ts';
