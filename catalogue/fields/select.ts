import { defineKind, fault, pick, value, type BaseField, type OptionsOf, type Read } from './kind.ts';

/** One of a fixed list; its words stand in the locales under `option.<optionSet>.<option>`. */
export interface SelectField extends BaseField {
  readonly kind: 'select';
  readonly optionSet: string;
  readonly options: readonly string[];
  /** What a new record starts with. */
  readonly initial?: string;
}
export const select = (key: string, options: OptionsOf<SelectField>): SelectField => ({ kind: 'select', key, ...options });

const read = (input: unknown, field: SelectField): Read<string> =>
  typeof input !== 'string' ? fault('type') : field.options.includes(input) ? value(input) : fault('option');

export const selectKind = defineKind<SelectField, string>({
  schema: (field) => ({ type: 'string', enum: [...field.options] }),
  sqlType: 'text',
  read,
  toText: (v) => v,
  readText: (text, field) => read(text.trim(), field),
  simulate: (random, field) => pick(random, field.options),
  docs: (field) => `one of ${field.options.map((o) => `\`${o}\``).join(', ')}`,
});
