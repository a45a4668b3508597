import { inPreview, PREVIEW_DOOR } from './preview.ts';
import { clearSession, storedToken } from './state.ts';
import { session } from './storage.ts';
import { requestHeaders } from './headers.ts';

/** How long the warnings (specified 10.7) stand: 401 "credentials expired", and the server's message of a 403. */
export const EXPIRED_WARNING_MS = 2_000;
export const FORBIDDEN_WARNING_MS = 3_000;

/**
 * Why the sign-in page opens; it shows the matching text. `changeOver`: the 10 minutes for a password change are over.
 */
export type SignInNotice = 'expired' | 'signedOut' | 'routesFailed' | 'changeOver';
const notices: readonly SignInNotice[] = ['expired', 'signedOut', 'routesFailed', 'changeOver'];
const NOTICE = 'signInNotice';
const UNSENT = 'unsentCommands';

const SIGN_IN_PATHS: readonly string[] = ['/login', '/login-loading', '/update-password'];

/** On the sign-in screens a 401 belongs to the form and is passed on. */
export const isSignInPath = (pathname: string): boolean => SIGN_IN_PATHS.includes(pathname.replace(/\/+$/, ''));

let giveUp: () => readonly string[] = () => [];

/** Gives up what waits to be sent and returns what it was; called before the session ends. Returns the stop function. */
export function beforeLeaving(gives: () => readonly string[]): () => void {
  giveUp = gives;
  return () => {
    if (giveUp === gives) giveUp = () => [];
  };
}

/**
 * Ends the session here and on the server; what waits to be sent is not sent, and the sign-in page says so. Resolves
 * when the server has heard of it; never fails.
 */
export function endSession(): Promise<void> {
  const unsent = giveUp();
  // The request carries the token it was made with; clearing at once lets other tabs know who ended the session.
  const ended = endOnServer();
  clearSession();
  for (const what of unsent) noteUnsent(what);
  return ended;
}

/** The sign-in page says that this was not sent. */
export function noteUnsent(what: string): void {
  const noted = session.get(UNSENT);
  session.set(UNSENT, noted === null ? what : `${noted} · ${what}`);
}

/** Reads and forgets which commands were not sent because the session ended; the sign-in page says it. */
export function takeUnsent(): string | undefined {
  const value = session.get(UNSENT);
  session.remove(UNSENT);
  return value ?? undefined;
}

/**
 * Leaves the console for the sign-in page, which is a page load of its own and shows the notice (`expired` for 2 s, as
 * specified). Ends the session on the server too and clears what the browser keeps of it. A preview tab has nobody to
 * sign in: it says that the preview is over.
 */
export function leaveForSignIn(
  notice: SignInNotice,
  go: (path: string) => void = (path) => window.location.assign(path),
): void {
  void endSession();
  session.set(NOTICE, notice);
  go(inPreview() ? PREVIEW_DOOR : '/login');
}

/** Reads and forgets the notice; the sign-in page calls it before it clears the rest. */
export function takeNotice(): SignInNotice | undefined {
  const value = session.get(NOTICE);
  session.remove(NOTICE);
  return notices.find((notice) => notice === value);
}

/** Ends the session on the server; never fails and outlives the page. Call before the token is cleared. */
export async function endOnServer(): Promise<void> {
  if (storedToken() === undefined) return;
  try {
    await fetch('/api/system/logout', { method: 'POST', headers: requestHeaders(), keepalive: true });
  } catch {
    // Without a network the idle time ends the session on the server.
  }
}
