export { endSignInLinks } from './links.store.ts';
export { liftLocks } from './locks.ts';
export type { OpenPassword } from './open-password.ts';
export type { CheckOwnPassword } from './own-password.ts';
export { createRecovery } from './recovery.ts';
export { signInRoutes } from './sign-in.routes.ts';
export { createSignInFeature, type SignInFeature } from './sign-in.ts';
