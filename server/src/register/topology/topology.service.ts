import type { Static } from 'typebox';
import type { QueryOf, ReplyOf } from '../../../../contract/route.ts';
import {
  levelSize,
  type findInTree,
  type GroupName,
  type getDevicePaths,
  type getTreeLevel,
  type TreeName,
  type TreeNode,
} from '../../../../contract/register/topology.ts';
import type { Clock } from '../../platform/clock.ts';
import { createRowCounter, type Db } from '../../platform/db/index.ts';
import { refuse, type Caller } from '../../platform/http/index.ts';
import type { Devices } from '../devices/index.ts';
import { searchNodes } from './topology.search.store.ts';
import * as store from './topology.store.ts';
import { trees } from './trees.query.ts';

type Node = Static<typeof TreeNode>;
type Paths = ReplyOf<typeof getDevicePaths>;
export interface TopologyParts {
  readonly db: Db;
  readonly clock: Clock;
  readonly devices: Pick<Devices, 'get'>;
}
export type Topology = ReturnType<typeof createTopology>;

const mostFound = 20;

/**
 * Trees of what feeds, what carries the word and what bears devices: one level at a time, found by text, and the way up
 * from one device.
 */
export function createTopology({ db, clock, devices }: TopologyParts) {
  const counter = createRowCounter({ db, clock });
  /** How many a level has: all of them, for a page that nobody can turn to would hide what is on it. */
  const sizeOf = (level: store.Level, caller: Caller): Promise<number> => counter.all(store.membersOf(level, caller));
  const childrenOf = (tree: TreeName, { id, family, kind }: store.StoredNode): store.Level =>
    store.underNode(trees[tree].below.get(family ?? kind) ?? [], id);

  /** The level below a key, null: the top. */
  async function levelOf(tree: TreeName, key: string | null, caller: Caller): Promise<store.Level> {
    const declared = trees[tree];
    if (key === null) return store.atTop(declared.top);
    const [kind = '', name = ''] = key.split(':');
    const group = kind === 'group' ? declared.groups[name as GroupName] : undefined;
    if (kind === 'group' && !group) throw refuse('notFound');
    if (group) return store.atTop([group]);
    const [node] = await store.findNodes(db, tree, [key], caller);
    if (!node) throw refuse('notFound');
    return childrenOf(tree, node);
  }

  async function shown(tree: TreeName, keys: readonly string[], caller: Caller): Promise<Node[]> {
    const nodes = new Map((await store.findNodes(db, tree, keys, caller)).map((node) => [node.key, node]));
    const counts = await store.countBelow(db, tree, [...nodes.values()], caller);
    return keys.flatMap((key) => {
      const node = nodes.get(key);
      return node ? [view(tree, node, counts.get(key))] : [];
    });
  }

  async function groupsOf(tree: TreeName, caller: Caller): Promise<Node[]> {
    return Promise.all(
      Object.entries(trees[tree].groups).map(async ([group, part]): Promise<Node> => ({
        key: `group:${group}`,
        kind: 'group',
        id: null,
        workId: null,
        family: null,
        group: group as GroupName,
        code: '',
        name: null,
        version: null,
        state: null,
        online: null,
        lamps: null,
        alarms: null,
        offline: null,
        children: await sizeOf(store.atTop([part]), caller),
      })),
    );
  }

  /** Every node on the ways up from these, by key: as many queries as the longest way has steps. */
  async function waysUp(
    tree: TreeName,
    keys: readonly string[],
    caller: Caller,
  ): Promise<Map<string, store.StoredNode>> {
    const known = new Map<string, store.StoredNode>();
    for (let wanted = [...keys]; wanted.length > 0;) {
      const found = await store.findNodes(db, tree, wanted, caller);
      for (const node of found) known.set(node.key, node);
      wanted = [
        ...new Set(found.flatMap(({ up }) => (up !== null && !known.has(up) && !up.startsWith('group:') ? [up] : []))),
      ];
    }
    return known;
  }
  /** From the top down to a node itself; begins below what the caller does not see. */
  function wayTo(
    known: ReadonlyMap<string, store.StoredNode>,
    key: string,
  ): { key: string; node: store.StoredNode | undefined }[] {
    const way: { key: string; node: store.StoredNode | undefined }[] = [];
    for (let at: string | null = key; at !== null && way.every((step) => step.key !== at);) {
      const node = known.get(at);
      if (!node && !at.startsWith('group:')) break;
      way.unshift({ key: at, node });
      at = node?.up ?? null;
    }
    return way;
  }

  return {
    async level(
      caller: Caller,
      tree: TreeName,
      { under, page = 1, size = levelSize }: QueryOf<typeof getTreeLevel>,
    ): Promise<ReplyOf<typeof getTreeLevel>> {
      const level = await levelOf(tree, under ?? null, caller);
      if (level.parts.length === 0) return { data: [], recordsTotal: 0, groups: [] };
      const [keys, recordsTotal, groups] = await Promise.all([
        store.findLevel(db, level, caller, { limit: size, offset: (page - 1) * size }),
        sizeOf(level, caller),
        under === undefined ? groupsOf(tree, caller) : [],
      ]);
      return { data: await shown(tree, keys, caller), recordsTotal, groups };
    },

    async places(
      caller: Caller,
      tree: TreeName,
      query: QueryOf<typeof findInTree>,
    ): Promise<ReplyOf<typeof findInTree>> {
      const text = query.q?.trim() ?? '';
      const keys =
        query.key !== undefined
          ? [query.key]
          : text === '' && query.kinds === undefined
            ? []
            : await searchNodes(db, tree, text, {
                kinds: query.kinds?.split(',') ?? null,
                workId: query.workId ?? null,
                scope: caller,
                limit: mostFound,
              });
      const [nodes, known] = await Promise.all([shown(tree, keys, caller), waysUp(tree, keys, caller)]);
      return {
        data: await Promise.all(
          nodes.map(async (node) => {
            const way = wayTo(known, node.key);
            // Only who asks for one node goes there.
            const pages =
              query.key === undefined
                ? way.map(() => 1)
                : await Promise.all(
                    way.map(async ({ key }, index) =>
                      key.startsWith('group:')
                        ? 1
                        : Math.floor(
                            (await store.countBefore(
                              db,
                              await levelOf(tree, way[index - 1]?.key ?? null, caller),
                              caller,
                              key,
                            )) / levelSize,
                          ) + 1,
                    ),
                  );
            return {
              node,
              path: way.map(({ key, node: step }, index) => ({
                key,
                page: pages[index] ?? 1,
                code: step?.code ?? '',
                name: step?.name ?? null,
              })),
            };
          }),
        ),
      };
    },

    async paths(caller: Caller, id: number): Promise<Paths> {
      await devices.get(caller, id);
      const of = async (tree: TreeName): Promise<Paths[TreeName]> => {
        const key = `device:${id}`;
        const known = await waysUp(tree, [key], caller);
        const self = known.get(key);
        if (!self) return null;
        const above = wayTo(known, key).flatMap(({ node }) =>
          node && node.key !== key
            ? [{ key: node.key, kind: node.kind, id: node.id, family: node.family, code: node.code, name: node.name }]
            : [],
        );
        return { above, below: await sizeOf(childrenOf(tree, self), caller) };
      };
      const [power, communication, mounting] = await Promise.all([of('power'), of('communication'), of('mounting')]);
      return { power, communication, mounting };
    },
  };
}

function view(tree: TreeName, node: store.StoredNode, counts: store.Counts | undefined): Node {
  const { key, kind, id, family, code, name, version, state, online } = node;
  const carries = trees[tree].below.has(family ?? kind);
  return {
    key,
    kind,
    id,
    workId: node.area,
    family,
    group: null,
    code,
    name,
    version,
    state,
    online,
    lamps: carries ? (counts?.lamps ?? 0) : null,
    alarms: carries ? (counts?.alarms ?? 0) : null,
    offline: carries ? (counts?.offline ?? 0) : null,
    children: counts?.children ?? 0,
  };
}
