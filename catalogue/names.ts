import type { Field } from './fields/index.ts';
import type { RuleParams } from './fields/kind.ts';
import type source from './locales/zh-CN.json';

export type CatalogueTexts = typeof source;
type Tree = { readonly [key: string]: string | Tree };

/** Names of what the catalogue declares, in one language. A missing text shows its key: a gap is visible. */
export interface Names {
  family(key: string): string;
  record(key: string): string;
  section(key: string): string;
  /** The field's name; a family or record may have a name of its own for it. */
  field(key: string, owner?: string): string;
  option(set: string, option: string): string;
  unit(key: string): string;
  quantity(key: string): string;
  /** A column of a list: derived, `latest.<quantity>` or a field. */
  column(key: string, owner?: string): string;
  command(key: string): string;
  fault(code: string): string;
  /** What to do about a fault that is judged. */
  whatToDo(code: string): string;
  state(key: string): string;
  usedBy(key: string): string;
  rule(name: string, params?: RuleParams): string;
  /** Words about why a lamp is as it is (`layer.manual`, `sentence.lit` …). */
  why(key: string, params?: RuleParams): string;
  /** A field's value as text, for a table cell; null: the kind has no text of its own (references, pictures). */
  value(field: Field, v: unknown): string | null;
}

/** Replaces `{name}` by the parameter of that name. */
export const fill = (text: string, params: RuleParams = {}): string =>
  text.replace(/\{(\w+)\}/g, (whole, name: string) => String(params[name] ?? whole));

function look(tree: Tree, path: readonly string[]): string | undefined {
  let at: string | Tree | undefined = tree;
  for (const step of path) at = typeof at === 'object' && Object.hasOwn(at, step) ? at[step] : undefined;
  return typeof at === 'string' ? at : undefined;
}

export function makeNames(tree: CatalogueTexts): Names {
  const say = (...path: string[]): string => look(tree, path) ?? path.join('.');
  const field = (key: string, owner = ''): string => look(tree, ['fieldOf', owner, key]) ?? say('field', key);
  const names: Names = {
    family: (key) => say('family', key),
    record: (key) => say('record', key),
    section: (key) => say('section', key),
    field,
    // Options that are families bear their names.
    option: (set, option) => (set === 'family' ? say('family', option) : say('option', set, option)),
    unit: (key) => say('unit', key),
    quantity: (key) => say('quantity', key),
    command: (key) => say('command', key),
    fault: (code) => say('fault', code),
    whatToDo: (code) => say('whatToDo', code),
    state: (key) => say('state', key),
    usedBy: (key) => say('usedBy', key),
    rule: (name, params) => fill(say('rule', name), params),
    why: (key, params) => fill(say('why', ...key.split('.')), params),
    column: (key, owner) =>
      key.startsWith('latest.') ? say('quantity', key.slice(7)) : (look(tree, ['column', key]) ?? field(key, owner)),
    value: (of, v) => valueText(names, of, v),
  };
  return names;
}

/** Labels that administrators gave to options, by set and value. Where one is absent, the catalogue's text holds. */
export type OptionLabels = ReadonlyMap<string, ReadonlyMap<string, string>>;

/** The same names, with the labels of the dictionaries for options. */
export function withLabels(names: Names, labels: OptionLabels): Names {
  const own: Names = {
    ...names,
    option: (set, option) => labels.get(set)?.get(option) ?? names.option(set, option),
    value: (of, v) => valueText(own, of, v),
  };
  return own;
}

function valueText(names: Names, field: Field, v: unknown): string | null {
  if (
    v === null ||
    v === undefined ||
    field.kind === 'reference' ||
    field.kind === 'picture' ||
    field.kind === 'secret'
  )
    return null;
  if (field.kind === 'select') return names.option(field.optionSet, String(v));
  if (field.kind === 'boolean') return names.option('boolean', String(v));
  return String(v);
}
