import { createStore } from 'zustand/vanilla';
import { useStore } from 'zustand';
import { shownZone } from '../../parts/time/zone.ts';
import { local, storedTheme, storeTheme, type ThemeChoice } from '../../session/index.ts';
import {
  accentNames,
  fontSizes,
  rowHeights,
  type AccentName,
  type DensityName,
  type FontSizeName,
} from '../../theme/tokens.ts';
import { setPreference } from '../../frame/preferences.ts';

/** The settings of the drawer but for the language, which is the stored locale and reloads the page. */
export interface Settings {
  theme: ThemeChoice;
  accent: AccentName;
  density: DensityName;
  fontSize: FontSizeName;
  /** mixed: first level on top, the rest at the side; side: everything at the side. */
  menuMode: 'mixed' | 'side';
  tabs: boolean;
  /** `site` (the work area's), `browser`, or an IANA name. */
  timeZone: string;
}

export const defaultSettings: Settings = {
  theme: 'system',
  accent: 'blue',
  density: 'standard',
  fontSize: 'standard',
  menuMode: 'mixed',
  tabs: true,
  timeZone: 'site',
};

const STORED = 'appearance';
export const browserZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

function isZone(zone: unknown): zone is string {
  if (zone === 'site' || zone === 'browser') return true;
  try {
    return typeof zone === 'string' && Intl.DateTimeFormat('en', { timeZone: zone }) instanceof Intl.DateTimeFormat;
  } catch {
    return false;
  }
}

/** Reads settings of any origin; what is unknown or damaged falls back. */
export function readSettings(stored: unknown, fallback: Settings = defaultSettings): Settings {
  const from: Record<string, unknown> = typeof stored === 'object' && stored !== null ? { ...stored } : {};
  const oneOf = <T extends string>(value: unknown, allowed: readonly T[], otherwise: T): T =>
    allowed.find((one) => one === value) ?? otherwise;
  return {
    theme: oneOf(from.theme, ['light', 'dark', 'system'], fallback.theme),
    accent: oneOf(from.accent, accentNames, fallback.accent),
    density: oneOf(from.density, Object.keys(rowHeights) as DensityName[], fallback.density),
    fontSize: oneOf(from.fontSize, Object.keys(fontSizes) as FontSizeName[], fallback.fontSize),
    menuMode: oneOf(from.menuMode, ['mixed', 'side'], fallback.menuMode),
    tabs: typeof from.tabs === 'boolean' ? from.tabs : fallback.tabs,
    timeZone: isZone(from.timeZone) ? from.timeZone : fallback.timeZone,
  };
}

function stored(): Settings {
  let look: unknown;
  try {
    look = JSON.parse(local.get(STORED) ?? '{}');
  } catch {
    look = {};
  }
  return { ...readSettings(look), theme: storedTheme() };
}

export const settings = createStore<Settings>(stored);
export const useSettings = (): Settings => useStore(settings);

let siteZone: string | undefined;

/** The zone of the work area in force; until it is known the browser's stands in for it. */
const zoneOf = ({ timeZone }: Settings): string => {
  if (timeZone === 'site') return siteZone ?? browserZone();
  return timeZone === 'browser' ? browserZone() : timeZone;
};

const showZone = (now: Settings): void => shownZone.setState({ zone: zoneOf(now) });

/** The work area in force, or its zone, has changed. */
export function setSiteZone(zone: string | undefined): void {
  siteZone = isZone(zone) ? zone : undefined;
  showZone(settings.getState());
}

function apply(next: Settings): void {
  settings.setState(next, true);
  storeTheme(next.theme);
  local.set(STORED, JSON.stringify(next));
  showZone(next);
}

/** What the server kept for the account wins over what this browser had. */
export function adoptSettings(fromServer: unknown): void {
  if (fromServer !== undefined) apply(readSettings(fromServer, settings.getState()));
}

/** Changes settings: at once here, soon on the server. */
export function changeSettings(changes: Partial<Settings>): void {
  const next = { ...settings.getState(), ...changes };
  apply(next);
  setPreference(STORED, next);
}

apply(settings.getState());
