export { loginAppearanceRoutes } from './login-appearance.routes.ts';
