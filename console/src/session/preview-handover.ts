import type { BegunPreview } from './preview.ts';

/**
 * How the token of a preview gets into its tab: never in an address. The new tab says that it is there, the tab that
 * opened it answers with the token; both only to a window of the same origin, and only to the very one they know.
 */
const READY = 'lampyris-preview-ready';
const TOKEN = 'lampyris-preview-token';

/** The new tab's code may still have to come over a slow line. */
const GIVE_WITHIN_MS = 60_000;
const RECEIVE_WITHIN_MS = 30_000;

/** No token came: the opening tab is gone, or the server refused. */
export class NoPreview extends Error {}

const typeOf = (data: unknown): unknown =>
  typeof data === 'object' && data !== null && 'type' in data ? data.type : undefined;

/** Hands what has begun to the tab just opened; rejects when it did not begin, or when the tab does not ask in time. */
export function givePreview(
  tab: Window,
  begun: Promise<BegunPreview>,
  limitMs: number = GIVE_WITHIN_MS,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const settle = (work: () => void): void => {
      window.removeEventListener('message', listen);
      clearTimeout(timer);
      work();
    };
    const timer = setTimeout(() => settle(() => reject(new NoPreview('the tab did not ask for its token'))), limitMs);
    function listen(event: MessageEvent): void {
      if (event.source !== tab || event.origin !== window.location.origin || typeOf(event.data) !== READY) return;
      void begun.then(
        ({ token, username, displayName }) =>
          settle(() => {
            tab.postMessage({ type: TOKEN, token, username, displayName }, window.location.origin);
            resolve();
          }),
        () => undefined,
      );
    }
    window.addEventListener('message', listen);
    begun.catch((cause: unknown) =>
      settle(() => reject(cause instanceof Error ? cause : new NoPreview(String(cause)))),
    );
  });
}

/** Asks the opening tab for the token; rejects with `NoPreview` when none comes in time. */
export function receivePreview(opener: Window, limitMs: number = RECEIVE_WITHIN_MS): Promise<BegunPreview> {
  return new Promise((resolve, reject) => {
    const settle = (work: () => void): void => {
      window.removeEventListener('message', listen);
      clearTimeout(timer);
      work();
    };
    const timer = setTimeout(() => settle(() => reject(new NoPreview('no token came'))), limitMs);
    function listen(event: MessageEvent): void {
      if (event.source !== opener || event.origin !== window.location.origin || typeOf(event.data) !== TOKEN) return;
      const { token, username, displayName } = event.data as Record<keyof BegunPreview, unknown>;
      if (typeof token !== 'string' || token === '' || typeof username !== 'string' || typeof displayName !== 'string')
        return;
      settle(() => resolve({ token, username, displayName }));
    }
    window.addEventListener('message', listen);
    opener.postMessage({ type: READY }, window.location.origin);
  });
}
