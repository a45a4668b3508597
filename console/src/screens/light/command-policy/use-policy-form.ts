import type { Static } from 'typebox';
import {
  getCommandSettings,
  limitBounds,
  updateCommandSettings,
  type CommandSettings,
} from '../../../../../contract/light/command-settings.ts';
import { call, useSend } from '../../../api/index.ts';
import { useVersionedForm } from '../../../parts/form/index.ts';

export type Settings = Static<typeof CommandSettings>;
export type Values = Settings['policy'] & Settings['limits'];
export type FieldName = keyof Values;
/** What is wrong with a field before the server is asked; `confirmFirst`: a proof cannot come before the answer. */
export type Rule = 'required' | 'confirmFirst';

export const policyFields = [
  'off',
  'dimBelow',
  'reasonAbove',
  'approvalAbove',
  'withinMinutes',
  'approvalMinutes',
] as const satisfies readonly FieldName[];
export const limitFields = Object.keys(limitBounds) as (keyof typeof limitBounds)[];
const fields: readonly FieldName[] = [...policyFields, ...limitFields];

const valuesOf = ({ policy, limits }: Settings): Values => ({ ...policy, ...limits });
const differing = (one: Values, other: Values): FieldName[] => fields.filter((field) => one[field] !== other[field]);
/** The server names a field by its place: `policy.reasonAbove`. */
const fieldOf = (name: string): FieldName | undefined => fields.find((field) => field === name.split('.').at(-1));

function problemsOf(values: Values): Partial<Record<FieldName, Rule>> {
  // A number field that was emptied is null; of those that may be empty, empty means never.
  const needed: readonly FieldName[] = ['withinMinutes', 'approvalMinutes', ...limitFields];
  const missing = needed.filter((field) => values[field] === null).map((field) => [field, 'required'] as const);
  return {
    ...(values.confirmSeconds < values.acknowledgeSeconds ? { confirmSeconds: 'confirmFirst' as const } : {}),
    ...Object.fromEntries(missing),
  };
}

/** The form of the site's rules for commands. */
export function usePolicyForm(loaded: Settings) {
  const update = useSend(updateCommandSettings, [getCommandSettings], { quiet: true });
  return useVersionedForm<Settings, Values, FieldName, Rule, Settings>({
    loaded,
    empty: valuesOf(loaded),
    valuesOf,
    differing,
    problemsOf,
    fieldOf,
    send: ({ reasonAbove, approvalAbove, withinMinutes, approvalMinutes, off, dimBelow, ...limits }, stored) =>
      update.mutateAsync({
        body: {
          ...(stored ? { version: stored.version } : {}),
          policy: { reasonAbove, approvalAbove, withinMinutes, approvalMinutes, off, dimBelow },
          limits,
        },
      }),
    newest: () => call(getCommandSettings, {}, { quiet: true }),
  });
}
export type PolicyForm = ReturnType<typeof usePolicyForm>;
