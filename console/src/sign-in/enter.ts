import {
  applyTimeStringRule,
  clearPriorSession,
  endOnServer,
  inPreview,
  PREVIEW_DOOR,
  storedToken,
  takeNotice,
  takeUnsent,
  type SignInNotice,
} from '../session/index.ts';
import { readLinkToken } from './sign-in-link.ts';

/** What the entry of /login found; empty on the other pages. */
export interface Entry {
  readonly notice: SignInNotice | undefined;
  readonly linkToken: string | undefined;
  /** Commands that were not sent because the session ended. */
  readonly unsent: string | undefined;
}

const nothing: Entry = { notice: undefined, linkToken: undefined, unsent: undefined };

/**
 * Runs once per page load, before anything is drawn. On /login: takes the sign-in link out of the address, ends a prior
 * session here and on the server (specified 1.7); other tabs hear of it by the storage event.
 */
export function enter(location: Location = window.location, history: History = window.history): Entry {
  // A preview tab has nobody to sign in: the session it would end is its own, the one it would make would not be seen
  // elsewhere.
  if (inPreview()) {
    location.replace(PREVIEW_DOOR);
    return nothing;
  }
  const page = location.pathname.replace(/\/+$/, '');
  if (page === '/login-loading' && storedToken() === undefined) history.replaceState(null, '', '/login');
  applyTimeStringRule();
  if (location.pathname.replace(/\/+$/, '') !== '/login') return nothing;
  const entry = { notice: takeNotice(), linkToken: readLinkToken(location.search), unsent: takeUnsent() };
  if (location.search !== '') history.replaceState(null, '', '/login');
  void endOnServer();
  clearPriorSession();
  return entry;
}
