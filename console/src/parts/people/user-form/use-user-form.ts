import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { getCurrentUser } from '../../../../../contract/specified/account.ts';
import { getPublicKey } from '../../../../../contract/specified/sign-in.ts';
import {
  createUserDetails,
  getUserDetails,
  listUsers,
  updateUserDetails,
} from '../../../../../contract/specified/users.ts';
import { ApiError, call, callKey } from '../../../api/index.ts';
import { encryptPassword } from '../../../crypto/index.ts';
import { useSubmit } from '../../form/index.ts';
import { useNameCheck, type NameCheck } from './use-name-check.ts';
import {
  bodyOf,
  changesOf,
  emptyValues,
  fieldOrder,
  isChanged,
  problemsOf,
  valuesOf,
  type Detail,
  type Field,
  type Mode,
  type Problem,
  type Problems,
  type Stored,
  type StoredField,
  type Values,
} from './values.ts';

/** What the operator's wrong password is recognised by, in every language (specified 3.6). */
const wrongOwnPassword = '管理员密码不正确！';

/** How a submit ended; `once` is the first password of a new account. */
export type Outcome =
  | { kind: 'saved'; once?: string }
  | { kind: 'wrongPassword' }
  | { kind: 'refused'; failure?: ApiError };

export interface UserForm {
  mode: Mode;
  values: Values;
  before: Values;
  problems: Problems;
  nameCheck: NameCheck;
  /** From submit until it failed; after a success it stays, the page closes (specified 2.9). */
  busy: boolean;
  changed: boolean;
  failure: ApiError | null;
  /** Somebody else saved first: what stands there now; null: the account is gone. */
  theirs: Detail | null | undefined;
  set<F extends Field>(field: F, value: Values[F]): void;
  /** The field was left: what is wrong with what stands in it shows now. */
  leave(field: Field): void;
  submit(): Promise<Outcome>;
  reset(): void;
  /** After a conflict: the chosen version of every differing field, on top of what is stored now. */
  settle(keepMine: readonly StoredField[]): void;
}

const without = <F extends Field>(problems: Problems, field: F): Problems => ({ ...problems, [field]: undefined });
const filled = (problems: Problems): Problems =>
  Object.fromEntries(Object.entries(problems).filter(([, problem]) => problem !== undefined));

/** The server's refusals by field; it may name a field with the object around it. */
function byServer(error: ApiError): Problems {
  const messages = Object.entries(error.fieldErrors).map(
    ([name, message]) => [name.split('.').at(-1) ?? name, message] as const,
  );
  return Object.fromEntries(
    messages
      .filter(([name]) => fieldOrder.some((field) => field === name))
      .map(([name, message]): [string, Problem] => [name, { message }]),
  );
}

async function encrypted(passwords: readonly string[]): Promise<string[]> {
  if (passwords.every((password) => password === '')) return passwords.map(() => '');
  const { publicKey } = await call(getPublicKey, {}, { quiet: true });
  return passwords.map((password) => (password === '' ? '' : encryptPassword(publicKey, password)));
}

/** Sends what was typed; resolves with the first password of a new account. */
async function send(mode: Mode, values: Values, before: Values, stored: Stored | null): Promise<string | undefined> {
  if (mode === 'create' || stored === null)
    return (await call(createUserDetails, { body: bodyOf(values) }, { quiet: true })).password;
  const [currentUserPwd = '', newPassword = ''] =
    mode === 'own' ? [] : await encrypted([values.currentUserPwd, values.newPassword]);
  const cscpUserDetailDTO = {
    id: stored.id,
    userId: stored.userId,
    ...changesOf(values, before),
    ...(stored.version === undefined ? {} : { version: stored.version }),
  };
  await call(updateUserDetails, { body: { cscpUserDetailDTO, currentUserPwd, newPassword } }, { quiet: true });
  return undefined;
}

/**
 * The state of the full screen: values, every problem at once, what the server refuses, the second operator's version.
 */
export function useUserForm(loaded: Stored | null, mode: Mode): UserForm {
  const client = useQueryClient();
  const nameCheck = useNameCheck();
  const [stored, setStored] = useState(loaded);
  const before = stored ? valuesOf(stored) : emptyValues;
  const [values, setValues] = useState(before);
  const [problems, setProblems] = useState<Problems>({});
  const [failure, setFailure] = useState<ApiError | null>(null);
  const [theirs, setTheirs] = useState<Detail | null>();

  async function judge(): Promise<Problems> {
    const found = problemsOf(values, mode);
    if (mode !== 'create' || found.username) return found;
    const name = await nameCheck.now(values.username);
    return name === 'free' ? found : { ...found, username: { rule: name === 'taken' ? 'taken' : 'checkFailed' } };
  }
  async function refused(error: ApiError): Promise<Outcome> {
    if (error.problem?.detail === wrongOwnPassword) {
      setProblems({ currentUserPwd: { rule: 'wrongPassword' } });
      return { kind: 'wrongPassword' };
    }
    if (error.status === 409 && stored !== null) {
      const newest = await call(getUserDetails, { query: { userId: stored.id } }, { quiet: true }).catch(
        (cause: unknown) => (cause instanceof ApiError && cause.status === 404 ? null : undefined),
      );
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
    setProblems({});
    const found = await judge();
    setProblems(found);
    if (Object.keys(found).length > 0) return { kind: 'refused' };
    try {
      const once = await send(mode, values, before, stored);
      void Promise.all(
        [listUsers, getUserDetails, ...(mode === 'own' ? [getCurrentUser] : [])].map((route) =>
          client.invalidateQueries({ queryKey: callKey(route) }),
        ),
      );
      return { kind: 'saved', ...(once === undefined ? {} : { once }) };
    } catch (cause) {
      if (!(cause instanceof ApiError)) throw cause;
      return refused(cause);
    }
  }

  const run = useSubmit(attempt);
  return {
    mode,
    values,
    before,
    problems,
    nameCheck,
    busy: run.busy,
    failure,
    theirs,
    changed: isChanged(values, before),
    set(field, value) {
      setValues((now) => ({ ...now, [field]: value }));
      setProblems((now) => filled(without(now, field)));
      if (field === 'username') nameCheck.forget();
    },
    leave(field) {
      const problem = problemsOf(values, mode)[field];
      // An empty field is not complained about before the submit.
      if (problem && !('rule' in problem && problem.rule === 'required'))
        setProblems((now) => ({ ...now, [field]: problem }));
      if (field === 'username' && mode === 'create' && !problem) nameCheck.soon(values.username);
    },
    submit: async () => (await run.submit()) ?? { kind: 'refused' },
    reset() {
      nameCheck.forget();
      setValues(before);
      setProblems({});
      setFailure(null);
      setTheirs(undefined);
    },
    settle(keepMine) {
      if (!theirs) return;
      const now = valuesOf(theirs);
      setStored(theirs);
      setValues({
        ...now,
        ...Object.fromEntries(keepMine.map((field) => [field, values[field]])),
        currentUserPwd: values.currentUserPwd,
        newPassword: values.newPassword,
      });
      setTheirs(undefined);
    },
  };
}
