import { createStore } from 'zustand/vanilla';
import { useStore } from 'zustand';
import { getPreferences, putPreferences } from '../../../../contract/routes/me.ts';
import { call } from '../../api/index.ts';
import { inPreview } from '../../session/index.ts';

interface PreferencesState {
  /** undefined until the server answered. */
  values: Record<string, unknown> | undefined;
  /** The last change did not reach the server. */
  unsaved: boolean;
}

const SAVE_AFTER_MS = 600;

/** What the server keeps for this account: one JSON document of named values (`appearance`, columns per table …). */
export const preferences = createStore<PreferencesState>(() => ({ values: undefined, unsaved: false }));
let timer: ReturnType<typeof setTimeout> | undefined;
/** Changes made before the document arrived. */
let early: Record<string, unknown> = {};

async function save(): Promise<void> {
  const { values } = preferences.getState();
  // Through another account's eyes nothing is changed for it: what is tried out here lasts as long as the tab.
  if (values === undefined || inPreview()) return;
  try {
    await call(putPreferences, { body: values }, { quiet: true });
    preferences.setState({ unsaved: false });
  } catch {
    preferences.setState({ unsaved: true });
  }
}

const saveSoon = (): void => {
  clearTimeout(timer);
  timer = setTimeout(() => void save(), SAVE_AFTER_MS);
};

/** Fetches the document; without it changes stay in this browser. Resolves with it, or undefined. */
export async function loadPreferences(): Promise<Record<string, unknown> | undefined> {
  try {
    const values = { ...(await call(getPreferences, {}, { quiet: true })), ...early };
    preferences.setState({ values });
    if (Object.keys(early).length > 0) saveSoon();
    early = {};
    return values;
  } catch {
    if (Object.keys(early).length > 0) preferences.setState({ unsaved: true });
    return undefined;
  }
}

/** Keeps a named value for the account, at most 32 KB in all; written together with others shortly after. */
export function setPreference(name: string, value: unknown): void {
  const { values } = preferences.getState();
  if (values === undefined) {
    early = { ...early, [name]: value };
    clearTimeout(timer);
    timer = setTimeout(() => void loadPreferences(), SAVE_AFTER_MS);
  } else {
    preferences.setState({ values: { ...values, [name]: value } });
    saveSoon();
  }
}

/** A named value of the account with the function that changes it: `usePreference('columns:lamp/monitor', null)`. */
export function usePreference<T>(name: string, initial: T, read: (stored: unknown) => T = (stored) => stored as T): [T, (value: T) => void] {
  const stored = useStore(preferences, (state) => state.values?.[name]);
  return [stored === undefined ? initial : read(stored), (value) => setPreference(name, value)];
}
