import type { Hint } from '../../platform/live/index.ts';

/** The end of a session is said to every connection of it; the topic itself has nothing more to say. */
export const sessionHint: Hint = { topic: 'session', listen: () => [] };
