import { refreshToken } from '../../../contract/specified/sign-in.ts';
import {
  inPreview,
  leaveForSignIn,
  local,
  onSessionElsewhere,
  rememberFlag,
  storedToken,
  storeToken,
} from '../session/index.ts';
import { lastActivityAt, watchActivity } from './activity.ts';
import { ApiError } from './api-error.ts';
import { call } from './call.ts';

const REFRESH_EVERY_MS = 60_000;
/**
 * A preview ends two minutes after its tab was last heard: this is its heartbeat. Half as long as other tabs wait,
 * since browsers let the timers of a hidden tab run once a minute only.
 */
const PREVIEW_REFRESH_EVERY_MS = 30_000;
/**
 * An answer that has not come by then is asked for again: the server may have replaced the token, and the old one,
 * which is all that is known here, is good for 60 s more. Within them it answers the same.
 */
const RETRY_MS = 12_000;
const LOOK_EVERY_MS = 6_000;
const IDLE_LIMIT_MS = 30 * 60_000;
const LAST_REFRESH = 'lastRefresh';
/** Set while a refresh waits for its answer, in whichever tab: that one may have been closed. */
const UNANSWERED = 'refreshUnanswered';

const refreshEvery = (): number => (inPreview() ? PREVIEW_REFRESH_EVERY_MS : REFRESH_EVERY_MS);
const idleFor = (now: number): number => now - lastActivityAt();

/**
 * Rotates the token (specified 1.9). Several tabs share one session: who finds it refreshed less than a minute ago
 * leaves it. Counts as activity only when somebody touched the console since the last refresh; a preview's heartbeat
 * never does.
 */
export async function refreshOnce(now: number = Date.now()): Promise<void> {
  const last = Number(local.get(LAST_REFRESH) ?? 0) || 0;
  const pause = local.get(UNANSWERED) === null ? refreshEvery() - 5_000 : RETRY_MS;
  if (now - last < pause || storedToken() === undefined) return;
  local.set(LAST_REFRESH, String(now));
  local.set(UNANSWERED, '1');
  const used = storedToken();
  try {
    const { token } = await call(
      refreshToken,
      { query: { rememberme: rememberFlag() } },
      {
        background: inPreview() || lastActivityAt() <= last,
        unrecorded: true,
        quiet: true,
        signal: AbortSignal.timeout(RETRY_MS),
      },
    );
    if (token !== '' && storedToken() === used) storeToken(token);
  } catch (thrown) {
    // What a proxy answers in the server's place tells nothing of the server. An ended session has already led to
    // /login.
    if (!(thrown instanceof ApiError && thrown.kind === 'problem' && thrown.status < 500)) return;
  }
  local.remove(UNANSWERED);
}

/** After 30 idle minutes without "remember me" the session ends here and on the server. Returns whether it did. */
export function endWhenIdle(now: number = Date.now()): boolean {
  if (rememberFlag() === 1 || idleFor(now) < IDLE_LIMIT_MS || storedToken() === undefined) return false;
  leaveForSignIn('expired');
  return true;
}

/**
 * Keeps the session while the operator is there and ends it when not; `elsewhere` hears what another tab did to it.
 * Returns the stop function.
 */
export function keepSession(elsewhere: (change: 'ended' | 'replaced') => void): () => void {
  const stopWatching = watchActivity();
  const stopListening = onSessionElsewhere(elsewhere);
  // A new session has its token for the first minute.
  if (local.get(LAST_REFRESH) === null) local.set(LAST_REFRESH, String(Date.now()));
  const timer = setInterval(() => {
    if (!endWhenIdle() && idleFor(Date.now()) < IDLE_LIMIT_MS) void refreshOnce();
  }, LOOK_EVERY_MS);
  return () => {
    clearInterval(timer);
    stopWatching();
    stopListening();
  };
}
