import type { ComponentType } from 'react';
import { familyPageNames } from '../../../contract/family-pages.ts';

/**
 * Every screen of the console by name. To register one:
 *   1. `screens/<area>/<screen>/index.tsx` with a default export; the folder path is the URL and the menu entry's
 *      `component`.
 *   2. One line below: in `screens` by that path, or in `builtInScreens` by its route name (specified 2.4).
 *   3. Texts: `locales/<language>/<area>.json` in six languages and one line in `locales/areas.ts`; the screen asks
 *      with `useTranslation('<area>')`, which loads them. Its menu name is a key of the area `menu`: the component's
 *      path.
 *   4. A menu entry on the server (a page appears when both exist). Detail pages are `non-menu` entries,
 *      `lamp/monitor/:id`.
 *
 * Inside a screen: `useTab()` (title, hand-over slot, close, refresh), `useUnsaved(dirty)`, `useOpen()`,
 * `usePermission(code)` from `frame/index.ts`. A page in a hidden tab keeps its state and its DOM, but its effects are
 * stopped and start again when it is shown: keep what is expensive in `useKept(create, dispose)`.
 */
export interface Screen {
  load: () => Promise<{ default: ComponentType }>;
}

/** Route names that the specification gives to built-in screens. */
export const builtInNames = [
  'user-management',
  'user-add',
  'user-edit',
  'role-management',
  'role-add',
  'role-edit',
  'workgroup-management',
  'workgroup-add',
  'workgroup-edit',
  'organization-management',
  'logging-login',
  'logging-operation',
  'self-edit',
  'async-routes-config',
  'home',
  'login',
] as const;
export type BuiltInName = (typeof builtInNames)[number];

export const builtInScreens: Partial<Record<BuiltInName, Screen>> = {
  'async-routes-config': { load: () => import('./menu-configuration/index.tsx') },
  home: { load: () => import('./home/index.tsx') },
  'logging-login': { load: () => import('./logging-login/index.tsx') },
  'logging-operation': { load: () => import('./logging-operation/index.tsx') },
  'organization-management': { load: () => import('./organization-management/index.tsx') },
  'self-edit': { load: () => import('./profile/index.tsx') },
  'user-add': { load: () => import('./user-form/add.tsx') },
  'user-edit': { load: () => import('./user-form/edit.tsx') },
  'role-management': { load: () => import('./role-management/index.tsx') },
  'role-add': { load: () => import('./role-form/add.tsx') },
  'role-edit': { load: () => import('./role-form/edit.tsx') },
  'user-management': { load: () => import('./user-management/index.tsx') },
  'workgroup-management': { load: () => import('./work-groups/index.tsx') },
  'workgroup-add': { load: () => import('./work-groups/add.tsx') },
  'workgroup-edit': { load: () => import('./work-groups/edit.tsx') },
};

export const screens: Record<string, Screen> = {
  device: { load: () => import('./device/index.tsx') },
  pole: { load: () => import('./pole/index.tsx') },
  'lamp/approvals': { load: () => import('./lamp/approvals/index.tsx') },
  'lamp/command': { load: () => import('./lamp/command/index.tsx') },
  'lamp/commands': { load: () => import('./lamp/commands/index.tsx') },
  'lamp/device': { load: () => import('./lamp/device/index.tsx') },
  'lamp/history': { load: () => import('./lamp/history/index.tsx') },
  'lamp/monitor': { load: () => import('./lamp/monitor/index.tsx') },
  'lamp/polls': { load: () => import('./lamp/polls/index.tsx') },
  // One screen for the devices of every family.
  ...Object.fromEntries(
    familyPageNames.map((name) => [
      name,
      { load: () => import('./family/index.tsx').then(({ familyScreen }) => familyScreen(name)) },
    ]),
  ),
  'asset/work-areas': { load: () => import('./asset/work-areas/index.tsx') },
  'asset/roads': { load: () => import('./asset/roads/index.tsx') },
  'asset/loops': { load: () => import('./asset/loops/index.tsx') },
  'asset/topology': { load: () => import('./asset/topology/index.tsx') },
  'asset/groups': { load: () => import('./asset/groups/index.tsx') },
  'asset/channels': { load: () => import('./asset/channels/index.tsx') },
  'asset/dictionaries': { load: () => import('./asset/dictionaries/index.tsx') },
  'asset/map': { load: () => import('./asset/map/index.tsx') },
  'asset/statistics': { load: () => import('./asset/statistics/index.tsx') },
  'asset/connections': { load: () => import('./asset/connections/index.tsx') },
  'asset/connect': { load: () => import('./asset/connect/index.tsx') },
  'asset/inbox': { load: () => import('./asset/inbox/index.tsx') },
  'asset/imports': { load: () => import('./asset/imports/index.tsx') },
  'asset/dictionary-items': { load: () => import('./asset/dictionary-items/index.tsx') },
  maptest: { load: () => import('./maptest/index.tsx') },
  'system/health': { load: () => import('./system/health/index.tsx') },
  'system/base-maps': { load: () => import('./system/base-maps/index.tsx') },
  'system/command-policy': { load: () => import('./system/command-policy/index.tsx') },
  'system/storage': { load: () => import('./system/storage/index.tsx') },
  'system/login-appearance': { load: () => import('./system/login-appearance/index.tsx') },
  ...(import.meta.env.DEV ? { gallery: { load: () => import('./gallery/index.tsx') } } : {}),
};
