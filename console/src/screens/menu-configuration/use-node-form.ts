import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { getMenus } from '../../../../contract/specified/account.ts';
import { getMenuNodes, saveMenuNode } from '../../../../contract/specified/menu-configuration.ts';
import { ApiError, useSend } from '../../api/index.ts';
import { bodyOf, emptyValues, hasField, isChanged, nodeFields, otherLanguages, problemsOf, valuesOf, type Node, type NodeField, type NodeProblem, type NodeValues } from './node.ts';
import { fetchLevel } from '../../parts/tree/index.ts';
import { menuLevels } from './use-menu-tree.ts';

/** A rule of ours, or the server's own sentence. */
export type FieldError = NodeProblem | { message: string };

export interface NodeForm {
  values: NodeValues;
  errors: Readonly<Partial<Record<NodeField, FieldError>>>;
  /** What went wrong apart from the fields. */
  failure: ApiError | null;
  /** Another administrator saved first: what stands there now; null: deleted or moved elsewhere. */
  conflict: { theirs: Node | null } | undefined;
  saving: boolean;
  set<F extends NodeField>(field: F, value: NodeValues[F]): void;
  /** Resolves with the saved node's id, or undefined when it was not saved. */
  submit(): Promise<number | undefined>;
  settle(keep: 'mine' | 'theirs'): void;
}

/** What the server says field by field; `titles.fr-FR` and the like belong to the folded titles. */
function byServer({ fieldErrors }: ApiError, type: NodeValues['type']): NodeForm['errors'] {
  const titles = otherLanguages.map((language) => fieldErrors[`titles.${language}`]).find((message) => message !== undefined);
  const all: Partial<Record<string, string>> = { ...fieldErrors, ...(titles === undefined ? {} : { titles }) };
  return Object.fromEntries(nodeFields.flatMap((field) => { const message = all[field]; return message === undefined || !hasField(type, field) ? [] : [[field, { message }]]; }));
}

/** The dialog's state: values, every problem at once, what the server refuses by field, and another administrator's conflict. */
export function useNodeForm(stored: Node | null, parentId: number, onDirty: (dirty: boolean) => void): NodeForm {
  const client = useQueryClient();
  const [base, setBase] = useState(stored);
  const before = base ? valuesOf(base) : emptyValues;
  const [values, setValues] = useState<NodeValues>(before);
  const [errors, setErrors] = useState<NodeForm['errors']>({});
  const [failure, setFailure] = useState<ApiError | null>(null);
  const [conflict, setConflict] = useState<NodeForm['conflict']>();
  // The own menu is built anew from what was changed.
  const save = useSend(saveMenuNode, [getMenuNodes, getMenus], { quiet: true });

  async function refused(error: ApiError): Promise<void> {
    if (base !== null && (error.status === 409 || error.status === 404)) {
      await client.invalidateQueries({ queryKey: [getMenuNodes.path] });
      const siblings = await fetchLevel(client, menuLevels, parentId).catch((cause: unknown) => (cause instanceof ApiError && cause.status === 404 ? [] : undefined));
      if (siblings) return setConflict({ theirs: siblings.find(({ id }) => id === base.id) ?? null });
    }
    const named = byServer(error, values.type);
    setErrors(named);
    if (Object.keys(named).length === 0) setFailure(error);
  }

  return {
    values, errors, failure, conflict, saving: save.isPending,
    set(field, value) {
      const next = { ...values, [field]: value };
      setValues(next);
      setErrors((all) => Object.fromEntries(Object.entries(all).filter(([key]) => key !== field && (field !== 'type' || hasField(next.type, key as NodeField)))));
      onDirty(isChanged(next, before));
    },
    async submit() {
      setFailure(null);
      setConflict(undefined);
      const problems = problemsOf(values, parentId);
      setErrors(problems);
      if (Object.keys(problems).length > 0) return undefined;
      try {
        return (await save.mutateAsync({ body: bodyOf(values, parentId, base) })).id;
      } catch (cause) {
        if (!(cause instanceof ApiError)) throw cause;
        await refused(cause);
        return undefined;
      }
    },
    settle(keep) {
      const theirs = conflict?.theirs;
      if (!theirs) return;
      setBase(theirs);
      if (keep === 'theirs') setValues(valuesOf(theirs));
      onDirty(keep === 'mine' && isChanged(values, valuesOf(theirs)));
      setConflict(undefined);
    },
  };
}
