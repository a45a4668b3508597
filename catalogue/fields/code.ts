import { defineKind, fault, value, wholeBetween, type BaseField, type OptionsOf, type Read } from './kind.ts';

/** A code people read aloud: no spaces, sorted naturally (P2 before P10), compared without regard to case and width. */
export interface CodeField extends BaseField { readonly kind: 'code'; readonly maxLength: number }
export const code = (key: string, options: OptionsOf<CodeField>): CodeField => ({ kind: 'code', key, ...options });

const allowed = /^[\p{L}\p{N}][\p{L}\p{N}\-_.:/#]*$/u;

function read(input: unknown, field: CodeField): Read<string> {
  if (typeof input !== 'string') return fault('type');
  const clean = input.trim().normalize('NFC');
  if ([...clean].length > field.maxLength) return fault('maxLength', { max: field.maxLength });
  return allowed.test(clean) ? value(clean) : fault('code');
}

export const codeKind = defineKind<CodeField, string>({
  schema: (field) => ({ type: 'string', minLength: 1, maxLength: field.maxLength }),
  sqlType: 'text',
  read,
  toText: (v) => v,
  readText: read,
  simulate: (random) => `A-${wholeBetween(random, 1, 99999)}`,
  docs: (field) => `code of letters, digits and - _ . : / #, up to ${field.maxLength} characters, sorted naturally`,
});
