/**
 * Local and session storage that never throw: where a browser refuses them (blocked cookies, full disk) the values live
 * as long as the page.
 */
export interface Store {
  get(key: string): string | null;
  set(key: string, value: string): void;
  remove(key: string): void;
  keys(): string[];
}

function storeOver(area: () => Storage): Store {
  const fallback = new Map<string, string>();
  const attempt = <T>(work: (storage: Storage) => T, otherwise: () => T): T => {
    try {
      return work(area());
    } catch {
      return otherwise();
    }
  };
  return {
    get: (key) =>
      attempt(
        (storage) => storage.getItem(key),
        () => null,
      ) ??
      fallback.get(key) ??
      null,
    set: (key, value) =>
      attempt(
        (storage) => storage.setItem(key, value),
        () => void fallback.set(key, value),
      ),
    remove: (key) => {
      fallback.delete(key);
      attempt(
        (storage) => storage.removeItem(key),
        () => undefined,
      );
    },
    keys: () => [
      ...attempt(
        (storage) => Object.keys(storage),
        () => [],
      ),
      ...fallback.keys(),
    ],
  };
}

/** This tab only. */
export const session = storeOver(() => window.sessionStorage);
const shared = storeOver(() => window.localStorage);

/** Session storage: marks a tab that looks through another account's eyes (preview), with whose. */
export const PREVIEW = 'preview';
/** Under this prefix such a tab keeps for itself what other tabs share. */
export const OWN = 'preview.';

const own: Store = {
  get: (key) => session.get(OWN + key),
  set: (key, value) => session.set(OWN + key, value),
  remove: (key) => session.remove(OWN + key),
  keys: () =>
    session
      .keys()
      .filter((key) => key.startsWith(OWN))
      .map((key) => key.slice(OWN.length)),
};
const inForce = (): Store => (session.get(PREVIEW) === null ? shared : own);

/**
 * Shared by all tabs, kept over restarts of the browser. A preview tab has one of its own instead and never reads or
 * writes the shared one: its token, its work area, its idle time and its appearance end with the tab, the
 * administrator's stay untouched.
 */
export const local: Store = {
  get: (key) => inForce().get(key),
  set: (key, value) => inForce().set(key, value),
  remove: (key) => inForce().remove(key),
  keys: () => inForce().keys(),
};
