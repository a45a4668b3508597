import { useQueryClient, type QueryClient, type QueryKey } from '@tanstack/react-query';
import { useState } from 'react';
import type { Drop } from './places.ts';
import { arranged, renumbered, type NewPlace } from './renumber.ts';
import { fetchLevel, type LazyNode, type Levels } from './use-lazy-tree.ts';

/** The levels as they will be once a drag is stored: shown at once, and taken back when it fails. */
function showDropped<N extends LazyNode>(
  client: QueryClient,
  levels: Levels<N>,
  { node: moved }: Drop<N>,
  parentId: number,
  children: readonly N[],
  places: ReadonlyMap<number, NewPlace>,
): void {
  const left =
    client.getQueryData<readonly N[]>(levels.keyOf(moved.parentId))?.filter(({ id }) => id !== moved.id) ?? [];
  if (moved.parentId !== parentId)
    client.setQueryData<readonly N[]>(levels.keyOf(moved.parentId), (before) => before && left);
  // What is stored counts as a change; a second drag follows before the server was asked again.
  const placed = children.map((node) => {
    const place = places.get(node.id);
    return place ? { ...node, ...place, version: node.version + 1 } : node;
  });
  client.setQueryData<readonly N[]>(levels.keyOf(parentId), placed);
  const hasChildren = (node: N): N =>
    node.id === parentId
      ? { ...node, hasChildren: true }
      : node.id === moved.parentId && node.id !== parentId
        ? { ...node, hasChildren: left.length > 0 }
        : node;
  client.setQueriesData<readonly N[]>({ queryKey: levels.all }, (before) => before?.map(hasChildren));
}

interface Parts<N extends LazyNode> {
  /** Stores what the drop changed; each place with its node as it was. */
  send: (places: readonly (NewPlace & { node: N })[]) => Promise<unknown>;
  onFailed: (cause: unknown) => void;
  /** Asks for everything again: after a failure the tree is what the server has. */
  refresh: () => Promise<void>;
}

/**
 * Stores a drop: the new siblings numbered from 1, only what changed is sent. It is judged by what the operator saw,
 * not by what was fetched since.
 */
export function useTreeDrop<N extends LazyNode>(levels: Levels<N>, { send, onFailed, refresh }: Parts<N>) {
  const client = useQueryClient();
  const [isMoving, setMoving] = useState(false);
  async function drop(dropped: Drop<N>): Promise<void> {
    const { node, parent } = dropped;
    if (!parent) return;
    setMoving(true);
    const before: [QueryKey, unknown][] = client.getQueriesData({ queryKey: levels.all });
    try {
      const seen =
        client.getQueryData<readonly N[]>(levels.keyOf(parent.id)) ??
        (parent.hasChildren ? await fetchLevel(client, levels, parent.id) : []);
      before.push([levels.keyOf(parent.id), seen]);
      const children = arranged(seen, dropped);
      const byId = new Map(children.map((child) => [child.id, child]));
      const places = renumbered(parent.id, children, node);
      if (places.length === 0) return;
      await client.cancelQueries({ queryKey: levels.all });
      showDropped(client, levels, dropped, parent.id, children, new Map(places.map((place) => [place.id, place])));
      await send(places.map((place) => ({ ...place, node: byId.get(place.id) ?? node })));
    } catch (cause) {
      before.forEach(([key, data]) => client.setQueryData(key, data));
      onFailed(cause);
    } finally {
      setMoving(false);
      void refresh();
    }
  }
  return { drop: (dropped: Drop<N>) => void drop(dropped), isMoving };
}
