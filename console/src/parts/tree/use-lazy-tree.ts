import { useQueries, useQueryClient, type QueryClient, type QueryKey } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { useWatched } from '../../api/index.ts';
import type { TreeSource } from './model.ts';
import type { OrderedNode } from './renumber.ts';

/** A stored node: it says whether there is something below it, and counts its changes. */
export interface LazyNode extends OrderedNode {
  readonly hasChildren: boolean;
  readonly version: number;
}

/** Where a lazy tree comes from: one level, the children of one node, is one answer in the cache. */
export interface Levels<N extends LazyNode> {
  readonly root: N;
  /** The key that all levels' keys begin with. */
  readonly all: QueryKey;
  keyOf(parentId: number): QueryKey;
  fetch(parentId: number, signal?: AbortSignal): Promise<readonly N[]>;
}

interface Asked {
  readonly client: QueryClient;
  readonly queryKey: QueryKey;
  readonly signal: AbortSignal;
}

const queryOf = <N extends LazyNode>(levels: Levels<N>, parentId: number) => ({
  queryKey: levels.keyOf(parentId),
  async queryFn({ client, queryKey, signal }: Asked): Promise<readonly N[]> {
    const before = client.getQueryState(queryKey);
    const nodes = await levels.fetch(parentId, signal);
    // A first answer under way is not asked for again when a change is told meanwhile, and may be from before that
    // change.
    const isOld =
      before?.data === undefined &&
      before?.isInvalidated === false &&
      client.getQueryState(queryKey)?.isInvalidated === true;
    return isOld ? levels.fetch(parentId, signal) : nodes;
  },
});

/** The direct children of a node, from the cache while it is fresh. */
export const fetchLevel = <N extends LazyNode>(
  client: QueryClient,
  levels: Levels<N>,
  parentId: number,
): Promise<readonly N[]> => client.fetchQuery(queryOf(levels, parentId));

/** A node was deleted: it leaves its level, and what lay below it is not asked for again. */
export function forgetBranch<N extends LazyNode>(
  client: QueryClient,
  levels: Levels<N>,
  node: Pick<N, 'id' | 'parentId'>,
): void {
  for (const child of client.getQueryData<readonly N[]>(levels.keyOf(node.id)) ?? [])
    forgetBranch(client, levels, child);
  client.setQueryData<readonly N[]>(levels.keyOf(node.parentId), (before) =>
    before?.filter(({ id }) => id !== node.id),
  );
  client.removeQueries({ queryKey: levels.keyOf(node.id), exact: true });
}

/** Every node that was fetched. */
const knownNodes = <N extends LazyNode>(client: QueryClient, levels: Levels<N>): N[] =>
  client.getQueriesData<readonly N[]>({ queryKey: levels.all }).flatMap(([, nodes]) => nodes ?? []);

/** Opened nodes that are really there: what somebody else deleted is not asked for again. */
function askedFor<N extends LazyNode>(client: QueryClient, levels: Levels<N>, open: ReadonlySet<number>): number[] {
  const asked = new Set([levels.root.id]);
  for (const id of asked) {
    for (const child of client.getQueryData<readonly N[]>(levels.keyOf(id)) ?? [])
      if (open.has(child.id)) asked.add(child.id);
  }
  return [...asked];
}

interface LevelState<N> {
  readonly id: number;
  readonly nodes: readonly N[] | undefined;
  readonly failed: boolean;
}

/** The answers' identity changes with every render; what they say does not. */
function useSteady<N>(states: readonly LevelState<N>[]): readonly LevelState<N>[] {
  const [steady, setSteady] = useState(states);
  const same =
    steady.length === states.length &&
    states.every(
      ({ id, nodes, failed }, index) =>
        id === steady[index]?.id && nodes === steady[index].nodes && failed === steady[index].failed,
    );
  if (!same) setSteady(states);
  return same ? steady : states;
}

/** The state of a lazy tree below a fixed root: opened nodes are fetched, the rest waits. */
export function useLazyTree<N extends LazyNode>(levels: Levels<N>) {
  const client = useQueryClient();
  const { root } = levels;
  const [open, setOpen] = useState<ReadonlySet<number>>(new Set([root.id]));
  const asked = askedFor(client, levels, open);
  useWatched(asked.map((id) => levels.keyOf(id)));
  const answers = useQueries({ queries: asked.map((id) => queryOf(levels, id)) });
  const states = useSteady(
    asked.map((id, index) => ({
      id,
      nodes: answers[index]?.data,
      failed: answers[index]?.isError === true && answers[index].data === undefined && !answers[index].isFetching,
    })),
  );
  const source = useMemo<TreeSource<N>>(() => {
    const byId = new Map(states.map((state) => [state.id, state]));
    return {
      roots: [root],
      mayHaveChildren: (node) => node.hasChildren,
      childrenOf: (node) => byId.get(node.id)?.nodes ?? (byId.get(node.id)?.failed ? 'failed' : 'loading'),
    };
  }, [states, root]);
  const [first] = answers;
  return {
    source,
    open,
    isPending: first?.isPending ?? true,
    isFetching: answers.some(({ isFetching }) => isFetching),
    error: first?.data === undefined ? (first?.error ?? null) : null,
    refresh: (): Promise<void> => client.invalidateQueries({ queryKey: levels.all }),
    setOpen: (node: Pick<N, 'id'>, next: boolean) =>
      setOpen((before) => new Set(next ? [...before, node.id] : [...before].filter((id) => id !== node.id))),
    closeAll: () => setOpen(new Set([root.id])),
    /** A node that was fetched, or the root. */
    find: (id: number): N | undefined =>
      id === root.id ? root : knownNodes(client, levels).find((node) => node.id === id),
    /** Opens a way down from the root, level by level; resolves when all of it is there. */
    async openPath(ids: readonly number[]): Promise<void> {
      for (const id of [root.id, ...ids]) await fetchLevel(client, levels, id);
      setOpen((before) => new Set([...before, ...ids]));
    },
    retry: (node: N) => void client.refetchQueries({ queryKey: levels.keyOf(node.id) }),
  };
}
