import { defineKind, fault, value, type BaseField, type OptionsOf, type Read } from './kind.ts';

/** A decimal number with a unit. */
export interface NumberField extends BaseField {
  readonly kind: 'number';
  /** Key of `unit.<key>` in the locales. */
  readonly unit?: string;
  readonly decimals: number;
  readonly min: number;
  readonly max: number;
}
export const number = (key: string, options: OptionsOf<NumberField>): NumberField => ({
  kind: 'number',
  key,
  ...options,
});

export const decimalsOf = (n: number): number => {
  const [mantissa = '', exponent = '0'] = String(n).split('e');
  return Math.max(0, (mantissa.split('.')[1]?.length ?? 0) - Number(exponent));
};
export const plainNumber = /^[+-]?(\d+(\.\d*)?|\.\d+)$/;

function read(input: unknown, field: NumberField): Read<number> {
  if (typeof input !== 'number' || !Number.isFinite(input)) return fault('type');
  if (input < field.min || input > field.max) return fault('range', { min: field.min, max: field.max });
  if (decimalsOf(input) > field.decimals) return fault('decimals', { decimals: field.decimals });
  return value(Object.is(input, -0) ? 0 : input);
}

export const numberKind = defineKind<NumberField, number>({
  schema: (field) => ({ type: 'number', minimum: field.min, maximum: field.max }),
  sqlType: 'double precision',
  read,
  toText: (v) => String(v),
  readText: (text, field) => (plainNumber.test(text.trim()) ? read(Number(text), field) : fault('type')),
  simulate: (random, field) => Number((field.min + random() * (field.max - field.min)).toFixed(field.decimals)),
  docs: (field) => `number ${field.min}–${field.max}, up to ${field.decimals} decimals`,
});
