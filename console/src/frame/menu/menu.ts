import type { Static } from 'typebox';
import type { MenuEntry as MenuEntrySchema } from '../../../../contract/specified/account.ts';

export type MenuEntry = Static<typeof MenuEntrySchema>;

/** A page that can be opened: a route of the main layout. */
export interface PageRoute {
  /** Route name; `user-edit`, `home` … or what the menu configuration says. */
  name: string;
  /** Absolute path, perhaps with parameters: `/lamp/monitor/:id`. */
  path: string;
  /** Key into the screen registry. */
  screen: string;
  title: string;
  /** Key of the area `menu`; the title where it has none. */
  language: string | null;
  icon: string | null;
  /** Menu entries above it, from the top: the breadcrumb. */
  parents: readonly MenuLabel[];
  permissionCode: string | null;
}

export interface MenuLabel {
  id: number;
  title: string;
  language: string | null;
}

export interface MenuNode extends MenuLabel {
  name: string;
  icon: string | null;
  /** undefined: a group (menu2-sp, or a first level that only holds pages). */
  page?: PageRoute;
  children: MenuNode[];
}

export interface MenuModel {
  /** First level in order; Home is the first. */
  top: MenuNode[];
  pages: PageRoute[];
  /** Every permission code of the account's entries, buttons and pages (specified 2.6). */
  codes: ReadonlySet<string>;
  /** Which screens this console has. */
  known?: ScreenNames;
}

/** Which screens exist: route names of built-in ones, component names of the others. */
export interface ScreenNames {
  builtIn: ReadonlySet<string>;
  components: ReadonlySet<string>;
}

/** Pages that need no menu entry (specified 2.5); negative ids cannot meet the server's. */
const staticEntries: readonly MenuEntry[] = [
  {
    id: -1,
    parentId: 0,
    type: 'menu1',
    name: 'home',
    title: '首页',
    language: 'home',
    icon: 'home',
    url: '/home',
    component: 'home',
    permissionCode: null,
    orderby: -2,
  },
  {
    id: -2,
    parentId: 0,
    type: 'non-menu',
    name: 'self-edit',
    title: '个人中心',
    language: 'self-edit',
    icon: 'user',
    url: '/self-edit',
    component: 'self-edit',
    permissionCode: null,
    orderby: -1,
  },
];

const isShown = (entry: MenuEntry): boolean => entry.type.startsWith('menu');
const isPresent = (text: string | null): text is string => text !== null && text.trim() !== '';

/** `views/lamp/monitor/index.vue`, `/lamp/monitor` and `lamp/monitor` name the same screen. */
export const componentKey = (component: string): string =>
  component
    .trim()
    .replace(/^@?\/?(?:views\/|screens\/)?/, '')
    .replace(/\.(?:vue|tsx)$/, '')
    .replace(/\/index$/, '')
    .replace(/^\/+|\/+$/g, '');

/** Paths are absolute below the main layout; only a first-level entry must say so itself. */
const absolute = (url: string): string => `/${url.trim().replace(/^\/+/, '')}`;

/** The registry key of an entry's screen, or undefined when no page of ours works behind it. */
function screenOf(entry: MenuEntry, known: ScreenNames): string | undefined {
  if (known.builtIn.has(entry.name)) return entry.name;
  if (!isPresent(entry.url) || !isPresent(entry.component)) return undefined;
  const key = componentKey(entry.component);
  return known.components.has(key) ? key : undefined;
}

const pathOf = (entry: MenuEntry): string => (isPresent(entry.url) ? absolute(entry.url) : `/${entry.name}`);

/**
 * Entries that may be routes or groups: buttons are neither, and without both component and path only a group stays.
 */
const isRouteOrGroup = (entry: MenuEntry): boolean =>
  entry.type !== 'button' && (entry.type === 'menu2-sp' || isPresent(entry.url) || isPresent(entry.component));

const inOrder = (a: MenuEntry, b: MenuEntry): number => Number(a.orderby) - Number(b.orderby) || a.id - b.id;

function childrenOf(entries: readonly MenuEntry[]): Map<number, MenuEntry[]> {
  const ids = new Set(entries.map((entry) => entry.id));
  const children = new Map<number, MenuEntry[]>();
  for (const entry of entries) {
    const parent = ids.has(entry.parentId) && entry.parentId !== entry.id ? entry.parentId : 0;
    children.set(parent, [...(children.get(parent) ?? []), entry]);
  }
  for (const siblings of children.values()) siblings.sort(inOrder);
  return children;
}

/**
 * Makes routes and menu of the server's flat list (specified 2.3). An entry appears only when a page works
 * behind it, a group only when something in it appears.
 */
export function buildMenu(serverEntries: readonly MenuEntry[], known: ScreenNames): MenuModel {
  const fixed = new Set(staticEntries.map((entry) => entry.name));
  const entries = [...staticEntries, ...serverEntries.filter((entry) => !fixed.has(entry.name))].filter(isRouteOrGroup);
  const children = childrenOf(entries);
  const pages = new Map<string, PageRoute>();
  const seen = new Set<number>();

  function pageOf(entry: MenuEntry, parents: readonly MenuLabel[]): PageRoute | undefined {
    const screen = screenOf(entry, known);
    if (screen === undefined) return undefined;
    const { name, title, language, icon, permissionCode } = entry;
    const page: PageRoute = { name, path: pathOf(entry), screen, title, language, icon, parents, permissionCode };
    if (!pages.has(page.path)) pages.set(page.path, page);
    return page;
  }

  function nodeOf(entry: MenuEntry, parents: readonly MenuLabel[]): MenuNode[] {
    if (seen.has(entry.id)) return [];
    seen.add(entry.id);
    const label: MenuLabel = { id: entry.id, title: entry.title, language: entry.language };
    const page = pageOf(entry, parents);
    const below = (children.get(entry.id) ?? []).flatMap((child) => nodeOf(child, [...parents, label]));
    if (!isShown(entry)) return below;
    if (page === undefined && below.length === 0) return [];
    return [{ ...label, name: entry.name, icon: entry.icon, ...(page ? { page } : {}), children: below }];
  }

  const top = (children.get(0) ?? []).flatMap((entry) => nodeOf(entry, []));
  const codes = new Set(serverEntries.map((entry) => entry.permissionCode).filter(isPresent));
  return { top, pages: [...pages.values()], codes, known };
}

/** The first page at or below a node: where a click on a first-level entry leads. */
export function firstPage(node: MenuNode): PageRoute | undefined {
  if (node.page) return node.page;
  for (const child of node.children) {
    const page = firstPage(child);
    if (page) return page;
  }
  return undefined;
}
