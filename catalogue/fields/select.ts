import { defineKind, fault, pick, value, type BaseField, type OptionsOf, type Read } from './kind.ts';

/** One of a fixed list; its words stand in the locales under `option.<optionSet>.<option>`. */
export interface SelectField extends BaseField {
  readonly kind: 'select';
  readonly optionSet: string;
  readonly options: readonly string[];
  /** What a new record starts with. */
  readonly initial?: string;
  /**
   * Administrators may add values of their own to the set (`dictionary-item`): no rule, protocol or command depends on
   * which one it is. A well-formed value is read; whether the dictionary has it, who writes it down asks
   * (register/dictionaries).
   */
  readonly open?: boolean;
}
export const select = (key: string, options: OptionsOf<SelectField>): SelectField => ({
  kind: 'select',
  key,
  ...options,
});

/** What a value of a dictionary looks like. */
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
