import type { Family, CrossRule, Values } from './family.ts';
import { readField, type Field, type FieldValue } from './fields/index.ts';
import type { Problem } from './fields/kind.ts';
import { fits, type ReadingValue } from './quantities/index.ts';

/** `sound`: the fields without a problem of their own, when other fields have one. */
export type Validated = { readonly value: Values } | { readonly problems: readonly Problem[]; readonly sound: Values };
/** create: absent fields are empty or take their initial value. update: absent fields keep the value in `current`. */
export type Mode = 'create' | 'update';

interface Declared {
  readonly fields: readonly Field[];
  readonly rules: readonly CrossRule[];
}

/**
 * Reads outside data for a family or a record: first every field by its kind, then the rules over several fields.
 * Returns the values to store (on update only those given), or ALL problems by wire name. Never throws.
 */
export function validate(declared: Declared, input: unknown, mode: Mode, current: Values = {}): Validated {
  if (typeof input !== 'object' || input === null || Array.isArray(input))
    return { problems: [{ field: '', rule: 'type' }], sound: {} };
  const given = input as Readonly<Record<string, unknown>>;
  const problems: Problem[] = [];
  const value: Record<string, FieldValue> = {};
  const known = new Set(declared.fields.map((field) => field.key));
  for (const key of Object.keys(given)) if (!known.has(key)) problems.push({ field: key, rule: 'unknown' });
  for (const field of declared.fields) {
    const present = Object.hasOwn(given, field.key) && given[field.key] !== undefined;
    if (!present && mode === 'update') continue;
    const read = readOne(field, present ? given[field.key] : initialOf(field));
    if ('fault' in read) problems.push({ field: field.key, ...read.fault });
    else if (mode === 'update' && field.fixed && read.value !== (current[field.key] ?? null))
      problems.push({ field: field.key, rule: 'fixed' });
    else value[field.key] = read.value;
  }
  const wrong = new Set(problems.map((problem) => problem.field));
  const whole = { ...current, ...value };
  for (const rule of declared.rules) {
    // A field with a problem of its own is reported once.
    problems.push(...rule.check(whole).filter((problem) => !wrong.has(problem.field)));
  }
  return problems.length > 0 ? { problems, sound: value } : { value };
}

/** Problems of the single fields of an update; the stored row is not needed. */
export function faultsInThemselves(declared: Declared, input: unknown): readonly Problem[] {
  const result = validate(
    { fields: declared.fields.map((field) => ({ ...field, fixed: false })), rules: [] },
    input,
    'update',
  );
  return 'problems' in result ? result.problems : [];
}

export const validateDevice = (family: Family, input: unknown, mode: Mode, current?: Values): Validated =>
  validate(family, input, mode, current);

const initialOf = (field: Field): FieldValue => (field.kind === 'select' ? (field.initial ?? null) : null);

function readOne(field: Field, input: unknown): ReturnType<typeof readField> | { value: null } {
  const empty = input === null || (typeof input === 'string' && input.trim() === '' && field.kind !== 'secret');
  if (!empty) return readField(field, input);
  return field.required ? { fault: { rule: 'required' } } : { value: null };
}

export interface RejectedValue {
  readonly key: string;
  readonly rule: 'type' | 'range';
  /** Present if the value was a finite number. */
  readonly value?: number;
}
export interface ReadingCheck {
  readonly values: Readonly<Record<string, ReadingValue>>;
  readonly rejected: readonly RejectedValue[];
  /** Number of names that the family does not have. The names are dropped. */
  readonly unknown: number;
}

/**
 * Sorts the values of one reading into accepted, rejected (wrong type, NaN, out of range) and unknown. Never throws.
 */
export function validateReading(family: Family, input: unknown): ReadingCheck {
  const values: Record<string, ReadingValue> = {};
  const rejected: RejectedValue[] = [];
  let unknown = 0;
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return { values, rejected, unknown };
  const given = input as Readonly<Record<string, unknown>>;
  for (const key of Object.keys(given)) {
    const v = given[key];
    const quantity = family.quantity.get(key);
    if (!quantity) {
      unknown += 1;
      continue;
    }
    // A device sends null for a value that it does not know.
    if (v === null) continue;
    const verdict = fits(quantity, v);
    if (verdict === 'ok') values[key] = v as ReadingValue;
    else rejected.push({ key, rule: verdict, ...(typeof v === 'number' && Number.isFinite(v) ? { value: v } : {}) });
  }
  return { values, rejected, unknown };
}
