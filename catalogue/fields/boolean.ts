import { defineKind, fault, value, type BaseField, type OptionsOf } from './kind.ts';

/** Yes or no. */
export interface BooleanField extends BaseField {
  readonly kind: 'boolean';
}
export const boolean = (key: string, options: OptionsOf<BooleanField> = {}): BooleanField => ({
  kind: 'boolean',
  key,
  ...options,
});

// People type a flag into a spreadsheet in their own language. The program writes true and false in every language.
const yes = new Set(['true', '1', 'yes', '是', 'oui', 'はい', '예']);
const no = new Set(['false', '0', 'no', '否', 'non', 'いいえ', '아니요']);

export const booleanKind = defineKind<BooleanField, boolean>({
  schema: () => ({ type: 'boolean' }),
  sqlType: 'boolean',
  read: (input) => (typeof input === 'boolean' ? value(input) : fault('type')),
  toText: (v) => String(v),
  readText: (text) => {
    const word = text.trim().toLowerCase();
    return yes.has(word) ? value(true) : no.has(word) ? value(false) : fault('type');
  },
  simulate: (random) => random() < 0.5,
  docs: () => 'true or false',
});
