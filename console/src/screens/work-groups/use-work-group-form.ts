import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { createWorkGroup, getWorkGroup, listWorkGroupOptions, listWorkGroups, updateWorkGroup } from '../../../../contract/specified/work-groups.ts';
import { ApiError, call, callKey } from '../../api/index.ts';
import { useSubmit } from '../../parts/form/index.ts';
import { storedWorkId } from '../../session/index.ts';
import { bodyOf, differing, emptyValues, fields, problemsOf, valuesOf, type Field, type Group, type Problems, type Values } from './values.ts';

export type Outcome = { kind: 'saved' } | { kind: 'refused'; failure?: ApiError };

export interface WorkGroupForm {
  values: Values;
  before: Values;
  problems: Problems;
  busy: boolean;
  changed: boolean;
  failure: ApiError | null;
  /** Somebody else saved first: what stands there now; null: the group is gone. */
  theirs: Group | null | undefined;
  set<F extends Field>(field: F, value: Values[F]): void;
  submit(): Promise<Outcome>;
  reset(): void;
  /** After a conflict: the chosen version of every differing field, on top of what is stored now. */
  settle(keepMine: readonly Field[]): void;
}

/** The server names members one by one: `userDetail.2.userId` is a problem of the field userDetail. */
function byServer(error: ApiError): Problems {
  const named = Object.entries(error.fieldErrors).map(([name, message]) => [fields.find((field) => name.split('.').includes(field)), { message }] as const);
  return Object.fromEntries(named.filter(([field]) => field !== undefined));
}

/** The state of the work-group page: created without an id, changed with one (S2 section 4). */
export function useWorkGroupForm(loaded: Group | null): WorkGroupForm {
  const client = useQueryClient();
  const [stored, setStored] = useState(loaded);
  const [fresh] = useState(() => emptyValues(storedWorkId()));
  const before = stored ? valuesOf(stored) : fresh;
  const [values, setValues] = useState(before);
  const [problems, setProblems] = useState<Problems>({});
  const [failure, setFailure] = useState<ApiError | null>(null);
  const [theirs, setTheirs] = useState<Group | null>();

  async function refused(error: ApiError): Promise<Outcome> {
    if (stored !== null && (error.status === 409 || error.status === 404)) {
      const newest = await call(getWorkGroup, { params: { id: stored.id } }, { quiet: true }).catch((cause: unknown) => (cause instanceof ApiError && cause.status === 404 ? null : undefined));
      setTheirs(newest);
      if (newest !== undefined) return { kind: 'refused' };
    }
    setProblems(byServer(error));
    setFailure(error);
    return { kind: 'refused', failure: error };
  }
  async function attempt(): Promise<Outcome> {
    setFailure(null);
    setTheirs(undefined);
    const found = problemsOf(values);
    setProblems(found);
    if (Object.keys(found).length > 0) return { kind: 'refused' };
    try {
      if (stored === null) await call(createWorkGroup, { body: bodyOf(values) }, { quiet: true });
      else await call(updateWorkGroup, { body: { id: stored.id, version: stored.version, ...bodyOf(values) } }, { quiet: true });
    } catch (cause) {
      if (!(cause instanceof ApiError)) throw cause;
      return refused(cause);
    }
    void Promise.all([listWorkGroups, getWorkGroup, listWorkGroupOptions].map((route) => client.invalidateQueries({ queryKey: callKey(route) })));
    return { kind: 'saved' };
  }

  const run = useSubmit(attempt);
  return {
    values, before, problems, failure, theirs, busy: run.busy, changed: differing(values, before).length > 0,
    submit: async () => (await run.submit()) ?? { kind: 'refused' },
    set(field, value) {
      setValues((now) => ({ ...now, [field]: value }));
      setProblems(({ [field]: _, ...rest }) => rest);
    },
    reset() {
      setValues(before);
      setProblems({});
      setFailure(null);
      setTheirs(undefined);
    },
    settle(keepMine) {
      if (!theirs) return;
      setStored(theirs);
      setValues({ ...valuesOf(theirs), ...Object.fromEntries(keepMine.map((field) => [field, values[field]])) });
      setTheirs(undefined);
    },
  };
}
