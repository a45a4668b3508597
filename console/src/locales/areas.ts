// Written by `npm run generate` from the folders that have texts. Do not edit.
import type appearance from '../screens/people/appearance/texts/zh-CN.json';
import type attachments from '../parts/attachments/texts/zh-CN.json';
import type avatar from '../parts/avatar/texts/zh-CN.json';
import type baseMaps from '../parts/map/base-maps/texts/zh-CN.json';
import type chooseLamps from '../parts/choose-lamps/texts/zh-CN.json';
import type commandPolicy from '../screens/light/command-policy/texts/zh-CN.json';
import type commands from '../parts/commands/texts/zh-CN.json';
import type connections from '../parts/connections/texts/zh-CN.json';
import type curves from '../parts/curves/texts/zh-CN.json';
import type declared from '../parts/declared/texts/zh-CN.json';
import type deviceMap from '../screens/register/device-map/texts/zh-CN.json';
import type devices from '../parts/devices/texts/zh-CN.json';
import type dryRun from '../parts/dry-run/texts/zh-CN.json';
import type episodes from '../parts/episodes/texts/zh-CN.json';
import type exceptions from '../parts/exceptions/texts/zh-CN.json';
import type health from '../screens/shell/health/texts/zh-CN.json';
import type home from '../screens/light/home/texts/zh-CN.json';
import type icons from '../parts/icons/texts/zh-CN.json';
import type imports from '../screens/register/imports/texts/zh-CN.json';
import type lamp from '../parts/lamp/texts/zh-CN.json';
import type lists from '../parts/lists/texts/zh-CN.json';
import type logs from '../screens/people/logs/texts/zh-CN.json';
import type menu from '../frame/menu/texts/zh-CN.json';
import type menus from '../screens/people/menus/texts/zh-CN.json';
import type nights from '../parts/nights/texts/zh-CN.json';
import type organisations from '../screens/people/organisations/texts/zh-CN.json';
import type parts from '../parts/texts/zh-CN.json';
import type permissions from '../parts/permissions/texts/zh-CN.json';
import type plan from '../parts/plan/texts/zh-CN.json';
import type profile from '../screens/people/profile/texts/zh-CN.json';
import type provisioning from '../parts/provisioning/texts/zh-CN.json';
import type publish from '../screens/light/publish/texts/zh-CN.json';
import type publishing from '../parts/publishing/texts/zh-CN.json';
import type roles from '../screens/people/roles/texts/zh-CN.json';
import type rowStrip from '../parts/row-strip/texts/zh-CN.json';
import type rows from '../screens/light/rows/texts/zh-CN.json';
import type schedule from '../screens/light/schedule/texts/zh-CN.json';
import type scheme from '../screens/light/scheme/texts/zh-CN.json';
import type schemes from '../screens/light/schemes/texts/zh-CN.json';
import type search from '../app/search/texts/zh-CN.json';
import type searchFields from '../parts/search-fields/texts/zh-CN.json';
import type shell from '../app/shell/texts/zh-CN.json';
import type statistics from '../screens/register/statistics/texts/zh-CN.json';
import type storage from '../screens/history/storage/texts/zh-CN.json';
import type tasks from '../parts/tasks/texts/zh-CN.json';
import type template from '../screens/light/template/texts/zh-CN.json';
import type templates from '../screens/light/templates/texts/zh-CN.json';
import type topology from '../parts/topology/texts/zh-CN.json';
import type tour from '../parts/tour/texts/zh-CN.json';
import type tree from '../parts/tree/texts/zh-CN.json';
import type userForm from '../parts/people/user-form/texts/zh-CN.json';
import type users from '../parts/people/users/texts/zh-CN.json';
import type versioned from '../parts/versioned/texts/zh-CN.json';
import type workGroups from '../screens/people/work-groups/texts/zh-CN.json';

/**
 * The areas of texts by the folder that has them, `<folder>/texts/<language>.json`, each loaded when a screen first
 * asks for it with `useTranslation('<folder>')`. zh-CN is the source: keys are typed from it. Flat keys with dots,
 * placeholders `{{name}}`, no plural suffixes.
 */
export interface Areas {
  appearance: typeof appearance;
  attachments: typeof attachments;
  avatar: typeof avatar;
  'base-maps': typeof baseMaps;
  'choose-lamps': typeof chooseLamps;
  'command-policy': typeof commandPolicy;
  commands: typeof commands;
  connections: typeof connections;
  curves: typeof curves;
  declared: typeof declared;
  'device-map': typeof deviceMap;
  devices: typeof devices;
  'dry-run': typeof dryRun;
  episodes: typeof episodes;
  exceptions: typeof exceptions;
  health: typeof health;
  home: typeof home;
  icons: typeof icons;
  imports: typeof imports;
  lamp: typeof lamp;
  lists: typeof lists;
  logs: typeof logs;
  menu: typeof menu;
  menus: typeof menus;
  nights: typeof nights;
  organisations: typeof organisations;
  parts: typeof parts;
  permissions: typeof permissions;
  plan: typeof plan;
  profile: typeof profile;
  provisioning: typeof provisioning;
  publish: typeof publish;
  publishing: typeof publishing;
  roles: typeof roles;
  'row-strip': typeof rowStrip;
  rows: typeof rows;
  schedule: typeof schedule;
  scheme: typeof scheme;
  schemes: typeof schemes;
  search: typeof search;
  'search-fields': typeof searchFields;
  shell: typeof shell;
  statistics: typeof statistics;
  storage: typeof storage;
  tasks: typeof tasks;
  template: typeof template;
  templates: typeof templates;
  topology: typeof topology;
  tour: typeof tour;
  tree: typeof tree;
  'user-form': typeof userForm;
  users: typeof users;
  versioned: typeof versioned;
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
