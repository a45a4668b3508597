/** What screens use of the shell. */
export { usePermission } from './menu/menu-context.ts';
export { useKept, useOpen, useTab, useTabTitle, useUnsaved } from './tabs/tab-context.ts';
export { usePreference, usePreferencesArriving } from './settings/preferences.ts';
