import { defineKind, fault, value, wholeBetween, type BaseField, type OptionsOf, type Read } from './kind.ts';

/** The id of a record or of a device of one family. On the wire a number; decimal text is accepted too. */
export interface ReferenceField extends BaseField {
  readonly kind: 'reference';
  readonly to: { readonly record: string } | { readonly family: string };
}
export const reference = (key: string, options: OptionsOf<ReferenceField>): ReferenceField => ({
  kind: 'reference',
  key,
  ...options,
});

function read(input: unknown): Read<number> {
  const id = typeof input === 'string' && /^[1-9]\d{0,15}$/.test(input.trim()) ? Number(input) : input;
  return typeof id === 'number' && Number.isSafeInteger(id) && id >= 1 ? value(id) : fault('type');
}

export const referenceKind = defineKind<ReferenceField, number>({
  schema: () => ({ type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER }),
  sqlType: 'bigint',
  read,
  toText: (v) => String(v),
  readText: (text) => read(text),
  simulate: (random) => wholeBetween(random, 1, 1000),
  docs: (field) =>
    'record' in field.to ? `id of a ${field.to.record}` : `id of a device of family ${field.to.family}`,
});
