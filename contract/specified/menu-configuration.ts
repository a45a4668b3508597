import { Type } from 'typebox';
import { Id, IdOrNone, IdParams, Nullable, Order, Version, byBody, specified } from '../route.ts';

/** The menu configuration (specified 5.1 to 5.9). For administrators. */

export const menuLimits = { title: 100, name: 100, url: 200, component: 200, icon: 100, language: 100 } as const;

export const menuTypes = ['menu1', 'menu2', 'menu2-sp', 'non-menu', 'button'] as const;
const MenuType = Type.Union([
  Type.Literal('menu1'),
  Type.Literal('menu2'),
  Type.Literal('menu2-sp'),
  Type.Literal('non-menu'),
  Type.Literal('button'),
]);
/**
 * What may stand directly below what: a button only below a page, a third level only below menu2-sp (specified 5.2).
 */
export const menuTypesBelow: Readonly<
  Record<(typeof menuTypes)[number] | 'root', readonly (typeof menuTypes)[number][]>
> = {
  root: ['menu1', 'non-menu'],
  menu1: ['menu2', 'menu2-sp', 'non-menu', 'button'],
  'menu2-sp': ['menu2', 'non-menu'],
  menu2: ['non-menu', 'button'],
  'non-menu': ['button'],
  button: [],
};
/** Types with an address and a screen of their own (specified 5.3). */
export const menuPageTypes: ReadonlySet<string> = new Set([
  'menu1',
  'menu2',
  'non-menu',
] satisfies (typeof menuTypes)[number][]);
/** Chinese characters and full-width signs: names, paths and components refuse them (specified 5.4). */
export const chineseSigns = /[\p{Script=Han}\u3000-\u303F\uFF00-\uFFEF]/u;
/** The server checks lengths together with every other rule, after trimming (menuLimits). */
const Text = Type.String({ maxLength: 5000 });
/** Titles in the other languages, by language tag (en-US …); `title` is the Chinese one. */
const Titles = Type.Record(Type.String({ pattern: '^[a-z]{2}-[A-Z]{2}$' }), Type.String({ maxLength: 5000 }));

export const MenuNode = Type.Object({
  id: Type.Integer(),
  parentId: Type.Integer(),
  type: MenuType,
  title: Type.String(),
  name: Type.String(),
  icon: Nullable(Type.String()),
  url: Nullable(Type.String()),
  component: Nullable(Type.String()),
  permissionCode: Nullable(Type.String()),
  orderby: Type.Integer(),
  language: Nullable(Type.String()),
  titles: Titles,
  version: Type.Integer(),
  hasChildren: Type.Boolean(),
});

export const getMenuNodes = specified({
  method: 'GET',
  path: '/api/system/menu/getMenu',
  refuses: ['notFound'],
  tag: 'menu configuration',
  access: 'cscp.sr',
  summary: 'The direct children of a node in order; 0 is the root.',
  query: Type.Object({ parentId: Type.Optional(Nullable(IdOrNone)) }),
  reply: Type.Object({ data: Type.Array(MenuNode), recordsTotal: Type.Integer() }),
});

const Saved = Type.Object({ success: Type.Literal(true), msg: Type.String() });

export const saveMenuNode = specified({
  method: 'PUT',
  path: '/api/system/menu/addMenu',
  refuses: ['notFound'],
  tag: 'menu configuration',
  access: 'cscp.sr',
  action: byBody('menu.save', (body) => (body['id'] == null ? 'menu.create' : 'menu.update')),
  summary: 'Adds (id null) or changes a node; a new one is granted to the first role. An outdated `version` is 409.',
  body: Type.Object({
    id: Type.Optional(Nullable(Id)),
    parentId: Type.Optional(Nullable(IdOrNone)),
    type: Type.Optional(Nullable(Text)),
    title: Type.Optional(Nullable(Text)),
    name: Type.Optional(Nullable(Text)),
    icon: Type.Optional(Nullable(Text)),
    url: Type.Optional(Nullable(Text)),
    component: Type.Optional(Nullable(Text)),
    permissionCode: Type.Optional(Nullable(Text)),
    orderby: Type.Optional(Nullable(Order)),
    language: Type.Optional(Nullable(Text)),
    titles: Type.Optional(Nullable(Titles)),
    version: Type.Optional(Nullable(Version)),
  }),
  reply: Type.Object({ ...Saved.properties, id: Type.Integer() }),
});

/** All or nothing: a cycle, a missing parent or a broken drag rule is 400 and nothing changes. */
export const moveMenuNodes = specified({
  method: 'PUT',
  path: '/api/system/menu/updateMenu',
  refuses: ['notFound'],
  limits: { bytes: 1024 * 1024, entries: 20_000 },
  tag: 'menu configuration',
  access: 'cscp.sr',
  action: 'menu.move',
  summary: 'Stores the result of a drag: order and parent of the nodes sent.',
  body: Type.Array(
    Type.Object({ id: Id, parentId: Type.Optional(Nullable(IdOrNone)), orderby: Type.Optional(Nullable(Order)) }),
    { minItems: 1, maxItems: 1000 },
  ),
  reply: Saved,
});

export const deleteMenuNode = specified({
  method: 'DELETE',
  path: '/api/system/menu/deleteMenu/:id',
  tag: 'menu configuration',
  access: 'cscp.sr',
  action: 'menu.delete',
  summary: 'Deletes a node with all its descendants.',
  params: IdParams,
  reply: Saved,
});
