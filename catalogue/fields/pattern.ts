import {
  defineKind,
  digits,
  fault,
  value,
  wholeBetween,
  type BaseField,
  type FieldKind,
  type OptionsOf,
  type Random,
  type Rule,
} from './kind.ts';

/** Short texts of a fixed form: trimmed, matched, refused by a rule of their own. */
export interface PatternField extends BaseField {
  readonly kind: 'phone' | 'ipv4' | 'sim' | 'idCard';
}

function patternKind<F extends PatternField>(
  rule: Rule,
  form: RegExp,
  simulate: (random: Random) => string,
  docs: string,
): FieldKind<F, string> {
  const read = (input: unknown) =>
    typeof input !== 'string' ? fault('type') : form.test(input.trim()) ? value(input.trim()) : fault(rule);
  return defineKind<F, string>({
    schema: () => ({ type: 'string', pattern: form.source }),
    sqlType: 'text',
    read,
    readText: read,
    toText: (v) => v,
    simulate,
    docs: () => docs,
  });
}

/** Mainland mobile number: 11 digits starting with 1. */
export interface PhoneField extends BaseField {
  readonly kind: 'phone';
}
export const phone = (key: string, options: OptionsOf<PhoneField> = {}): PhoneField => ({
  kind: 'phone',
  key,
  ...options,
});
export const phoneKind = patternKind<PhoneField>(
  'phone',
  /^1[3-9]\d{9}$/,
  (r) => `13${digits(r, 9)}`,
  'mobile number of 11 digits',
);

/** Dotted IPv4 address. */
export interface Ipv4Field extends BaseField {
  readonly kind: 'ipv4';
}
export const ipv4 = (key: string, options: OptionsOf<Ipv4Field> = {}): Ipv4Field => ({ kind: 'ipv4', key, ...options });
export const ipv4Kind = patternKind<Ipv4Field>(
  'ipv4',
  /^(25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(\.(25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)){3}$/,
  (r) => `10.${wholeBetween(r, 0, 255)}.${wholeBetween(r, 0, 255)}.${wholeBetween(r, 1, 254)}`,
  'dotted IPv4 address',
);

/** SIM number: up to 20 pure digits. */
export interface SimField extends BaseField {
  readonly kind: 'sim';
}
export const sim = (key: string, options: OptionsOf<SimField> = {}): SimField => ({ kind: 'sim', key, ...options });
export const simKind = patternKind<SimField>(
  'sim',
  /^\d{1,20}$/,
  (r) => `8986${digits(r, 16)}`,
  'SIM number, up to 20 digits',
);

/**
 * Number of a mainland ID card: 17 digits with a possible birthday and a check digit, or the 15 digits of old cards.
 */
export interface IdCardField extends BaseField {
  readonly kind: 'idCard';
}
export const idCard = (key: string, options: OptionsOf<IdCardField> = {}): IdCardField => ({
  kind: 'idCard',
  key,
  ...options,
});
export const idCardKind = patternKind<IdCardField>(
  'idCard',
  /^[1-9]\d{5}((19|20)\d{2}(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])\d{3}[\dXx]|\d{2}(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])\d{3})$/,
  (r) => `33010619${wholeBetween(r, 50, 99)}0${wholeBetween(r, 1, 9)}1${wholeBetween(r, 0, 9)}${digits(r, 3)}X`,
  'mainland ID card number',
);
