export { loginAppearanceRoutes } from './login-appearance.routes.ts';
export { createLoginAppearances } from './login-appearance.service.ts';
