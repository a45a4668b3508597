import { useState } from 'react';
import { createUser, getUserDetails, listUsers, updateUser } from '../../../../../contract/specified/users.ts';
import { ApiError, call, useSend } from '../../../api/index.ts';
import type { GivenPassword } from '../../../parts/people/users/PasswordDialog.tsx';
import {
  changesOf,
  emptyValues,
  isChanged,
  problemsOf,
  valuesOf,
  type Detail,
  type UserRule,
  type UserValues,
} from '../../../parts/people/users/user.ts';

type Field = keyof UserValues;
/** A rule of ours by its key, or the server's own sentence. */
export type FieldError = { rule: UserRule } | { message: string };

export interface UserForm {
  values: UserValues;
  errors: Readonly<Partial<Record<Field, FieldError>>>;
  /** What went wrong apart from the fields. */
  failure: ApiError | null;
  /** Somebody else saved first: what stands there now; null when the account is gone. */
  conflict: { theirs: Detail | null } | undefined;
  saving: boolean;
  set<F extends Field>(field: F, value: UserValues[F]): void;
  /** Resolves with whether it was saved, and the first password of a new account. */
  submit(): Promise<{ saved: boolean; given?: GivenPassword }>;
  /** After a conflict: the stored version replaces what was typed, or what was typed is saved over it next. */
  settle(keep: 'mine' | 'theirs'): void;
}

const fields: readonly Field[] = ['username', 'nickname', 'treeLevel', 'roles'];
const byServer = (error: ApiError): Partial<Record<Field, FieldError>> =>
  Object.fromEntries(
    fields.flatMap((field) => {
      const message = error.fieldErrors[field];
      return message === undefined ? [] : [[field, { message }]];
    }),
  );

/**
 * The state of the dialog: values, every problem at once, what the server refuses by field, and the second operator's
 * conflict.
 */
export function useUserForm(stored: Detail | null, onDirty: (dirty: boolean) => void): UserForm {
  const [base, setBase] = useState(stored);
  const before = base ? valuesOf(base) : emptyValues;
  const [values, setValues] = useState<UserValues>(before);
  const [errors, setErrors] = useState<UserForm['errors']>({});
  const [failure, setFailure] = useState<ApiError | null>(null);
  const [conflict, setConflict] = useState<UserForm['conflict']>();
  const create = useSend(createUser, [listUsers], { quiet: true });
  const update = useSend(updateUser, [listUsers], { quiet: true });

  async function send(): Promise<GivenPassword | undefined> {
    const { nickname, treeLevel, roles, username } = values;
    if (base === null) {
      const { data } = await create.mutateAsync({
        body: {
          username: username.trim(),
          nickname: nickname.trim() || null,
          roles: [...roles],
          treeLevel: treeLevel ?? 5,
        },
      });
      return { username: username.trim(), password: data.password };
    }
    const changes = changesOf(values, before);
    if (Object.keys(changes).length > 0)
      await update.mutateAsync({ body: { id: base.id, ...changes, version: base.version } });
    return undefined;
  }

  async function refused(error: ApiError): Promise<void> {
    if (error.status === 409 && base !== null) {
      const theirs = await call(getUserDetails, { query: { userId: base.id } }, { quiet: true }).catch(
        (cause: unknown) => (cause instanceof ApiError && cause.status === 404 ? null : undefined),
      );
      if (theirs !== undefined) return setConflict({ theirs });
    }
    const named = byServer(error);
    if (Object.keys(named).length > 0) setErrors(named);
    else setFailure(error);
  }

  return {
    values,
    errors,
    failure,
    conflict,
    saving: create.isPending || update.isPending,
    set(field, value) {
      const next = { ...values, [field]: value };
      setValues(next);
      setErrors(({ [field]: _gone, ...rest }) => rest);
      onDirty(isChanged(next, before));
    },
    async submit() {
      setFailure(null);
      setConflict(undefined);
      const problems = problemsOf(values, base === null);
      setErrors(Object.fromEntries(Object.entries(problems).map(([field, rule]) => [field, { rule }])));
      if (Object.keys(problems).length > 0) return { saved: false };
      try {
        const given = await send();
        return { saved: true, ...(given ? { given } : {}) };
      } catch (cause) {
        if (!(cause instanceof ApiError)) throw cause;
        await refused(cause);
        return { saved: false };
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
