export { preferencesRoutes, type PreferencesParts } from './preferences.routes.ts';
