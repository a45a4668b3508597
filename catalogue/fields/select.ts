import { defineKind, fault, pick, value, type BaseField, type OptionsOf, type Read } from './kind.ts';

/** One value of a fixed list; its texts are in the locales under `option.<optionSet>.<option>`. */
export interface SelectField extends BaseField {
  readonly kind: 'select';
  readonly optionSet: string;
  readonly options: readonly string[];
  /** Initial value of a new record. */
  readonly initial?: string;
  /**
   * Administrators may add values to the set (`dictionary-item`): no rule, protocol or command depends on the value.
   * Reading checks the form of a value; register/dictionaries checks that the dictionary has it.
   */
  readonly open?: boolean;
}
export const select = (key: string, options: OptionsOf<SelectField>): SelectField => ({
  kind: 'select',
  key,
  ...options,
});

/** The form of a dictionary value. */
export const dictionaryValue = /^[A-Za-z0-9][A-Za-z0-9_-]{0,31}$/;

function read(input: unknown, field: SelectField): Read<string> {
  if (typeof input !== 'string') return fault('type');
  return field.options.includes(input) || (field.open === true && dictionaryValue.test(input))
    ? value(input)
    : fault('option');
}

export const selectKind = defineKind<SelectField, string>({
  schema: (field) =>
    field.open
      ? { type: 'string', pattern: dictionaryValue.source, examples: [...field.options] }
      : { type: 'string', enum: [...field.options] },
  sqlType: 'text',
  read,
  toText: (v) => v,
  readText: (text, field) => read(text.trim(), field),
  simulate: (random, field) => pick(random, field.options),
  docs: (field) =>
    `one of ${field.options.map((o) => `\`${o}\``).join(', ')}${field.open ? ', or an own value of the dictionary' : ''}`,
});
