import { useEffect, useState } from 'react';
import { getRoleMenus, type RoleDetail, type RoleMenuNode } from '../../../../../../contract/specified/roles.ts';
import { useCall } from '../../../../api/index.ts';
import { checkedLeaves, useTreeNodes } from './MenuTree.tsx';

const sameSet = (one: ReadonlySet<number>, other: ReadonlySet<number>): boolean =>
  one.size === other.size && [...one].every((id) => other.has(id));

/** The tree in the bounds of the chosen parent, and which of its leaves are checked. */
export function useMenus(role: RoleDetail | null, parentId: number) {
  const tree = useCall(
    getRoleMenus,
    { body: { roles: role?.id ?? 0, parentId } },
    { staleTime: 0, keepPrevious: true },
  );
  const nodes = useTreeNodes(tree.data?.items);
  const [leaves, setLeaves] = useState<ReadonlySet<number>>();
  const [before, setBefore] = useState<ReadonlySet<number>>();
  // The first answer fills the tree; another parent only changes what may be chosen.
  useEffect(() => {
    if (tree.data === undefined || before !== undefined) return;
    const granted = checkedLeaves(tree.data.items);
    setBefore(granted);
    setLeaves(granted);
  }, [tree.data, before]);
  return {
    nodes,
    leaves,
    setLeaves,
    error: tree.error,
    retry: tree.refetch,
    /** The shown tree is the one of another parent, the right one is on its way. */
    moving: tree.isPlaceholderData,
    /** Only then do the ticks mean what is shown: a tree that did not come must not be saved as an empty one. */
    ready: leaves !== undefined && tree.data !== undefined && !tree.isPlaceholderData,
    changed: before !== undefined && leaves !== undefined && !sameSet(before, leaves),
    reset: () => setLeaves(before),
    /** After a conflict: what is stored now counts as unchanged. */
    settle(stored: readonly RoleMenuNode[], keepMine: boolean) {
      const granted = checkedLeaves(stored);
      setBefore(granted);
      if (!keepMine) setLeaves(granted);
    },
  };
}
