export { createPreferences } from './preferences.service.ts';
export { preferencesRoutes } from './preferences.routes.ts';
