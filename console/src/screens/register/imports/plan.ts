import type { Family, Field } from '../../../../../catalogue/index.ts';
import type { getImport, listImports } from '../../../../../contract/register/imports.ts';
import type { ReplyOf } from '../../../../../contract/route.ts';

export type Import = ReplyOf<typeof getImport>;
/** An import as the list has it. */
export type ListedImport = ReplyOf<typeof listImports>['data'][number];
export type Plan = Import['plan'];

/** Fields a file can fill: pictures do not travel in cells. */
export const fillable = (family: Family): readonly Field[] => family.fields.filter((field) => field.kind !== 'picture');

/** The fields a column fills, in the family's order. */
export const fieldsOf = (plan: Plan, column: number): string[] =>
  Object.keys(plan.fields).filter((key) => plan.fields[key]?.column === column);

const withoutIgnored = (ignored: readonly number[], column: number): number[] =>
  ignored.filter((one) => one !== column);

/** A column fills exactly these fields from now on; whatever filled them before no longer does. */
export function fillBy(plan: Plan, column: number, keys: readonly string[]): Plan {
  const kept = Object.fromEntries(
    Object.entries(plan.fields).filter(([key, source]) => source.column !== column && !keys.includes(key)),
  );
  return {
    ...plan,
    fields: { ...kept, ...Object.fromEntries(keys.map((key) => [key, { column }])) },
    ignored: keys.length > 0 ? withoutIgnored(plan.ignored, column) : plan.ignored,
  };
}

/** A column is left out on purpose, or not. */
export function leaveOut(plan: Plan, column: number, out: boolean): Plan {
  const free = fillBy(plan, column, []);
  return {
    ...free,
    ignored: out
      ? [...withoutIgnored(plan.ignored, column), column].toSorted((a, b) => a - b)
      : withoutIgnored(plan.ignored, column),
  };
}

/** The same value in every row; undefined: the field is not filled any more. */
export function fillWith(plan: Plan, key: string, value: string | undefined): Plan {
  const rest = Object.fromEntries(Object.entries(plan.fields).filter(([other]) => other !== key));
  return { ...plan, fields: value === undefined ? rest : { ...rest, [key]: { value } } };
}

/** East and north change places. */
export function swapped(plan: Plan): Plan {
  const { longitude, latitude, ...rest } = plan.fields;
  return {
    ...plan,
    fields: { ...rest, ...(latitude ? { longitude: latitude } : {}), ...(longitude ? { latitude: longitude } : {}) },
  };
}

/** Numbers of a column have a comma before their decimals, or not. */
export function withCommas(plan: Plan, column: number, on: boolean): Plan {
  const others = (plan.decimalCommas ?? []).filter((one) => one !== column);
  return { ...plan, decimalCommas: on ? [...others, column].toSorted((a, b) => a - b) : others };
}

/** Positions without a coordinate system: of numbers that are no degrees somebody has to say it. */
export const lacksSystem = (plan: Plan): boolean => plan.system === '' && plan.fields['longitude'] !== undefined;

/** Whether somebody still has to say that the file lies where it should. */
export const asks = (one: Import): boolean => one.questions.length > 0 && one.plan.acceptPlace !== true;

/** Columns with a heading that are neither used nor left out. */
export const undecided = (columns: Import['columns'], plan: Plan): number[] =>
  columns.flatMap(({ title }, column) =>
    title === '' || plan.ignored.includes(column) || fieldsOf(plan, column).length > 0 ? [] : [column],
  );

/** What keeps the check from beginning: fields every row needs, and the other half of a position. */
export function missing(plan: Plan): string[] {
  const has = (key: string): boolean => plan.fields[key] !== undefined;
  const half = has('longitude') === has('latitude') ? [] : [has('longitude') ? 'latitude' : 'longitude'];
  return [...['equipmentCode', 'workId'].filter((key) => !has(key)), ...half];
}

/** Constants that were begun and say nothing yet. */
export const unsaid = (plan: Plan): string[] =>
  Object.keys(plan.fields).filter((key) => plan.fields[key]?.value?.trim() === '');

/** Required fields without a source: rows that bring a new device will lack them. */
export const missingForNew = (family: Family, plan: Plan): string[] =>
  fillable(family)
    .filter(
      (field) =>
        field.required === true &&
        plan.fields[field.key] === undefined &&
        !['equipmentCode', 'workId'].includes(field.key),
    )
    .map((field) => field.key);

/** What words of the file mean, with one more said; undefined: nothing is said about it. */
export function mean(words: Plan['words'], field: string, word: string, option: string | undefined): Plan['words'] {
  const rest = Object.fromEntries(Object.entries(words[field] ?? {}).filter(([other]) => other !== word));
  const next = option === undefined ? rest : { ...rest, [word]: option };
  const others = Object.fromEntries(Object.entries(words).filter(([other]) => other !== field));
  return Object.keys(next).length === 0 ? others : { ...others, [field]: next };
}

export type StepName = 'columns' | 'check' | 'write';

const isOpen = (task: Import['task']): boolean =>
  task !== null && (task.state === 'queued' || task.state === 'running');

/** Whether a step is at work now. */
export const isBusy = (one: Pick<Import, 'task'>): boolean => isOpen(one.task);

/** The steps that can be shown now, in order; the last one is where the import stands. */
export function reachable(one: Import): readonly StepName[] {
  if (one.state === 'applied' || one.state === 'undone') return ['write'];
  const kind = one.task?.kind;
  if (isOpen(one.task)) return kind === 'import.check' ? ['check'] : ['write'];
  if (one.state === 'checked')
    return (writes(one) > 0 && !asks(one)) || kind === 'import.apply'
      ? ['columns', 'check', 'write']
      : ['columns', 'check'];
  return kind === 'import.check' ? ['columns', 'check'] : ['columns'];
}

/** Where a person goes on who asks for no step: a look that was made is shown before anything is written. */
export function standing(one: Import): StepName {
  const steps = reachable(one);
  return one.state === 'checked' && !isOpen(one.task) ? 'check' : (steps.at(-1) ?? 'columns');
}

/** Rows that writing would change. */
export const writes = ({ counts }: Import): number => (counts ? counts.new + counts.update : 0);
