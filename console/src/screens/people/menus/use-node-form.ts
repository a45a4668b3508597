import { useQueryClient } from '@tanstack/react-query';
import { getMenuNodes, saveMenuNode } from '../../../../../contract/specified/menu-configuration.ts';
import { call, callKey } from '../../../api/index.ts';
import { useVersionedForm, type Problem } from '../../../parts/form/index.ts';
import {
  bodyOf,
  differing,
  emptyValues,
  hasField,
  nodeFields,
  problemsOf,
  valuesOf,
  type Node,
  type NodeField,
  type NodeProblem,
} from './node.ts';
import { menuLevels, useOwnMenu } from './use-menu-tree.ts';

/** A rule of ours, or the server's own sentence. */
export type FieldError = Problem<NodeProblem>;
export type NodeForm = ReturnType<typeof useNodeForm>;

/** The dialog's state: a node that is changed (`loaded`), or a new one below `parentId`. Resolves with its id. */
export function useNodeForm(loaded: Node | null, parentId: number) {
  const client = useQueryClient();
  const own = useOwnMenu();
  const form = useVersionedForm({
    loaded,
    empty: emptyValues,
    valuesOf,
    differing,
    problemsOf: (values) => problemsOf(values, parentId),
    // `titles.fr-FR` and the like belong to the folded titles.
    fieldOf: (name): NodeField | undefined =>
      name.startsWith('titles.') ? 'titles' : nodeFields.find((field) => field === name),
    async send(values, stored: Node | null) {
      const { id } = await call(saveMenuNode, { body: bodyOf(values, parentId, stored) }, { quiet: true });
      // The own menu is built anew from what was changed.
      await Promise.all([getMenuNodes, ...own].map((route) => client.invalidateQueries({ queryKey: callKey(route) })));
      return id;
    },
    // Moved elsewhere counts as gone.
    newest: async (stored) => (await menuLevels.fetch(stored.parentId)).find(({ id }) => id === stored.id) ?? null,
  });
  // A field that the type does not have any more is not wrong.
  const errors: Readonly<Partial<Record<NodeField, FieldError>>> = Object.fromEntries(
    nodeFields.flatMap((field) => {
      const error = form.problems[field];
      return error && hasField(form.values.type, field) ? [[field, error]] : [];
    }),
  );
  return { ...form, errors };
}
