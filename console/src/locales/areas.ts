import type appearance from './zh-CN/appearance.json';
import type attachments from './zh-CN/attachments.json';
import type avatar from './zh-CN/avatar.json';
import type baseMaps from './zh-CN/base-maps.json';
import type commandPolicy from './zh-CN/command-policy.json';
import type commands from './zh-CN/commands.json';
import type connections from './zh-CN/connections.json';
import type curves from './zh-CN/curves.json';
import type declared from './zh-CN/declared.json';
import type deviceMap from './zh-CN/device-map.json';
import type devices from './zh-CN/devices.json';
import type episodes from './zh-CN/episodes.json';
import type health from './zh-CN/health.json';
import type home from './zh-CN/home.json';
import type icons from './zh-CN/icons.json';
import type imports from './zh-CN/imports.json';
import type lamp from './zh-CN/lamp.json';
import type lists from './zh-CN/lists.json';
import type logs from './zh-CN/logs.json';
import type menu from './zh-CN/menu.json';
import type menus from './zh-CN/menus.json';
import type organisations from './zh-CN/organisations.json';
import type parts from './zh-CN/parts.json';
import type permissions from './zh-CN/permissions.json';
import type profile from './zh-CN/profile.json';
import type provisioning from './zh-CN/provisioning.json';
import type roles from './zh-CN/roles.json';
import type searchFields from './zh-CN/search-fields.json';
import type shell from './zh-CN/shell.json';
import type statistics from './zh-CN/statistics.json';
import type storage from './zh-CN/storage.json';
import type tasks from './zh-CN/tasks.json';
import type topology from './zh-CN/topology.json';
import type tree from './zh-CN/tree.json';
import type userForm from './zh-CN/user-form.json';
import type users from './zh-CN/users.json';
import type workGroups from './zh-CN/work-groups.json';

/**
 * The text areas: one JSON file a language, `console/src/locales/<language>/<area>.json`, each loaded when a screen
 * first asks for it with `useTranslation('<area>')`. zh-CN is the source: keys are typed from it. Flat keys with dots,
 * placeholders `{{name}}`, no plural suffixes. A new area: six files and one line here.
 */
export interface Areas {
  appearance: typeof appearance;
  attachments: typeof attachments;
  avatar: typeof avatar;
  'base-maps': typeof baseMaps;
  'command-policy': typeof commandPolicy;
  commands: typeof commands;
  connections: typeof connections;
  curves: typeof curves;
  declared: typeof declared;
  'device-map': typeof deviceMap;
  devices: typeof devices;
  episodes: typeof episodes;
  health: typeof health;
  home: typeof home;
  icons: typeof icons;
  imports: typeof imports;
  lamp: typeof lamp;
  lists: typeof lists;
  logs: typeof logs;
  menu: typeof menu;
  menus: typeof menus;
  organisations: typeof organisations;
  parts: typeof parts;
  permissions: typeof permissions;
  profile: typeof profile;
  provisioning: typeof provisioning;
  roles: typeof roles;
  'search-fields': typeof searchFields;
  shell: typeof shell;
  statistics: typeof statistics;
  storage: typeof storage;
  tasks: typeof tasks;
  topology: typeof topology;
  tree: typeof tree;
  'user-form': typeof userForm;
  users: typeof users;
  'work-groups': typeof workGroups;
}
export type AreaName = keyof Areas;

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'shell';
    resources: Areas;
    keySeparator: false;
    nsSeparator: false;
    returnNull: false;
  }
}
