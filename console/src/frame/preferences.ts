import { createStore } from 'zustand/vanilla';
import { useStore } from 'zustand';
import { getPreferences, patchPreferences } from '../../../contract/people/me.ts';
import { call } from '../api/index.ts';
import { inPreview } from '../session/index.ts';

interface PreferencesState {
  /** undefined until the server answered. */
  values: Record<string, unknown> | undefined;
  /** The last change did not reach the server. */
  unsaved: boolean;
  /** They are on their way for the first time: who would draw itself anew with them may wait. */
  arriving: boolean;
}

const SAVE_AFTER_MS = 600;

/** What the server keeps for this account: one JSON document of named values (`appearance`, columns per table …). */
export const preferences = createStore<PreferencesState>(() => ({
  values: undefined,
  unsaved: false,
  arriving: false,
}));
let timer: ReturnType<typeof setTimeout> | undefined;
/** Changes the server has not got yet; null removes. */
let pending: Record<string, unknown> = {};

/**
 * Sends the changes alone: another window of the account keeps its own. What did not arrive goes with the next change.
 */
async function save(): Promise<void> {
  // Through another account's eyes nothing is changed for it: what is tried out here lasts as long as the tab.
  if (inPreview() || Object.keys(pending).length === 0) return;
  const sent = pending;
  pending = {};
  try {
    await call(patchPreferences, { body: sent }, { quiet: true });
    preferences.setState({ unsaved: false });
  } catch {
    pending = { ...sent, ...pending };
    preferences.setState({ unsaved: true });
  }
}

const saveSoon = (): void => {
  clearTimeout(timer);
  timer = setTimeout(() => void save(), SAVE_AFTER_MS);
};

const merged = (
  values: Readonly<Record<string, unknown>>,
  changes: Readonly<Record<string, unknown>>,
): Record<string, unknown> =>
  Object.fromEntries(Object.entries({ ...values, ...changes }).filter(([, value]) => value !== null));

/** Fetches the document; without it changes stay in this browser. Resolves with it, or undefined. */
export async function loadPreferences(): Promise<Record<string, unknown> | undefined> {
  preferences.setState({ arriving: preferences.getState().values === undefined });
  try {
    const values = merged(await call(getPreferences, {}, { quiet: true }), pending);
    preferences.setState({ values, arriving: false });
    return values;
  } catch {
    preferences.setState({ arriving: false });
    return undefined;
  }
}

/**
 * Keeps a named value for the account, at most 32 KB in all, null forgets it; written together with others shortly
 * after.
 */
export function setPreference(name: string, value: unknown): void {
  const { values } = preferences.getState();
  pending = { ...pending, [name]: value };
  preferences.setState({ values: merged(values ?? {}, { [name]: value }) });
  saveSoon();
}

/** A named value of the account with the function that changes it: `usePreference('columns:lamp/monitor', null)`. */
export function usePreference<T>(
  name: string,
  initial: T,
  read: (stored: unknown) => T = (stored) => stored as T,
): [T, (value: T) => void] {
  const stored = useStore(preferences, (state) => state.values?.[name]);
  return [stored === undefined ? initial : read(stored), (value) => setPreference(name, value)];
}

/**
 * Whether the account's values are still on their way: a list waits for them rather than to change its columns under
 * the eyes.
 */
export const usePreferencesArriving = (): boolean => useStore(preferences, (state) => state.arriving);
