import { useState } from 'react';
import { ApiError } from '../../api/index.ts';
import { useSubmit } from './use-submit.ts';

/** What is wrong with a field: a rule of the screen's, or the server's own sentence. */
export type Problem<Rule> = Rule | { message: string };
export type Problems<F extends string, Rule> = Readonly<Partial<Record<F, Problem<Rule>>>>;

export interface FormParts<Stored, Values extends object, F extends keyof Values & string, Rule, Saved> {
  /** What is being changed, as it was read; null: something new. */
  loaded: Stored | null;
  empty: Values;
  valuesOf: (stored: Stored) => Values;
  differing: (one: Values, other: Values) => F[];
  /** Everything that is refused before the server is asked. */
  problemsOf: (values: Values) => Partial<Record<F, Rule>>;
  /** Which field a name of the server's belongs to; undefined: to none of them. */
  fieldOf: (name: string) => F | undefined;
  /** Sends the version of `stored` along, so that another's change is not overwritten. */
  send: (values: Values, stored: Stored | null) => Promise<Saved>;
  /** After a conflict: what stands there now; null: it is gone; undefined: it cannot be read. */
  newest: (stored: Stored) => Promise<Stored | null | undefined>;
}

export type Outcome<Saved> = { kind: 'saved'; saved: Saved } | { kind: 'refused'; failure?: ApiError };

export interface VersionedForm<Stored, Values extends object, F extends keyof Values & string, Rule, Saved> {
  values: Values;
  before: Values;
  problems: Problems<F, Rule>;
  /** From submit until it failed; after a success it stays, the form closes. */
  busy: boolean;
  changed: boolean;
  failure: ApiError | null;
  /** Somebody else saved first: what stands there now; null: it is gone. */
  theirs: Stored | null | undefined;
  set<K extends F>(field: K, value: Values[K]): void;
  /** The field is left: what was typed there is judged at once; an empty one waits for the submit. */
  leave(field: F): void;
  submit(): Promise<Outcome<Saved>>;
  reset(): void;
  /** After a conflict: the chosen version of every differing field, on top of what is stored now. */
  settle(keepMine: readonly F[]): void;
}

/**
 * The state of a form on something that has a version: problems of both sides by field, one attempt at a time, and both
 * versions after a conflict.
 */
export function useVersionedForm<Stored, Values extends object, F extends keyof Values & string, Rule, Saved>(
  parts: FormParts<Stored, Values, F, Rule, Saved>,
): VersionedForm<Stored, Values, F, Rule, Saved> {
  const { loaded, empty, valuesOf, differing, problemsOf, fieldOf, send, newest } = parts;
  const none = {} as Problems<F, Rule>;
  const [stored, setStored] = useState(loaded);
  const [fresh] = useState(empty);
  const before = stored === null ? fresh : valuesOf(stored);
  const [values, setValues] = useState(before);
  const [problems, setProblems] = useState(none);
  const [failure, setFailure] = useState<ApiError | null>(null);
  const [theirs, setTheirs] = useState<Stored | null>();

  async function refused(error: ApiError): Promise<Outcome<Saved>> {
    if (stored !== null && (error.status === 409 || error.status === 404)) {
      const now = await newest(stored).catch((cause: unknown) =>
        cause instanceof ApiError && cause.status === 404 ? null : undefined,
      );
      setTheirs(now);
      if (now !== undefined) return { kind: 'refused' };
    }
    const named = Object.entries(error.fieldErrors).map(([name, message]) => [fieldOf(name), { message }] as const);
    setProblems(Object.fromEntries(named.filter(([field]) => field !== undefined)) as Problems<F, Rule>);
    setFailure(error);
    return { kind: 'refused', failure: error };
  }
  async function attempt(): Promise<Outcome<Saved>> {
    setFailure(null);
    setTheirs(undefined);
    const found = problemsOf(values);
    setProblems(found);
    if (Object.keys(found).length > 0) return { kind: 'refused' };
    try {
      return { kind: 'saved', saved: await send(values, stored) };
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
    busy: run.busy,
    changed: differing(values, before).length > 0,
    submit: async () => (await run.submit()) ?? { kind: 'refused' },
    set(field, value) {
      setValues((now) => ({ ...now, [field]: value }));
      setProblems(({ [field]: _, ...rest }) => rest as Problems<F, Rule>);
    },
    leave(field) {
      const value: unknown = values[field];
      const problem = typeof value === 'string' && value.trim() === '' ? undefined : problemsOf(values)[field];
      if (problem !== undefined) setProblems((now) => ({ ...now, [field]: problem }));
    },
    reset() {
      setValues(before);
      setProblems(none);
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
