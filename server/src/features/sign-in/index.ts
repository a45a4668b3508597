export { createRecovery } from './recovery.ts';
export { signInRoutes } from './sign-in.routes.ts';
export { createSignInFeature, type SignInFeature } from './sign-in.ts';
