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
    get: (key) => attempt((storage) => storage.getItem(key), () => null) ?? fallback.get(key) ?? null,
    set: (key, value) => attempt((storage) => storage.setItem(key, value), () => void fallback.set(key, value)),
    remove: (key) => {
      fallback.delete(key);
      attempt((storage) => storage.removeItem(key), () => undefined);
    },
    keys: () => [...attempt((storage) => Object.keys(storage), () => []), ...fallback.keys()],
  };
}

/** Shared by all tabs, kept over restarts of the browser. */
export const local = storeOver(() => window.localStorage);
/** This tab only. */
export const session = storeOver(() => window.sessionStorage);
