/** What screens use of the shell. */
export { useMenu, useMenuTitle, usePermission } from './menu/menu-context.ts';
export { useCloseTabs, useKept, useOpen, useTab, useTabTitle, useUnsaved, type CurrentTab, type OpenOptions } from './tabs/tab-context.ts';
export { usePreference } from './settings/preferences.ts';
export { useSettings } from './settings/settings.ts';
