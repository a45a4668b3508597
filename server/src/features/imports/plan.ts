import type { Static } from 'typebox';
import { languages, namesIn, type Family, type Field } from '../../../../catalogue/index.ts';
import type { ImportPlan } from '../../../../contract/routes/imports.ts';
import { refuseFields, type FieldProblem } from '../../platform/http/index.ts';
import { toWgs84 } from './coordinates.ts';

export type Plan = Static<typeof ImportPlan>;

/** Fields a file can fill. Pictures do not travel in cells. */
export const importable = (family: Family): Field[] => family.fields.filter((field) => field.kind !== 'picture');

/** What a heading is compared by: without case, width, marks of required fields and units in brackets. */
export const headingKey = (heading: string): string =>
  heading.normalize('NFKC').toLowerCase().replaceAll(/\([^)]*\)|\[[^\]]*\]/g, '').replaceAll(/[\s*＊_\-.:：]/g, '');

/** The heading of the column that our own failed-rows workbook adds, in every language: it is left out when the file comes back. */
export const problemHeadings: Readonly<Record<(typeof languages)[number], string>> = {
  'zh-CN': '错误', 'zh-TW': '錯誤', 'en-US': 'Errors', 'fr-FR': 'Erreurs', 'ja-JP': 'エラー', 'ko-KR': '오류',
};

const ownHeadings = new Set(Object.values(problemHeadings).map(headingKey));

/** The headings without the column that our failed-rows workbook added at the end: mended rows come back under what was said of their file. */
export const withoutProblems = (headings: readonly string[]): readonly string[] => (ownHeadings.has(headingKey(headings.at(-1) ?? '')) ? headings.slice(0, -1) : headings);

/** Wire names and names in six languages of a family's fields, by their heading key; after them what their references point at is called. */
function knownHeadings(family: Family): ReadonlyMap<string, string> {
  const known = new Map<string, string>();
  const learn = (field: Field, name: string) => void (known.has(headingKey(name)) || known.set(headingKey(name), field.key));
  const fields = importable(family);
  for (const field of fields) for (const name of [field.key, ...languages.map((language) => namesIn(language).field(field.key, family.key))]) learn(field, name);
  for (const field of fields) {
    if (field.kind !== 'reference') continue;
    const { to } = field;
    for (const language of languages) learn(field, 'record' in to ? namesIn(language).record(to.record) : namesIn(language).family(to.family));
  }
  return known;
}

/** What the headings suggest: columns whose names are known, everything else to be chosen or left out; the area it is begun in for all rows. */
export function suggestPlan(family: Family, headings: readonly string[], workArea: string | null): Plan {
  const known = knownHeadings(family);
  const fields: Plan['fields'] = {};
  const ignored: number[] = [];
  headings.forEach((heading, column) => {
    const field = known.get(headingKey(heading));
    if (field !== undefined && fields[field] === undefined) fields[field] = { column };
    else if (heading === '' || ownHeadings.has(headingKey(heading))) ignored.push(column);
  });
  if (fields['workId'] === undefined && workArea !== null) fields['workId'] = { value: workArea };
  return { fields, ignored, system: 'WGS84', words: {}, existing: 'update', createRoads: false, acceptFar: false };
}

/** Refuses a plan that names what does not exist, leaves a column without a word, or lacks what every device needs: all problems at once. */
export function checkPlan(family: Family, headings: readonly string[], plan: Plan): void {
  const fields = new Map(importable(family).map((field) => [field.key, field]));
  const problems: FieldProblem[] = [];
  const used = new Set(plan.ignored);
  for (const [key, { column, value }] of Object.entries(plan.fields)) {
    const at = `fields.${key}`;
    if (!fields.has(key)) problems.push({ field: at, rule: 'unknownField' });
    else if ((column === undefined) === (value === undefined)) problems.push({ field: at, rule: 'required' });
    else if (column !== undefined && column >= headings.length) problems.push({ field: at, rule: 'notFound' });
    if (column !== undefined) used.add(column);
  }
  headings.forEach((heading, column) => {
    if (heading !== '' && !used.has(column)) problems.push({ field: `columns.${column}`, rule: 'unknownField' });
  });
  for (const key of ['equipmentCode', 'workId']) if (plan.fields[key] === undefined) problems.push({ field: `fields.${key}`, rule: 'required' });
  if ((plan.fields['longitude'] === undefined) !== (plan.fields['latitude'] === undefined)) problems.push({ field: `fields.${plan.fields['longitude'] ? 'latitude' : 'longitude'}`, rule: 'required' });
  if (toWgs84(plan.system) === undefined) problems.push({ field: 'system', rule: 'enum' });
  for (const [key, words] of Object.entries(plan.words)) {
    const field = fields.get(key);
    if (field?.kind !== 'select') problems.push({ field: `words.${key}`, rule: 'unknownField' });
    else for (const [word, option] of Object.entries(words)) if (option !== '' && !field.options.includes(option) && field.open !== true) problems.push({ field: `words.${key}.${word}`, rule: 'enum' });
  }
  if (problems.length > 0) throw refuseFields(...problems);
}

