/** What screens use of the shell. */
export { usePageAddress, usePageExists, usePermission } from './menu/menu-context.ts';
export { useDeviceAddress } from './menu/device-pages.ts';
export { useGone, useKept, useOpen, useTab, useTabTitle, useUnsaved, useUnsavedMark } from './tabs/tab-context.ts';
export { usePreference, usePreferencesArriving } from './settings/preferences.ts';
export { useWaitingTasks } from './approvals/waiting.ts';
