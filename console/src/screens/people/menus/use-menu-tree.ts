import { useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { RouteShape } from '../../../../../contract/route.ts';
import { getMenus } from '../../../../../contract/specified/account.ts';
import { getMenuNodes, moveMenuNodes } from '../../../../../contract/specified/menu-configuration.ts';
import { call, callKey, useLive, useLiveState } from '../../../api/index.ts';
import { toast } from '../../../parts/index.ts';
import { fetchLevel, useLazyTree, useTreeDrop, type Levels } from '../../../parts/tree/index.ts';
import { root, type Node } from './node.ts';

export const menuLevels: Levels<Node> = {
  root,
  all: callKey(getMenuNodes),
  keyOf: (parentId) => callKey(getMenuNodes, { query: { parentId } }),
  fetch: async (parentId, signal) =>
    (await call(getMenuNodes, { query: { parentId } }, { quiet: true, ...(signal ? { signal } : {}) })).data,
};

/** How many nodes lie below one, asked from the server level by level. */
export async function countBelow(client: QueryClient, node: Node): Promise<number> {
  if (!node.hasChildren) return 0;
  const children = await fetchLevel(client, menuLevels, node.id);
  const below = await Promise.all(children.map((child) => countBelow(client, child)));
  return below.reduce((sum, count) => sum + count, children.length);
}

/**
 * What a change makes old besides the tree: the own menu. The live line tells of that as well; it is asked for once.
 */
export function useOwnMenu(): readonly RouteShape[] {
  return useLiveState().state === 'live' ? [] : [getMenus];
}

/** The lazy tree of menu entries: other administrators' changes come in by the live line, drags are stored. */
export function useMenuTree() {
  const client = useQueryClient();
  const { t } = useTranslation('menus');
  const tree = useLazyTree(menuLevels);
  const own = useOwnMenu();
  const refresh = async (): Promise<void> => {
    await Promise.all([tree.refresh(), ...own.map((route) => client.invalidateQueries({ queryKey: callKey(route) }))]);
  };
  useLive('menus', () => void tree.refresh());
  const drop = useTreeDrop(menuLevels, {
    send: (places) =>
      call(
        moveMenuNodes,
        { body: places.map(({ id, parentId, orderby }) => ({ id, parentId, orderby })) },
        { quiet: true },
      ),
    onFailed: () => void toast.failed(t('drag.failed'), { text: t('refresh'), onClick: () => void refresh() }),
    refresh,
  });
  return { ...tree, ...drop, refresh };
}
