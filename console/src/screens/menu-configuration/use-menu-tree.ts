import { useQueries, useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { getMenus } from '../../../../contract/specified/account.ts';
import { getMenuNodes, moveMenuNodes } from '../../../../contract/specified/menu-configuration.ts';
import type { ReplyOf } from '../../../../contract/route.ts';
import { call, callKey, useLive, type ApiError } from '../../api/index.ts';
import { toast } from '../../parts/index.ts';
import { arranged, renumbered, type Drop, type TreeSource } from '../../parts/tree/index.ts';
import { isRoot, root, type Node } from './node.ts';

type Children = ReplyOf<typeof getMenuNodes>;
const keyOf = (parentId: number) => callKey(getMenuNodes, { query: { parentId } });
const queryOf = (parentId: number) => ({
  queryKey: keyOf(parentId),
  queryFn: ({ signal }: { signal?: AbortSignal }): Promise<Children> => call(getMenuNodes, { query: { parentId } }, { quiet: true, ...(signal ? { signal } : {}) }),
});

/** The direct children of a node, from the cache while it is fresh. */
export const childrenOf = (client: QueryClient, parentId: number): Promise<readonly Node[]> => client.fetchQuery<Children, ApiError>(queryOf(parentId)).then(({ data }) => data);

/** How many nodes lie below one, asked from the server level by level. */
export async function countBelow(client: QueryClient, node: Node): Promise<number> {
  if (!node.hasChildren) return 0;
  const children = await childrenOf(client, node.id);
  const below = await Promise.all(children.map((child) => countBelow(client, child)));
  return below.reduce((sum, count) => sum + count, children.length);
}

/** Opened nodes that are really there: what somebody else deleted is not asked for again. */
function askedFor(client: QueryClient, open: ReadonlySet<number>): number[] {
  const asked: number[] = [root.id];
  for (const id of asked) asked.push(...(client.getQueryData<Children>(keyOf(id))?.data ?? []).map((child) => child.id).filter((child) => open.has(child) && !asked.includes(child)));
  return asked;
}

/** The lazy tree of menu entries: opened nodes are fetched, other administrators' changes come in by the live line, drags are stored. */
export function useMenuTree() {
  const client = useQueryClient();
  const [open, setOpen] = useState<ReadonlySet<number>>(new Set([root.id]));
  const asked = askedFor(client, open);
  const answers = useQueries({ queries: asked.map(queryOf) });
  const refresh = async (): Promise<void> => {
    await Promise.all([client.invalidateQueries({ queryKey: callKey(getMenuNodes) }), client.invalidateQueries({ queryKey: callKey(getMenus) })]);
  };
  useLive('menus', () => void client.invalidateQueries({ queryKey: callKey(getMenuNodes) }));
  const states = answers.map((answer, index) => ({ id: asked[index], data: answer.data, failed: answer.isError && answer.data === undefined && !answer.isFetching }));
  // The answers' identity changes with every render; what they say does not.
  const said = JSON.stringify(states.map(({ id, failed }, index) => [id, failed, answers[index]?.dataUpdatedAt]));
  const source = useMemo<TreeSource<Node>>(() => {
    const byId = new Map(states.map((state) => [state.id, state]));
    return {
      roots: [root],
      mayHaveChildren: (node) => node.hasChildren,
      childrenOf: (node) => byId.get(node.id)?.data?.data ?? (byId.get(node.id)?.failed ? 'failed' : 'loading'),
    };
    // eslint-disable-next-line react-hooks/exhaustive-deps -- see above
  }, [said]);
  const [first] = answers;
  return {
    source, open, refresh,
    isPending: first?.isPending ?? true,
    isFetching: answers.some(({ isFetching }) => isFetching),
    error: first?.data === undefined ? (first?.error ?? null) : null,
    setOpen: (node: Pick<Node, 'id'>, next: boolean) => setOpen((before) => new Set(next ? [...before, node.id] : [...before].filter((id) => id !== node.id))),
    closeAll: () => setOpen(new Set([root.id])),
    /** A node that was fetched, else the root. */
    find: (id: number): Node => client.getQueriesData<Children>({ queryKey: callKey(getMenuNodes) }).flatMap(([, children]) => children?.data ?? []).find((node) => node.id === id) ?? root,
    retry: (node: Node) => void client.refetchQueries({ queryKey: keyOf(node.id) }),
  };
}

/** The lists as they will be once a drag is stored: shown at once, and taken back when it fails. */
function showDropped(client: QueryClient, moved: Node, parentId: number, children: readonly Node[], orders: ReadonlyMap<number, number>): void {
  const put = (id: number, change: (data: Node[]) => Node[]): void => {
    client.setQueryData<Children>(keyOf(id), (before) => before && { ...before, data: change(before.data), recordsTotal: change(before.data).length });
  };
  const left = client.getQueryData<Children>(keyOf(moved.parentId))?.data.filter(({ id }) => id !== moved.id) ?? [];
  if (moved.parentId !== parentId) put(moved.parentId, () => left);
  put(parentId, () => children.map((node) => ({ ...node, parentId, orderby: orders.get(node.id) ?? node.orderby })));
  client.getQueriesData<Children>({ queryKey: callKey(getMenuNodes) }).forEach(([key]) => {
    client.setQueryData<Children>(key, (before) => before && {
      ...before, data: before.data.map((node) => (node.id === parentId ? { ...node, hasChildren: true } : node.id === moved.parentId && node.id !== parentId ? { ...node, hasChildren: left.length > 0 } : node)),
    });
  });
}

/** Stores a drop: the new siblings numbered from 1, only what changed is sent; when that fails the tree is again what the server has. */
export function useDrop(refresh: () => Promise<void>) {
  const client = useQueryClient();
  const { t } = useTranslation('menus');
  const [isMoving, setMoving] = useState(false);
  async function drop(dropped: Drop<Node>): Promise<void> {
    const { node, parent } = dropped;
    if (!parent) return;
    setMoving(true);
    const before = client.getQueriesData<Children>({ queryKey: callKey(getMenuNodes) });
    try {
      const children = arranged(parent.hasChildren || isRoot(parent) ? await childrenOf(client, parent.id) : [], dropped);
      const places = renumbered(parent.id, children, node);
      if (places.length === 0) return;
      await client.cancelQueries({ queryKey: callKey(getMenuNodes) });
      showDropped(client, node, parent.id, children, new Map(places.map(({ id, orderby }) => [id, orderby])));
      await call(moveMenuNodes, { body: places }, { quiet: true });
    } catch {
      before.forEach(([key, data]) => client.setQueryData(key, data));
      toast.failed(t('drag.failed'), { text: t('refresh'), onClick: () => void refresh() });
    } finally {
      setMoving(false);
      void refresh();
    }
  }
  return { drop: (dropped: Drop<Node>) => void drop(dropped), isMoving };
}
