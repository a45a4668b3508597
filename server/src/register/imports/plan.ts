import type { Static } from 'typebox';
import { languages, namesIn, type Family, type Field } from '../../../../catalogue/index.ts';
import type { ImportPlan } from '../../../../contract/register/imports.ts';
import type { FieldProblem, Sound } from '../../platform/http/index.ts';
import { toWgs84 } from './coordinates.ts';
import { tradeWords } from './headings.ts';
import { decimalsOf, numberIn, withPoint } from './numbers.ts';

export type Plan = Static<typeof ImportPlan>;

/** Fields a file can fill. Pictures do not travel in cells. */
export const importable = (family: Family): Field[] => family.fields.filter((field) => field.kind !== 'picture');

/**
 * What a heading is compared by: without case, width, accents of Latin letters, marks of required fields and units in
 * brackets.
 */
export const headingKey = (heading: string): string =>
  heading
    .normalize('NFKD')
    .replaceAll(/[\u0300-\u036f]/g, '')
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replaceAll(/\([^)]*\)|\[[^\]]*\]/g, '')
    .replaceAll(/[\s*＊_\-.:：]/g, '');

/**
 * The heading of the column that our own failed-rows workbook adds, in every language: it is left out when the file
 * comes back.
 */
export const problemHeadings: Readonly<Record<(typeof languages)[number], string>> = {
  'zh-CN': '错误',
  'zh-TW': '錯誤',
  'en-US': 'Errors',
  'fr-FR': 'Erreurs',
  'ja-JP': 'エラー',
  'ko-KR': '오류',
};

const ownHeadings = new Set(Object.values(problemHeadings).map(headingKey));

/**
 * The headings without the column that our failed-rows workbook added at the end: mended rows come back under what was
 * said of their file.
 */
export const withoutProblems = (headings: readonly string[]): readonly string[] =>
  ownHeadings.has(headingKey(headings.at(-1) ?? '')) ? headings.slice(0, -1) : headings;

/**
 * Wire names and names in six languages of a family's fields, by their heading key; after them what their references
 * point at is called.
 */
function knownHeadings(family: Family): ReadonlyMap<string, string> {
  const known = new Map<string, string>();
  const learn = (field: Field, name: string) =>
    void (known.has(headingKey(name)) || known.set(headingKey(name), field.key));
  const fields = importable(family);
  for (const field of fields)
    for (const name of [field.key, ...languages.map((language) => namesIn(language).field(field.key, family.key))])
      learn(field, name);
  for (const field of fields) {
    if (field.kind !== 'reference') continue;
    const { to } = field;
    for (const language of languages)
      learn(field, 'record' in to ? namesIn(language).record(to.record) : namesIn(language).family(to.family));
  }
  return known;
}

type Rows = readonly { readonly cells: readonly string[] }[];
const cellsOf = (rows: Rows, column: number): string[] => rows.map(({ cells }) => (cells[column] ?? '').trim());

/**
 * What the headings suggest: columns whose names are known, then those that other cities call so; everything else to be
 * chosen or left out; the area it is begun in for all rows. The values say where decimals follow a comma, and whether
 * positions are degrees: of other numbers a person has to say the system.
 */
export function suggestPlan(family: Family, headings: readonly string[], rows: Rows, workArea: string | null): Plan {
  const known = knownHeadings(family);
  const fields: Plan['fields'] = {};
  const ignored: number[] = [];
  headings.forEach((heading, column) => {
    const field = known.get(headingKey(heading));
    if (field !== undefined && fields[field] === undefined) fields[field] = { column };
    else if (heading === '' || ownHeadings.has(headingKey(heading))) ignored.push(column);
  });
  byTradeWords(family, headings, rows, fields);
  if (fields['workId'] === undefined && workArea !== null) fields['workId'] = { value: workArea };
  const decimalCommas = suggestCommas(headings, rows);
  const system = suggestSystem(fields, rows, decimalCommas);
  return {
    fields,
    ignored,
    system,
    words: {},
    existing: 'update',
    createRoads: false,
    acceptFar: false,
    ...(decimalCommas.length > 0 ? { decimalCommas } : {}),
  };
}

/**
 * Fields without a column yet, by the words of the trade. Of several columns that could be the code the one without
 * repetition is.
 */
