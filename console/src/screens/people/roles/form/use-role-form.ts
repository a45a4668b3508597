import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { errors } from '../../../../../../contract/errors.ts';
import {
  createRole,
  getRole,
  getRoleMenus,
  listRoleOptions,
  listRoles,
  roleLimits,
  updateRole,
  type RoleDetail,
  type RoleMenuNode,
} from '../../../../../../contract/specified/roles.ts';
import { ApiError, call, callKey } from '../../../../api/index.ts';
import { useSubmit } from '../../../../parts/form/index.ts';

export interface RoleValues {
  name: string;
  icon: string;
  roleExtent: string;
  parentId: number;
}
export type RoleField = keyof RoleValues;
export type Problem = { rule: 'required' } | { rule: 'maxLength'; max: number } | { message: string };
export type Problems = Partial<Record<RoleField | 'menus', Problem>>;

export const newRole: RoleValues = { name: '', icon: 'md-key', roleExtent: '', parentId: 0 };
export const valuesOf = (role: RoleDetail): RoleValues => ({
  name: role.name,
  icon: role.icon,
  roleExtent: role.roleExtent,
  parentId: role.parentId,
});
export const fields: readonly RoleField[] = ['name', 'roleExtent', 'icon', 'parentId'];

/** What somebody else stored meanwhile. */
export interface Theirs {
  readonly role: RoleDetail;
  readonly menus: readonly RoleMenuNode[];
}

export type Outcome =
  | { kind: 'saved'; message: string }
  /** Code 39: the server's message is shown, nothing else happens (specified 4.3). */
  | { kind: 'taken'; message: string }
  | { kind: 'refused' };

const textProblem = (text: string, max: number): Problem | undefined => {
  const length = [...text.trim().normalize('NFC')].length;
  return length === 0 ? { rule: 'required' } : length > max ? { rule: 'maxLength', max } : undefined;
};

export function problemsOf(values: RoleValues): Problems {
  const found = {
    name: textProblem(values.name, roleLimits.name.max),
    roleExtent: textProblem(values.roleExtent, roleLimits.roleExtent.max),
    icon: textProblem(values.icon, 100),
  };
  return Object.fromEntries(Object.entries(found).filter(([, problem]) => problem !== undefined));
}

export interface RoleForm {
  values: RoleValues;
  before: RoleValues;
  problems: Problems;
  /** From submit until it failed; after a success it stays, the page closes. */
  busy: boolean;
  failure: ApiError | null;
  /** Somebody else saved first: what stands there now; null: the role is gone. */
  theirs: Theirs | null | undefined;
  stored: RoleDetail | null;
  set<F extends RoleField>(field: F, value: RoleValues[F]): void;
  /** Saves role and menus in one call, so that nothing is half done. */
  submit(menus: readonly number[]): Promise<Outcome>;
  reset(): void;
  /** After a conflict: the chosen version of every differing field, on top of what is stored now. */
  settle(keepMine: readonly RoleField[]): void;
}

/** The role and its menus as they are stored now; null: it was deleted; undefined: they cannot be read. */
async function readStored(id: number): Promise<Theirs | null | undefined> {
  try {
    const role = await call(getRole, { params: { id } }, { quiet: true });
    return {
      role,
      menus: (await call(getRoleMenus, { body: { roles: id, parentId: role.parentId } }, { quiet: true })).items,
    };
  } catch (cause) {
    return cause instanceof ApiError && cause.status === 404 ? null : undefined;
  }
}

/** The state of the role form (specified 4.2, 4.3). */
export function useRoleForm(loaded: RoleDetail | null): RoleForm {
  const client = useQueryClient();
  const [stored, setStored] = useState(loaded);
  const before = stored ? valuesOf(stored) : newRole;
  const [values, setValues] = useState(before);
  const [problems, setProblems] = useState<Problems>({});
  const [failure, setFailure] = useState<ApiError | null>(null);
  const [theirs, setTheirs] = useState<Theirs | null>();

  async function refused(error: ApiError): Promise<Outcome> {
    if (error.status === 409 && stored !== null) {
      const newest = await readStored(stored.id);
      setTheirs(newest);
      if (newest !== undefined) return { kind: 'refused' };
    }
    const named = Object.entries(error.fieldErrors).filter(([field]) =>
      [...fields, 'menus'].some((known) => known === field),
    );
    setProblems(Object.fromEntries(named.map(([field, message]) => [field, { message }])));
    setFailure(error);
    return { kind: 'refused' };
  }

  async function attempt(menus: readonly number[]): Promise<Outcome> {
    setFailure(null);
    setTheirs(undefined);
    const found = problemsOf(values);
    setProblems(found);
    if (Object.keys(found).length > 0) return { kind: 'refused' };
    const body = {
      name: values.name.trim(),
      icon: values.icon,
      roleExtent: values.roleExtent.trim(),
      parentId: values.parentId,
      menus: [...menus],
    };
    try {
      const saved =
        stored === null
          ? await call(createRole, { body }, { quiet: true })
          : await call(updateRole, { body: { id: stored.id, version: stored.version, ...body } }, { quiet: true });
      if (saved.code === errors.taken.code) {
        setProblems({ name: { message: saved.msg } });
        return { kind: 'taken', message: saved.msg };
      }
      void Promise.all(
        [listRoles, listRoleOptions, getRole, getRoleMenus].map((route) =>
          client.invalidateQueries({ queryKey: callKey(route) }),
        ),
      );
      return { kind: 'saved', message: saved.msg };
    } catch (cause) {
      if (!(cause instanceof ApiError)) throw cause;
      return refused(cause);
    }
  }

  const run = useSubmit(attempt);
  return {
    values,
    before,
    problems,
    failure,
    theirs,
    stored,
    busy: run.busy,
    set(field, value) {
      setValues((now) => ({ ...now, [field]: value }));
      setProblems(({ [field]: _, ...rest }) => rest);
    },
    submit: async (menus) => (await run.submit(menus)) ?? { kind: 'refused' },
    reset() {
      setValues(before);
      setProblems({});
      setFailure(null);
      setTheirs(undefined);
    },
    settle(keepMine) {
      if (!theirs) return;
      setStored(theirs.role);
      setValues({ ...valuesOf(theirs.role), ...Object.fromEntries(keepMine.map((field) => [field, values[field]])) });
      setTheirs(undefined);
      void client.invalidateQueries({ queryKey: callKey(getRoleMenus) });
    },
  };
}
