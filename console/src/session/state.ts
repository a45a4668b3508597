import { isLocaleKey } from './languages.ts';
import { local, OWN, PREVIEW, session } from './storage.ts';

/** What the browser keeps of a session (specified 1.12). Keys are shared with every tab: never rename one. */
const TOKEN = 'token';
const USERNAME = 'username';
const REMEMBER = 'rememberme';
const WORK_AREA = 'workId';
const THEME = 'theme';
const LAST_RESPONSE = 'lastRequestTime';

/** The token exactly as the server returned it (`Bearer …`), or undefined. */
export const storedToken = (): string | undefined => local.get(TOKEN) || undefined;

/** Replaces the token, after a refresh or a password change. */
export const storeToken = (token: string): void => local.set(TOKEN, token);

/** Keeps a new session: token, account name (local and session storage, as specified) and the remember-me flag. */
export function storeSession(signedIn: { token: string; username: string; rememberMe?: boolean }): void {
  local.set(USERNAME, signedIn.username);
  session.set(USERNAME, signedIn.username);
  if (signedIn.rememberMe !== undefined) local.set(REMEMBER, signedIn.rememberMe ? '1' : '0');
  storeToken(signedIn.token);
}

/** The account this tab works as, else the last one known to this browser. */
export const storedUsername = (): string => session.get(USERNAME) ?? local.get(USERNAME) ?? '';

/** `1` when the session was made with "remember me"; 0 by default. What refreshToken wants as `rememberme`. */
export const rememberFlag = (): 0 | 1 => (local.get(REMEMBER) === '1' ? 1 : 0);

/** The work area the operator works in; undefined means every one the account may see. */
export const storedWorkId = (): string | undefined => local.get(WORK_AREA) || undefined;

export function storeWorkId(workId: string | number | undefined): void {
  if (workId === undefined) local.remove(WORK_AREA);
  else local.set(WORK_AREA, String(workId));
}

export type ThemeChoice = 'light' | 'dark' | 'system';

export function storedTheme(): ThemeChoice {
  const value = local.get(THEME);
  return value === 'light' || value === 'dark' ? value : 'system';
}

export const storeTheme = (theme: ThemeChoice): void => local.set(THEME, theme);

/** Call with each response except that of the token refresh (specified 10.10). Milliseconds since 1970. */
export const noteResponse = (at: number = Date.now()): void => session.set(LAST_RESPONSE, String(at));

/** When the last response came, or undefined in a fresh tab. */
export function lastResponseAt(): number | undefined {
  const value = Number(session.get(LAST_RESPONSE));
  return value > 0 ? value : undefined;
}

/**
 * Logout as specified: all local and session storage goes, the locale stays. Key by key, so that other tabs see the
 * token go. A preview tab stays marked as one: without its token it is nobody, never the administrator.
 */
export function clearSession(): void {
  for (const key of session.keys()) if (key !== PREVIEW && !key.startsWith(OWN)) session.remove(key);
  for (const key of local.keys()) if (!isLocaleKey(key)) local.remove(key);
}

/** Entry of the sign-in page: as `clearSession`, but a remembered account name is kept for the form. */
export function clearPriorSession(): void {
  const username = rememberFlag() === 1 ? local.get(USERNAME) : null;
  clearSession();
  if (username === null) return;
  local.set(USERNAME, username);
  local.set(REMEMBER, '1');
}

/**
 * Tells this tab what another tab did to the session: `ended` (signed out, or /login opened), `replaced` (a sign-in
 * there; also after `ended`). A token refresh of the same account is not told. A tab must not go to /login by itself on
 * `ended`: opening it would end the session that the other tab may have made meanwhile. Returns the stop function.
 */
export function onSessionElsewhere(tell: (change: 'ended' | 'replaced') => void): () => void {
  // A preview's session is this tab's alone.
  if (session.get(PREVIEW) !== null) return () => undefined;
  let known = { signedIn: storedToken() !== undefined, username: local.get(USERNAME) };
  const listen = (event: StorageEvent): void => {
    if (event.storageArea !== window.localStorage || (event.key !== TOKEN && event.key !== null)) return;
    const now = { signedIn: storedToken() !== undefined, username: local.get(USERNAME) };
    const before = known;
    known = now;
    if (before.signedIn && !now.signedIn) tell('ended');
    else if (now.signedIn && (!before.signedIn || before.username !== now.username)) tell('replaced');
  };
  window.addEventListener('storage', listen);
  return () => window.removeEventListener('storage', listen);
}