function byTradeWords(family: Family, headings: readonly string[], rows: Rows, fields: Plan['fields']): void {
  const taken = new Set(Object.values(fields).map(({ column }) => column));
  for (const { key } of importable(family)) {
    if (fields[key] !== undefined) continue;
    const words = (tradeWords[key] ?? []).map(headingKey);
    const found = headings.flatMap((heading, column) => {
      const rank = taken.has(column) ? -1 : words.indexOf(headingKey(heading));
      return rank < 0
        ? []
        : [{ column, rank: key === 'equipmentCode' && repeats(cellsOf(rows, column)) ? rank + words.length : rank }];
    });
    const [best] = found.toSorted((a, b) => a.rank - b.rank);
    if (!best) continue;
    fields[key] = { column: best.column };
    taken.add(best.column);
  }
  // Half a position is none.
  if ((fields['longitude'] === undefined) !== (fields['latitude'] === undefined)) {
    delete fields['longitude'];
    delete fields['latitude'];
  }
}

const repeats = (cells: readonly string[]): boolean => new Set(cells).size < cells.length;

/** Columns of numbers with decimal commas; a column that could be either follows the others of the file. */
function suggestCommas(headings: readonly string[], rows: Rows): number[] {
  const judged = headings.map((_, column) => decimalsOf(cellsOf(rows, column)));
  const mostly = judged.includes('comma') && !judged.includes('point');
  return judged.flatMap((decimals, column) =>
    decimals === 'comma' || (decimals === 'unclear' && mostly) ? [column] : [],
  );
}

/**
 * Degrees are WGS-84 until somebody says otherwise; latitude and longitude the wrong way round are put right here,
 * where the plan shows it.
 */
function suggestSystem(fields: Plan['fields'], rows: Rows, commas: readonly number[]): string {
  const [x, y] = [fields['longitude']?.column, fields['latitude']?.column];
  if (x === undefined || y === undefined) return 'WGS84';
  const values = (column: number) =>
    cellsOf(rows, column)
      .map((cell) => numberIn(commas.includes(column) ? (withPoint(cell) ?? '') : cell))
      .filter((n) => Number.isFinite(n) && n !== 0);
  const within = (numbers: readonly number[], limit: number) =>
    numbers.length === 0 || numbers.filter((n) => Math.abs(n) <= limit).length > numbers.length / 2;
  const [xs, ys] = [values(x), values(y)];
  if (!within(xs, 180) || !within(ys, 180)) return '';
  if (!within(ys, 90) && within(xs, 90)) [fields['longitude'], fields['latitude']] = [{ column: y }, { column: x }];
  return 'WGS84';
}

/** A plan of which parts may be missing, since their shape is wrong. */
export type GivenPlan = Sound<Plan>;

/**
 * What is wrong with a plan: it names what does not exist, leaves a column without a word, or lacks what every device
 * needs. Nothing is said of a part that is missing as a whole.
 */
export function planProblems(
  family: Family,
  headings: readonly string[],
  { fields: sources, ignored, system, words = {}, decimalCommas = [] }: GivenPlan,
): FieldProblem[] {
  const fields = new Map(importable(family).map((field) => [field.key, field]));
  const problems: FieldProblem[] = [];
  const used = new Set(ignored);
  for (const [key, { column, value } = {}] of Object.entries(sources ?? {})) {
    const at = `fields.${key}`;
    if (!fields.has(key)) problems.push({ field: at, rule: 'unknownField' });
    else if ((column === undefined) === (value === undefined)) problems.push({ field: at, rule: 'required' });
    else if (column !== undefined && column >= headings.length) problems.push({ field: at, rule: 'notFound' });
    if (column !== undefined) used.add(column);
  }
  if (decimalCommas.some((column) => column >= headings.length))
    problems.push({ field: 'decimalCommas', rule: 'notFound' });
  if (sources && ignored) {
    headings.forEach((heading, column) => {
      if (heading !== '' && !used.has(column)) problems.push({ field: `columns.${column}`, rule: 'unknownField' });
    });
  }
  if (sources) {
    for (const key of ['equipmentCode', 'workId'])
      if (sources[key] === undefined) problems.push({ field: `fields.${key}`, rule: 'required' });
    if ((sources['longitude'] === undefined) !== (sources['latitude'] === undefined))
      problems.push({ field: `fields.${sources['longitude'] ? 'latitude' : 'longitude'}`, rule: 'required' });
  }
  if (system === '' ? sources?.['longitude'] !== undefined : system !== undefined && toWgs84(system) === undefined)
    problems.push({ field: 'system', rule: system === '' ? 'required' : 'enum' });
  for (const [key, of = {}] of Object.entries(words)) {
    const field = fields.get(key);
    if (field?.kind !== 'select') problems.push({ field: `words.${key}`, rule: 'unknownField' });
    else
      for (const [word, option] of Object.entries(of))
        if (option !== undefined && option !== '' && !field.options.includes(option) && field.open !== true)
          problems.push({ field: `words.${key}.${word}`, rule: 'enum' });
  }
  return problems;
}
