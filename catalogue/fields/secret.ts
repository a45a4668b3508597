import { defineKind, digits, fault, isLonger, value, type BaseField, type OptionsOf, type Read } from './kind.ts';

/** A password of a device: encrypted at rest, written but never returned. A reply says only whether one is stored. */
export interface SecretField extends BaseField {
  readonly kind: 'secret';
  readonly maxLength: number;
}
export const secret = (key: string, options: OptionsOf<SecretField>): SecretField => ({
  kind: 'secret',
  key,
  ...options,
});

function read(input: unknown, field: SecretField): Read<string> {
  if (typeof input !== 'string') return fault('type');
  if (input === '') return fault('minLength', { min: 1 });
  if (input.includes('\u0000')) return fault('characters');
  return isLonger(input, field.maxLength) ? fault('maxLength', { max: field.maxLength }) : value(input);
}

export const secretKind = defineKind<SecretField, string>({
  schema: (field) => ({ type: 'string', minLength: 1, maxLength: field.maxLength, writeOnly: true }),
  sqlType: 'text',
  read,
  toText: () => '',
  readText: read,
  simulate: (random) => `Pw-${digits(random, 8)}`,
  docs: (field) => `secret, up to ${field.maxLength} characters; stored encrypted, never returned`,
});
