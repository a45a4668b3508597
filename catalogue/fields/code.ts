import { defineKind, fault, isLonger, value, wholeBetween, type BaseField, type OptionsOf, type Read } from './kind.ts';

/**
 * A code as it is painted on poles: letters of any script, digits, signs, brackets, single spaces inside. Sorted
 * naturally (P2 before P10), compared without regard to case and width.
 */
export interface CodeField extends BaseField {
  readonly kind: 'code';
  readonly maxLength: number;
}
export const code = (key: string, options: OptionsOf<CodeField>): CodeField => ({ kind: 'code', key, ...options });

/** The first sign is a letter with its marks, a digit or an opening bracket; no sign is invisible. */
const allowed =
  /^(?!\p{M})(?:(?!\p{Default_Ignorable_Code_Point})[\p{L}\p{M}\p{N}([（［【〔「〈《]|(?<!^)[_.:/# )\]）］】〕」〉》-])+$/u;

function read(input: unknown, field: CodeField): Read<string> {
  if (typeof input !== 'string') return fault('type');
  // A blank of any width becomes a space: people cannot tell them apart.
  const clean = input
    .trim()
    .replaceAll(/\p{Zs}+/gu, ' ')
    .normalize('NFC');
  if (isLonger(clean, field.maxLength)) return fault('maxLength', { max: field.maxLength });
  return allowed.test(clean) ? value(clean) : fault('code');
}

export const codeKind = defineKind<CodeField, string>({
  schema: (field) => ({ type: 'string', minLength: 1, maxLength: field.maxLength }),
  sqlType: 'text',
  read,
  toText: (v) => v,
  readText: read,
  simulate: (random) => `A-${wholeBetween(random, 1, 99999)}`,
  docs: (field) =>
    `code of letters of any script, digits, brackets, - _ . : / # and spaces inside, up to ${field.maxLength} characters, sorted naturally`,
});
