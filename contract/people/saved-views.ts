import { Type } from 'typebox';
import { Id, IdParams, Nullable, listOf, route } from '../route.ts';

/** Saved views of lists: filters and order under a name, for the account alone or for colleagues of its work areas who may open the list. */

/** Limits: characters of a name, bytes of all conditions as JSON, own views of a list, and views of others in one answer. */
export const savedViewLimits = { name: 40, conditionBytes: 2048, own: 30, shared: 60 } as const;

/** A list as the console names it: `lamps`, `road`, `logs/login`. */
const ListName = Type.String({ pattern: '^[a-z][a-z0-9-]*(/[a-z0-9-]+)?$', minLength: 1, maxLength: 64 });
const Name = Type.String({ minLength: 1, maxLength: savedViewLimits.name });
/** Filters by their name in the console's address. Unknown names filter nothing. */
const Conditions = Type.Record(
  Type.String({ pattern: '^[A-Za-z][A-Za-z0-9._-]{0,63}$' }),
  Type.String({ minLength: 1, maxLength: 1000 }),
);
const Sort = Nullable(Type.String({ pattern: '^[A-Za-z][A-Za-z0-9._-]{0,63},(asc|desc)$', maxLength: 80 }));

const SavedView = Type.Object({
  id: Type.Integer(),
  list: Type.String(),
  name: Type.String(),
  conditions: Type.Record(Type.String(), Type.String()),
  /** null: the list's own order. */
  sort: Type.Union([Type.String(), Type.Null()]),
  shared: Type.Boolean(),
  /** The caller made it and may change it. */
  own: Type.Boolean(),
  /**
   * Display name of who made it, for callers with `cscp.user.query` the login name of an account without one. null: it
   * has none, or the account was deleted.
   */
  maker: Type.Union([Type.String(), Type.Null()]),
  /** The list begins with it for the caller. */
  start: Type.Boolean(),
  /** The caller may delete it: its maker, or who may edit accounts and stands above the maker. */
  deletable: Type.Boolean(),
});

export const listSavedViews = route({
  method: 'GET',
  path: '/api/v1/saved-views',
  tag: 'saved views',
  access: 'session',
  refuses: ['missingPermission'],
  summary:
    'The views of a list: the own ones in their order, then the newest 60 that colleagues of an own work area, administrators and deleted accounts share, the one that the list begins with before them. Needs the right to open the list.',
  query: Type.Object({ list: ListName }),
  reply: listOf(SavedView),
});

export const createSavedView = route({
  method: 'POST',
  path: '/api/v1/saved-views',
  tag: 'saved views',
  access: 'session',
  action: 'savedView.create',
  status: 201,
  refuses: ['missingPermission', 'tooManyViews'],
  summary: 'Saves a view of a list: at most 30 own ones, shared or not. Needs the right to open the list.',
  body: Type.Object({
    list: ListName,
    name: Name,
    conditions: Conditions,
    sort: Type.Optional(Sort),
    shared: Type.Optional(Type.Boolean()),
    start: Type.Optional(Type.Boolean()),
  }),
  reply: SavedView,
});

export const updateSavedView = route({
  method: 'PATCH',
  path: '/api/v1/saved-views/:id',
  tag: 'saved views',
  access: 'session',
  action: 'savedView.update',
  refuses: ['notFound', 'viewNotYours', 'missingPermission'],
  summary:
    'Renames an own view, replaces its conditions, shares it or ends that. Ended: it is no longer the start of other accounts. What is shared afterwards needs the right to open the list.',
  params: IdParams,
  body: Type.Object({
    name: Type.Optional(Name),
    conditions: Type.Optional(Conditions),
    sort: Type.Optional(Sort),
    shared: Type.Optional(Type.Boolean()),
  }),
  reply: SavedView,
});

export const deleteSavedView = route({
  method: 'DELETE',
  path: '/api/v1/saved-views/:id',
  tag: 'saved views',
  access: 'session',
  action: 'savedView.delete',
  refuses: ['notFound', 'viewNotYours'],
  status: 204,
  summary:
    'Deletes an own view. A shared one of an account of lower rank, or of a deleted one: with the right to edit accounts and to open the list.',
  params: IdParams,
  reply: Type.Null(),
  replyKind: 'empty',
});

/** Not logged: it changes what the account itself sees first, like a preference. */
export const startWithSavedView = route({
  method: 'PUT',
  path: '/api/v1/saved-views/:id/start',
  tag: 'saved views',
  access: 'session',
  logged: false,
  refuses: ['notFound', 'missingPermission'],
  status: 204,
  summary: 'Makes an own or a shared view the one that its list begins with for this account, or ends that.',
  params: IdParams,
  body: Type.Object({ start: Type.Boolean() }),
  reply: Type.Null(),
  replyKind: 'empty',
});

/** Not logged, like the start. */
export const orderSavedViews = route({
  method: 'PUT',
  path: '/api/v1/saved-views/order',
  tag: 'saved views',
  access: 'session',
  logged: false,
  status: 204,
  summary: 'Puts the own views of a list in an order; those that are not named come last.',
  body: Type.Object({
    list: ListName,
    ids: Type.Array(Id, { minItems: 1, maxItems: savedViewLimits.own, uniqueItems: true }),
  }),
  reply: Type.Null(),
  replyKind: 'empty',
});
