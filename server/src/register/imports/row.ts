import {
  fieldFromText,
  languages,
  namesIn,
  type Family,
  type Field,
  type FieldValue,
  type Problem,
} from '../../../../catalogue/index.ts';
import { toWgs84, type ToWgs84 } from './coordinates.ts';
import { decimalsOf, numberIn, withPoint } from './numbers.ts';
import type { Plan } from './plan.ts';

/** Rules of files, beside those of the catalogue; texts in `texts.ts`. */
export type ImportRule =
  | 'unreadable'
  | 'decimalComma'
  | 'zeroPosition'
  | 'outsideSystem'
  | 'farAway'
  | 'sameAsRow'
  | 'ambiguous'
  | 'exists'
  | 'notYours'
  | 'changedMeanwhile';
export interface RowProblem {
  readonly field: string;
  readonly rule: Problem['rule'] | ImportRule;
  readonly params?: Readonly<Record<string, string | number>>;
  /** The cell as it stands in the file; null for secrets and what has no cell. */
  readonly text: string | null;
}

/** A row of the file as the plan reads it, before anything is looked up. */
export interface ReadRow {
  readonly number: number;
  /** By wire name; null where the cell is empty. References are among `wanted` instead. */
  readonly given: Readonly<Record<string, FieldValue>>;
  readonly wanted: readonly { readonly field: Extract<Field, { kind: 'reference' }>; readonly text: string }[];
  readonly problems: readonly RowProblem[];
  /** Words that are no option of their field. */
  readonly strange: readonly { readonly field: string; readonly word: string }[];
}

const shown = (text: string): string => (text.length > 100 ? `${text.slice(0, 99)}…` : text);

/**
 * The options of a field by everything people call them: the value itself and its name in six languages, and before
 * those what the dictionaries say.
 */
function wordsOf(field: Extract<Field, { kind: 'select' }>, dictionary: Words): ReadonlyMap<string, string> {
  const words = new Map<string, string>();
  for (const option of field.options)
    for (const word of [option, ...languages.map((language) => namesIn(language).option(field.optionSet, option))])
      words.set(wordKey(word), option);
  for (const [word, option] of dictionary)
    if (field.open === true || field.options.includes(option)) words.set(wordKey(word), option);
  return words;
}
type Words = Iterable<readonly [string, string]>;
const wordKey = (word: string): string => word.normalize('NFKC').trim().toLowerCase();

/** Prepares the reading of a family's rows by a plan: every cell's problem is found, none ends the row. */
export function rowReader(
  family: Family,
  plan: Plan,
  dictionaries: ReadonlyMap<string, Words>,
): (number: number, cells: readonly string[]) => ReadRow {
  const convert = toWgs84(plan.system);
  const fields = family.fields.flatMap((field) =>
    plan.fields[field.key] ? [{ field, source: plan.fields[field.key] ?? {} }] : [],
  );
  const options = new Map(
    fields.flatMap(({ field }) =>
      field.kind === 'select' ? [[field.key, wordsOf(field, dictionaries.get(field.optionSet) ?? [])] as const] : [],
    ),
  );
  const commas = new Set(plan.decimalCommas);
  return (number, cells) => {
    const given: Record<string, FieldValue> = {};
    const problems: RowProblem[] = [];
    const wanted: ReadRow['wanted'][number][] = [];
    const strange: ReadRow['strange'][number][] = [];
    for (const { field, source } of fields) {
      const text = source.value ?? cells[source.column ?? -1] ?? '';
      if (text.trim() === '') given[field.key] = null;
      else if (text.includes('\ufffd'))
        problems.push({ field: field.key, rule: 'unreadable', text: field.kind === 'secret' ? null : shown(text) });
      else if (field.kind === 'reference') wanted.push({ field, text: text.trim() });
      else if (field.kind === 'select') {
        const word = text.trim();
        const option = plan.words[field.key]?.[word] ?? options.get(field.key)?.get(wordKey(word));
        if (option === undefined) {
          strange.push({ field: field.key, word: word.slice(0, 200) });
          problems.push({ field: field.key, rule: 'option', text: shown(word) });
        } else given[field.key] = option === '' ? null : option;
      } else if (field.kind !== 'coordinate') {
        const read = readText(field, source.column !== undefined && commas.has(source.column), text);
        if ('value' in read) given[field.key] = read.value;
        else problems.push({ field: field.key, ...read.fault, text: field.kind === 'secret' ? null : shown(text) });
      } else given[field.key] = null;
    }
    if (plan.fields['longitude'] && plan.fields['latitude'])
      position(cells, { plan, convert, commas }, given, problems);
    return { number, given, wanted, problems, strange };
  };
}

/** Reads a cell; numbers of a column with decimal commas are read by their comma. */
function readText(
  field: Field,
  hasCommas: boolean,
  text: string,
): ReturnType<typeof fieldFromText> | { readonly fault: Pick<RowProblem, 'rule'> } {
  if (field.kind !== 'number' && field.kind !== 'integer') return fieldFromText(field, text);
  if (!hasCommas) return withComma(text) ? { fault: { rule: 'decimalComma' } } : fieldFromText(field, text);
  const plain = withPoint(text);
  return plain === undefined ? { fault: { rule: 'type' } } : fieldFromText(field, plain);
}

/** A number that is one only by the comma before its decimals; `1,234` is as well a thousand. */
const withComma = (text: string): boolean => decimalsOf([text]) === 'comma';

interface Reading {
  readonly plan: Plan;
  readonly convert: ToWgs84 | undefined;
  readonly commas: ReadonlySet<number>;
}

/** Both numbers of a position together, turned into WGS-84. */
function position(
  cells: readonly string[],
  { plan, convert, commas }: Reading,
  given: Record<string, FieldValue>,
  problems: RowProblem[],
): void {
  const cellOf = (key: string): { text: string; value: number } => {
    const { value, column = -1 } = plan.fields[key] ?? {};
    const text = (value ?? cells[column] ?? '').trim();
    return { text, value: numberIn(commas.has(column) ? (withPoint(text) ?? '') : text) };
  };
  const hasCommas = (key: string): boolean => commas.has(plan.fields[key]?.column ?? -1);
  const [x, y] = [cellOf('longitude'), cellOf('latitude')];
  if (x.text === '' && y.text === '') return;
  for (const [key, { text, value }] of [
    ['longitude', x],
    ['latitude', y],
  ] as const) {
    if (text === '') problems.push({ field: key, rule: 'together', text: null });
    else if (Number.isNaN(value))
      problems.push({
        field: key,
        rule: hasCommas(key) || !withComma(text) ? 'type' : 'decimalComma',
        text: shown(text),
      });
  }
  if (Number.isNaN(x.value) || Number.isNaN(y.value)) return;
  const both = shown(`${x.text}, ${y.text}`);
  if (x.value === 0 && y.value === 0) {
    problems.push({ field: 'longitude', rule: 'zeroPosition', text: both });
    return;
  }
  const at = convert?.(x.value, y.value) ?? null;
  if (at === null)
    problems.push({ field: 'longitude', rule: 'outsideSystem', params: { system: plan.system }, text: both });
  else {
    given['longitude'] = Math.round(at.longitude * 1e7) / 1e7;
    given['latitude'] = Math.round(at.latitude * 1e7) / 1e7;
  }
}
