import type { ComponentType } from 'react';
import { familyPageNames } from '../../../contract/family-pages.ts';

/**
 * Every screen of the console by name: its URL, the `component` of its menu entry. To register one:
 *   1. `screens/<wing>/<screen>/index.tsx` with a default export. The wings are the server's (docs/architecture.md).
 *   2. One line below: in `screens` by its name, or in `builtInScreens` by its route name (specified 2.4).
 *   3. Texts: `texts/<language>.json` beside it in six languages; the screen asks with `useTranslation('<its folder>')`,
 *      which loads them. `menu` is its word in the menu. Then `npm run generate`.
 *   4. A menu entry on the server (a page appears when both exist). Detail pages are `non-menu` entries,
 *      `lamp/monitor/:id`.
 *
 * Inside a screen: `useTab()` (title, hand-over slot, close, refresh), `useUnsaved(dirty)`, `useOpen()`,
 * `usePermission(code)` from `frame/index.ts`. A page in a hidden tab keeps its state and its DOM, but its effects are
 * stopped and start again when it is shown: keep what is expensive in `useKept(create, dispose)`.
 */
export interface Screen {
  load: () => Promise<{ default: ComponentType }>;
  /** What holds the page's place until its code is there; absent: cards. */
  frame?: Frame;
}

/** `list`: filters and the rows of one list. `map`: one picture as large as the page. `cards`: cards below the title. */
export type Frame = 'list' | 'map' | 'cards';

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
  'async-routes-config': { load: () => import('./people/menus/index.tsx') },
  home: { load: () => import('./light/home/index.tsx') },
  'logging-login': { frame: 'list', load: () => import('./people/logs/login.tsx') },
  'logging-operation': { frame: 'list', load: () => import('./people/logs/operation.tsx') },
  'organization-management': { load: () => import('./people/organisations/index.tsx') },
  'self-edit': { load: () => import('./people/profile/index.tsx') },
  'user-add': { load: () => import('./people/user-form/add.tsx') },
  'user-edit': { load: () => import('./people/user-form/edit.tsx') },
  'role-management': { load: () => import('./people/roles/index.tsx') },
  'role-add': { load: () => import('./people/roles/form/add.tsx') },
  'role-edit': { load: () => import('./people/roles/form/edit.tsx') },
  'user-management': { frame: 'list', load: () => import('./people/users/index.tsx') },
  'workgroup-management': { frame: 'list', load: () => import('./people/work-groups/index.tsx') },
  'workgroup-add': { load: () => import('./people/work-groups/add.tsx') },
  'workgroup-edit': { load: () => import('./people/work-groups/edit.tsx') },
};

export const screens: Record<string, Screen> = {
  device: { load: () => import('./register/device/index.tsx') },
  pole: { load: () => import('./register/pole/index.tsx') },
  'lamp/approvals': { load: () => import('./light/approvals/index.tsx') },
  'lamp/command': { load: () => import('./light/command/index.tsx') },
  'lamp/commands': { frame: 'list', load: () => import('./light/commands/index.tsx') },
  'lamp/device': { load: () => import('./light/lamp/index.tsx') },
  'lamp/exceptions': { frame: 'list', load: () => import('./light/exceptions/index.tsx') },
  'lamp/history': { load: () => import('./history/curves/index.tsx') },
  'lamp/monitor': { frame: 'map', load: () => import('./light/monitor/index.tsx') },
  'lamp/night': { load: () => import('./light/night/index.tsx') },
  'lamp/nights': { frame: 'list', load: () => import('./light/nights/index.tsx') },
  'lamp/publication': { load: () => import('./light/publication/index.tsx') },
  'lamp/publications': { frame: 'list', load: () => import('./light/publications/index.tsx') },
  'lamp/publish': { load: () => import('./light/publish/index.tsx') },
  'lamp/schedule': { load: () => import('./light/schedule/index.tsx') },
  'lamp/scheme': { load: () => import('./light/scheme/index.tsx') },
  'lamp/schemes': { frame: 'list', load: () => import('./light/schemes/index.tsx') },
  'lamp/template': { load: () => import('./light/template/index.tsx') },
  'lamp/templates': { frame: 'list', load: () => import('./light/templates/index.tsx') },
  'lamp/polls': { frame: 'list', load: () => import('./light/polls/index.tsx') },
  'lamp/rows': { frame: 'list', load: () => import('./light/rows/index.tsx') },
  // One screen for the devices of every family.
  ...Object.fromEntries(
    familyPageNames.map((name) => [
      name,
      {
        frame: 'list',
        load: () => import('./register/family/index.tsx').then(({ familyScreen }) => familyScreen(name)),
      },
    ]),
  ),
  'asset/work-areas': { frame: 'list', load: () => import('./register/work-areas/index.tsx') },
  'asset/roads': { frame: 'list', load: () => import('./register/roads/index.tsx') },
  'asset/loops': { frame: 'list', load: () => import('./register/loops/index.tsx') },
  'asset/topology': { load: () => import('./register/topology/index.tsx') },
  'asset/groups': { frame: 'list', load: () => import('./register/groups/index.tsx') },
  'asset/channels': { frame: 'list', load: () => import('./register/channels/index.tsx') },
  'asset/dictionaries': { frame: 'list', load: () => import('./register/dictionaries/index.tsx') },
  'asset/map': { frame: 'map', load: () => import('./register/device-map/index.tsx') },
  'asset/statistics': { load: () => import('./register/statistics/index.tsx') },
  'asset/connections': { frame: 'list', load: () => import('./wires/connections/index.tsx') },
  'asset/connect': { load: () => import('./wires/connect/index.tsx') },
  'asset/inbox': { frame: 'list', load: () => import('./wires/inbox/index.tsx') },
  'asset/imports': { frame: 'list', load: () => import('./register/imports/index.tsx') },
  'asset/dictionary-items': { frame: 'list', load: () => import('./register/dictionary-items/index.tsx') },
  maptest: { frame: 'map', load: () => import('./shell/map-test/index.tsx') },
  'system/health': { load: () => import('./shell/health/index.tsx') },
  'system/base-maps': { load: () => import('./shell/base-maps/index.tsx') },
  'system/command-policy': { load: () => import('./light/command-policy/index.tsx') },
  'system/storage': { load: () => import('./history/storage/index.tsx') },
  'system/login-appearance': { load: () => import('./people/appearance/index.tsx') },
  ...(import.meta.env.DEV ? { gallery: { load: () => import('./shell/gallery/index.tsx') } } : {}),
};
