import { useState } from 'react';
import {
  createLoginAppearance,
  listLoginAppearances,
  updateLoginAppearance,
} from '../../../../../contract/people/login-appearances.ts';
import { getLoginAppearance } from '../../../../../contract/specified/sign-in.ts';
import { ApiError, call, useSend } from '../../../api/index.ts';
import {
  appearanceFields,
  differing,
  isGeneral,
  problemsOf,
  startOf,
  valuesOf,
  type Appearance,
  type AppearanceField,
  type AppearanceRule,
  type AppearanceValues,
} from './appearance.ts';

export type FieldError = { rule: AppearanceRule } | { message: string };

/** What a change asks again: the list, and the own tab's name, logo, title and icon. */
export const refreshed = [listLoginAppearances, getLoginAppearance];

/**
 * The form of one appearance (stored null: a new one): every problem at once, the server's by field, another operator's
 * change.
 */
export function useAppearanceForm(
  stored: Appearance | null,
  all: readonly Appearance[],
  onDirty: (dirty: boolean) => void,
) {
  const [base, setBase] = useState(stored);
  const [start] = useState(() => startOf(all.find(isGeneral)));
  const before = base ? valuesOf(base) : start;
  const [values, setValues] = useState<AppearanceValues>(before);
  const [errors, setErrors] = useState<Partial<Record<AppearanceField, FieldError>>>({});
  const [failure, setFailure] = useState<ApiError | null>(null);
  const [theirs, setTheirs] = useState<Appearance | null>();
  const create = useSend(createLoginAppearance, refreshed, { quiet: true });
  const update = useSend(updateLoginAppearance, refreshed, { quiet: true });
  const general = base !== null && isGeneral(base);

  async function send(): Promise<Appearance> {
    const texts = {
      name: values.name.trim(),
      title: values.title.trim(),
      host: general ? null : values.host.trim().toLowerCase(),
    };
    if (base === null) return create.mutateAsync({ body: { ...values, ...texts } });
    // Untouched pictures stay where they are: they need not travel.
    const changed = Object.fromEntries(
      differing(values, before).map((field) => [
        field,
        field in texts ? texts[field as keyof typeof texts] : values[field],
      ]),
    );
    return update.mutateAsync({ params: { id: base.id }, body: { ...changed, version: base.version } });
  }

  async function refused(error: ApiError): Promise<void> {
    if (base !== null && (error.status === 409 || error.status === 404)) {
      const list = await call(listLoginAppearances, {}, { quiet: true }).catch(() => undefined);
      if (list) return setTheirs(list.data.find(({ id }) => id === base.id) ?? null);
    }
    const { fieldErrors } = error;
    const named = Object.fromEntries(
      appearanceFields.flatMap((field) => {
        const message = fieldErrors[field];
        return message === undefined ? [] : [[field, { message }]];
      }),
    );
    setErrors(named);
    if (Object.keys(named).length === 0) setFailure(error);
  }

  return {
    values,
    errors,
    failure,
    general,
    saving: create.isPending || update.isPending,
    dirty: differing(values, before).length > 0,
    /** Somebody else saved first: what is stored now (null: deleted), and what differs from what was typed. */
    conflict:
      theirs === undefined ? undefined : { theirs, fields: theirs === null ? [] : differing(values, valuesOf(theirs)) },
    set<F extends AppearanceField>(field: F, value: AppearanceValues[F]): void {
      const next = { ...values, [field]: value };
      setValues(next);
      setErrors(({ [field]: _gone, ...rest }) => rest);
      onDirty(differing(next, before).length > 0);
    },
    /** Back to what is stored. */
    undo(): void {
      setValues(before);
      setErrors({});
      setFailure(null);
      setTheirs(undefined);
      onDirty(false);
    },
    async submit(): Promise<Appearance | undefined> {
      setFailure(null);
      const taken = all.flatMap((one) => (one.host === null || one.id === base?.id ? [] : [one.host.toLowerCase()]));
      const problems = problemsOf(values, general, taken);
      setErrors(Object.fromEntries(Object.entries(problems).map(([field, rule]) => [field, { rule }])));
      if (Object.keys(problems).length > 0) return undefined;
      try {
        const saved = await send();
        setBase(saved);
        setValues(valuesOf(saved));
        onDirty(false);
        return saved;
      } catch (cause) {
        if (!(cause instanceof ApiError)) throw cause;
        await refused(cause);
        return undefined;
      }
    },
    settle(keep: 'mine' | 'theirs'): void {
      if (!theirs) return;
      setBase(theirs);
      if (keep === 'theirs') setValues(valuesOf(theirs));
      onDirty(keep === 'mine' && differing(values, valuesOf(theirs)).length > 0);
      setTheirs(undefined);
    },
  };
}
export type AppearanceForm = ReturnType<typeof useAppearanceForm>;
