/** What parts and screens use of the frame they stand in: tabs, menu, permissions, preferences. */
export { usePageAddress, usePageExists, usePermission } from './menu/menu-context.ts';
export { useDeviceAddress } from './menu/device-pages.ts';
export {
  useGone,
  useIsShown,
  useKept,
  useOpen,
  useTab,
  useTabTitle,
  useUnsaved,
  useUnsavedMark,
} from './tabs/tab-context.ts';
export { usePageKeys } from './single-keys.ts';
export { usePreference, usePreferencesArriving } from './preferences.ts';
