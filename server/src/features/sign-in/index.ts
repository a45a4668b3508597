export { signInRoutes } from './sign-in.routes.ts';
export { createSignInFeature, type SignInFeature, type SignInFeatureParts } from './sign-in.ts';
