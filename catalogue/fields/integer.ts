import { plainNumber } from './number.ts';
import { defineKind, fault, value, wholeBetween, type BaseField, type OptionsOf, type Read } from './kind.ts';

/** A whole number. */
export interface IntegerField extends BaseField {
  readonly kind: 'integer';
  readonly unit?: string;
  readonly min: number;
  readonly max: number;
}
export const integer = (key: string, options: OptionsOf<IntegerField>): IntegerField => ({
  kind: 'integer',
  key,
  ...options,
});

function read(input: unknown, field: IntegerField): Read<number> {
  if (typeof input !== 'number' || !Number.isFinite(input)) return fault('type');
  if (!Number.isInteger(input)) return fault('whole');
  if (input < field.min || input > field.max) return fault('range', { min: field.min, max: field.max });
  return value(Object.is(input, -0) ? 0 : input);
}

export const integerKind = defineKind<IntegerField, number>({
  schema: (field) => ({ type: 'integer', minimum: field.min, maximum: field.max }),
  sqlType: 'double precision',
  read,
  toText: (v) => String(v),
  readText: (text, field) => (plainNumber.test(text.trim()) ? read(Number(text), field) : fault('type')),
  simulate: (random, field) => wholeBetween(random, field.min, field.max),
  docs: (field) => `whole number ${field.min}–${field.max}`,
});
