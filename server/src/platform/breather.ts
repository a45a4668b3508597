import { setImmediate as nextTurn } from 'node:timers/promises';

/** The event loop is left after so long, ms. */
const longestTurnMs = 15;

/** Leaves the event loop to others after some work; call it between the things that are worked on. */
export function breather(): () => Promise<void> {
  let begun = performance.now();
  return async () => {
    if (performance.now() - begun < longestTurnMs) return;
    await nextTurn();
    begun = performance.now();
  };
}
