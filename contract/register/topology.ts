import { Type } from 'typebox';
import { treeNames } from '../../catalogue/topology.ts';
import { Id, IdParams, Nullable, PageFromOne, Size, Version, listOf, route } from '../route.ts';

export type { TreeName } from '../../catalogue/topology.ts';

/**
 * The trees of the register: what feeds what (transformer → control box → loop → lamp), what speaks through what
 * (gateway → central controller → lamp), what is mounted where (road → pole → device). The key of a node is
 * `device:12`, `loop:3`, `road:5` or `group:lamps`.
 */

// Groups of devices without a place, by tree.
export const groupNames = ['boxes', 'controllers', 'poles', 'lamps', 'devices'] as const;
export type GroupName = (typeof groupNames)[number];
/** Nodes of one level in a page. */
export const levelSize = 100;
/** Limit of nodes in one move. */
export const mostMoved = 500;

const Tree = Type.Enum([...treeNames]);
const Key = Type.String({ pattern: '^(device|loop|road):\\d{1,15}$|^group:[a-z]+$', maxLength: 30 });

export const TreeNode = Type.Object({
  key: Type.String(),
  kind: Type.Enum(['device', 'loop', 'road', 'group'] as const),
  /** The id of the device, loop or road; null: a group. */
  id: Nullable(Type.Integer()),
  workId: Nullable(Type.Integer()),
  family: Nullable(Type.String()),
  group: Nullable(Type.Enum([...groupNames])),
  code: Type.String(),
  name: Nullable(Type.String()),
  version: Nullable(Type.Integer()),
  /** null: the node does not report by itself. */
  state: Nullable(Type.String()),
  online: Nullable(Type.Boolean()),
  /** Lamps anywhere below, and how many of them are in alarm or offline; null: they are not counted. */
  lamps: Nullable(Type.Integer()),
  alarms: Nullable(Type.Integer()),
  offline: Nullable(Type.Integer()),
  /** Directly below it. */
  children: Type.Integer(),
});

export const getTreeLevel = route({
  method: 'GET',
  path: '/api/v1/topology/:tree',
  tag: 'topology',
  access: 'device.query',
  areaScoped: true,
  summary:
    'One level of a tree: the nodes directly below a node, or the top with the groups of devices without a place. Only what the caller sees is shown and counted.',
  params: Type.Object({ tree: Tree }),
  query: Type.Object({
    under: Type.Optional(Key),
    page: Type.Optional(PageFromOne),
    size: Type.Optional(Size(levelSize)),
  }),
  reply: Type.Object({ ...listOf(TreeNode).properties, groups: Type.Array(TreeNode) }),
});

const Place = Type.Object({
  node: TreeNode,
  /** From the top to the node itself; `page` is the page of its level with the node. */
  path: Type.Array(
    Type.Object({ key: Type.String(), page: Type.Integer(), code: Type.String(), name: Nullable(Type.String()) }),
  ),
});

export const findInTree = route({
  method: 'GET',
  path: '/api/v1/topology/:tree/places',
  tag: 'topology',
  access: 'device.query',
  areaScoped: true,
  summary:
    'Nodes of a tree whose code or name contains a text, nodes of some kinds, or one by its key, with the path to each; the first twenty.',
  params: Type.Object({ tree: Tree }),
  query: Type.Object({
    q: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
    key: Type.Optional(Key),
    /** Only these kinds: families and `loop`, comma-separated. */
    kinds: Type.Optional(Type.String({ pattern: '^[a-z0-9-]{1,40}(,[a-z0-9-]{1,40})*$', maxLength: 500 })),
    /** Only of this work area. */
    workId: Type.Optional(Id),
  }),
  reply: Type.Object({ data: Type.Array(Place) }),
});

export const moveInTree = route({
  method: 'POST',
  path: '/api/v1/topology/:tree/move',
  tag: 'topology',
  dryRun: true,
  access: 'device.edit',
  action: 'topology.move',
  areaScoped: true,
  summary:
    'Moves nodes, with everything below them, below another node; all or none. `to` null: without a place. An outdated version is 409; a node that cannot be moved is named as `nodes.<n>`.',
  params: Type.Object({ tree: Tree }),
  body: Type.Object({
    nodes: Type.Array(Type.Object({ key: Key, version: Type.Optional(Version) }), { minItems: 1, maxItems: mostMoved }),
    to: Nullable(Key),
  }),
  reply: Type.Object({ moved: Type.Integer() }),
});

const Step = Type.Object({
  key: Type.String(),
  kind: Type.Enum(['device', 'loop', 'road'] as const),
  id: Type.Integer(),
  family: Nullable(Type.String()),
  code: Type.String(),
  name: Nullable(Type.String()),
});
const Way = Type.Object({
  /** From the top to the node that the device hangs on. */
  above: Type.Array(Step),
  /** Directly below it. */
  below: Type.Integer(),
});
export const getDevicePaths = route({
  method: 'GET',
  path: '/api/v1/devices/:id/paths',
  tag: 'topology',
  access: 'device.query',
  areaScoped: true,
  summary:
    'What feeds a device, through what it speaks, on what it is mounted: the paths from the top, and the number of nodes below it. Null: it has no place in that tree.',
  params: IdParams,
  reply: Type.Object({ power: Nullable(Way), communication: Nullable(Way), mounting: Nullable(Way) }),
});
