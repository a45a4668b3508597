import { storedToken, storeSession } from './state.ts';
import { local, OWN, PREVIEW, session } from './storage.ts';

/**
 * "Preview as this account": a tab of its own whose session belongs to another account and only reads. Its token stands
 * in this tab's session storage, goes before the stored one, is told to nobody and ends with the tab.
 */

/** What a preview tab is opened with; the door takes the token, and shows the end afterwards. */
export const PREVIEW_DOOR = '/preview';

/** What the server answers to the beginning of a preview. */
export interface BegunPreview {
  token: string;
  username: string;
  displayName: string;
}

/** Whether this tab is a preview, also one that is over. */
export const inPreview = (): boolean => session.get(PREVIEW) !== null;

/** Through whose eyes this tab looks; undefined in an ordinary tab and after the end. */
export function previewed(): { username: string; displayName: string } | undefined {
  const stored = session.get(PREVIEW);
  if (stored === null || storedToken() === undefined) return undefined;
  try {
    const { username, displayName } = JSON.parse(stored) as Record<string, unknown>;
    return { username: String(username), displayName: String(displayName) };
  } catch {
    return { username: '', displayName: '' };
  }
}

/**
 * The look the administrator sees everything in comes along; whatever else the opening tab left in the copied session
 * storage goes.
 */
const carried = ['locale', 'theme', 'appearance'] as const;

/** Makes this tab a preview with the token handed over. */
export function startPreview({ token, username, displayName }: BegunPreview): void {
  const look = carried.map((key) => [key, local.get(key)] as const);
  for (const key of session.keys()) session.remove(key);
  session.set(PREVIEW, JSON.stringify({ username, displayName }));
  for (const [key, value] of look) if (value !== null) local.set(key, value);
  storeSession({ token, username, rememberMe: false });
}

/** Makes this tab an ordinary one again, with whatever session the browser has. */
export function leavePreview(): void {
  for (const key of session.keys()) if (key === PREVIEW || key.startsWith(OWN)) session.remove(key);
}
