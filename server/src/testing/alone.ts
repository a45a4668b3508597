import type { Held, Leases } from '../platform/leases/index.ts';

/** Holds every name at once and for ever: for parts that are tested without a second process. */
export const holdAlone: Leases['hold'] = (name, start) => {
  const abort = new AbortController();
  const held: Held = {
    name,
    token: 1,
    signal: abort.signal,
    isMine: () => true,
    fence: () => Promise.resolve(),
    giveBack: () => undefined,
  };
  const begun = Promise.resolve(start(held));
  return async () => {
    abort.abort();
    await (
      await begun
    )();
  };
};
