import { useTranslation } from 'react-i18next';
import { listOrganisations, moveOrganisations } from '../../../../../contract/specified/organisations.ts';
import { ApiError, call, callKey, useLive } from '../../../api/index.ts';
import { toast, useErrorText } from '../../../parts/index.ts';
import { useLazyTree, useTreeDrop, type Levels } from '../../../parts/tree/index.ts';
import { nodesOf, root, type Node } from './organisation.ts';

export const organisationLevels: Levels<Node> = {
  root,
  all: callKey(listOrganisations),
  keyOf: (parentId) => callKey(listOrganisations, { query: { parentId } }),
  fetch: async (parentId, signal) =>
    nodesOf(await call(listOrganisations, { query: { parentId } }, { quiet: true, ...(signal ? { signal } : {}) })),
};

/**
 * The lazy tree of organisations: other operators' changes come in by the live line; a drop on an older tree is refused
 * by the server.
 */
export function useOrganisationTree() {
  const { t } = useTranslation('organisations');
  const errorText = useErrorText();
  const tree = useLazyTree(organisationLevels);
  // A change of the tree is one of rights: everybody's line says so.
  useLive('menus', () => void tree.refresh());
  const drop = useTreeDrop(organisationLevels, {
    send: (places) =>
      call(
        moveOrganisations,
        {
          body: places.map(({ node: { version }, id, parentId, orderby }) => ({
            id,
            parentId,
            orderby,
            ifVersion: version,
          })),
        },
        { quiet: true },
      ),
    onFailed: (cause) => {
      const why = cause instanceof ApiError && cause.status === 409 ? t('drag.stale') : errorText(cause);
      toast.failed(`${t('drag.failed')} · ${why}`, { text: t('refresh'), onClick: () => void tree.refresh() });
    },
    refresh: tree.refresh,
  });
  return { ...tree, ...drop };
}
