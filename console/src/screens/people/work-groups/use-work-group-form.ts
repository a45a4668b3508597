import { useQueryClient } from '@tanstack/react-query';
import {
  createWorkGroup,
  getWorkGroup,
  listWorkGroupOptions,
  listWorkGroups,
  updateWorkGroup,
} from '../../../../../contract/specified/work-groups.ts';
import { call, callKey } from '../../../api/index.ts';
import { useVersionedForm } from '../../../parts/form/index.ts';
import { storedWorkId } from '../../../session/index.ts';
import { bodyOf, differing, emptyValues, fields, problemsOf, valuesOf, type Group } from './values.ts';

export type WorkGroupForm = ReturnType<typeof useWorkGroupForm>;

/** The state of the work-group page: created without an id, changed with one (specified 2.9). */
export function useWorkGroupForm(loaded: Group | null) {
  const client = useQueryClient();
  return useVersionedForm({
    loaded,
    empty: emptyValues(storedWorkId()),
    valuesOf,
    differing,
    problemsOf,
    // The server names members one by one: `userDetail.2.userId` is a problem of the field userDetail.
    fieldOf: (name) => fields.find((field) => name.split('.').includes(field)),
    async send(values, stored: Group | null) {
      if (stored === null) await call(createWorkGroup, { body: bodyOf(values) }, { quiet: true });
      else
        await call(
          updateWorkGroup,
          { body: { id: stored.id, version: stored.version, ...bodyOf(values) } },
          { quiet: true },
        );
      void Promise.all(
        [listWorkGroups, getWorkGroup, listWorkGroupOptions].map((route) =>
          client.invalidateQueries({ queryKey: callKey(route) }),
        ),
      );
    },
    newest: (stored) => call(getWorkGroup, { params: { id: stored.id } }, { quiet: true }),
  });
}
