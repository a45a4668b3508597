import type { written } from './texts/index.ts';

/** What a row of the operation log can say that was done, as routes and changes name it: whatever has words. */
export type ActionKey = keyof (typeof written)['zh-CN']['actions'];

/** How a sign-in try can succeed; every other outcome is a name of the error catalogue. */
export const outcomeKeys = ['signedIn', 'signedInByLink', 'passwordChangeNeeded', 'passwordChanged'] as const;
export type OutcomeKey = (typeof outcomeKeys)[number];
