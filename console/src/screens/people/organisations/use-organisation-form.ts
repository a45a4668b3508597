import { useQueryClient } from '@tanstack/react-query';
import { findOrganisations } from '../../../../../contract/people/organisations.ts';
import { listOrganisations, saveOrganisation } from '../../../../../contract/specified/organisations.ts';
import { call, callKey } from '../../../api/index.ts';
import { useVersionedForm } from '../../../parts/form/index.ts';
import { bodyOf, differing, emptyValues, fieldOf, problemsOf, valuesOf, type Node } from './organisation.ts';
import { organisationLevels } from './use-organisation-tree.ts';

export type OrganisationForm = ReturnType<typeof useOrganisationForm>;

/** The dialog's state: a node that is changed (`loaded`), or a new one below `parentId`. Resolves with its id. */
export function useOrganisationForm(loaded: Node | null, parentId: number) {
  const client = useQueryClient();
  return useVersionedForm({
    loaded,
    empty: emptyValues,
    valuesOf,
    differing,
    problemsOf,
    fieldOf,
    async send(values, stored: Node | null) {
      const { id } = await call(saveOrganisation, { body: bodyOf(values, parentId, stored) }, { quiet: true });
      await Promise.all(
        [listOrganisations, findOrganisations].map((route) => client.invalidateQueries({ queryKey: callKey(route) })),
      );
      return id;
    },
    // There is no call for one node: it is looked for where it stood; moved elsewhere counts as gone.
    newest: async (stored) =>
      (await organisationLevels.fetch(stored.parentId)).find(({ id }) => id === stored.id) ?? null,
  });
}
