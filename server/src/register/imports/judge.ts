import {
  fromRow,
  toRow,
  validateDevice,
  type Family,
  type FieldValue,
  type Values,
} from '../../../../catalogue/index.ts';
import type { StoredDevice } from '../devices/index.ts';
import type { Lookup } from './lookups.ts';
import type { Plan } from './plan.ts';
import type { ReadRow, RowProblem } from './row.ts';

/** Who imports, and where: what else a row may not touch. */
export interface ImportScope {
  readonly workAreas: 'all' | readonly number[];
  readonly workAreaId: number | null;
}

/** A row with its references found. */
export interface ResolvedRow extends ReadRow {
  readonly newRoad: string | null;
}

/** What becomes of a row, as it is kept until somebody has looked at it. */
export interface JudgedRow {
  readonly number: number;
  readonly outcome: 'new' | 'update' | 'unchanged' | 'error';
  readonly area: number | null;
  readonly code: string | null;
  readonly columns: Readonly<Record<string, FieldValue>>;
  readonly props: Readonly<Record<string, FieldValue>>;
  readonly newRoad: string | null;
  readonly longitude: FieldValue;
  readonly latitude: FieldValue;
  readonly problems: readonly RowProblem[];
  readonly changes: readonly { readonly field: string; readonly from: FieldValue; readonly to: FieldValue }[];
  readonly deviceId: number | null;
  readonly baseVersion: number | null;
}

/** A code as it is compared: without regard to case and width. */
export const codeKey = (code: string): string => code.normalize('NFKC').toLowerCase();

/** Puts ids in the place of references; the work area first, since it says among which of the others to look. */
export function resolve(row: ReadRow, lookup: Lookup, family: Family, plan: Plan, scope: ImportScope): ResolvedRow {
  const given: Record<string, FieldValue> = { ...row.given };
  const problems: RowProblem[] = [...row.problems];
  let newRoad: string | null = null;
  const say = (field: string, rule: RowProblem['rule'], text: string) => void problems.push({ field, rule, text });
  const ordered = row.wanted.toSorted((a, b) => Number(b.field.key === 'workId') - Number(a.field.key === 'workId'));
  for (const { field, text } of ordered) {
    const all = lookup.candidates(field, text);
    const here = field.key === 'workId' ? all : all.filter(({ area }) => area === given['workId']);
    const fitting = here.filter((one) => one.family === null || one.family === family.key);
    const [only, ...more] = fitting;
    if (only && more.length === 0) given[field.key] = only.id;
    else if (more.length > 0) say(field.key, 'ambiguous', text);
    else if (here.length > 0) say(field.key, 'option', text);
    else if (field.key === 'roadId' && plan.createRoads && text.length <= 64) newRoad = text;
    else if (given['workId'] !== undefined || field.key === 'workId')
      say(field.key, all.length > 0 ? 'foreignArea' : 'notFound', text);
  }
  const area = given['workId'];
  if (typeof area === 'number' && !mayWrite(scope, area))
    say('workId', 'notYours', row.wanted.find(({ field }) => field.key === 'workId')?.text ?? '');
  return { ...row, given, problems, newRoad };
}

const mayWrite = ({ workAreas, workAreaId }: ImportScope, area: number): boolean =>
  (workAreas === 'all' || workAreas.includes(area)) && (workAreaId === null || workAreaId === area);

/**
 * Compares a row with the register and the catalogue's rules. `current` is the device of the same code, if there is
 * one.
 */
export function judge(
  family: Family,
  plan: Plan,
  row: ResolvedRow,
  current: StoredDevice | undefined,
): Omit<JudgedRow, 'columns' | 'props'> & { readonly values: Values } {
  const area = typeof row.given['workId'] === 'number' ? row.given['workId'] : null;
  const code = typeof row.given['equipmentCode'] === 'string' ? row.given['equipmentCode'] : null;
  const problems = [...row.problems];
  const before = current ? fromRow(family, current) : undefined;
  const wrong = new Set(problems.map(({ field }) => field));
  const given = Object.fromEntries(Object.entries(row.given).filter(([key]) => !wrong.has(key)));
  const checked = validateDevice(family, given, before ? 'update' : 'create', before);
  const faults = 'problems' in checked ? checked.problems : [];
  problems.push(
    ...faults
      .filter(({ field }) => !wrong.has(field) && !(field === 'roadId' && row.newRoad !== null))
      .map((fault) => ({ ...fault, text: textOf(given[fault.field]) })),
  );
  if (current && plan.existing === 'refuse') problems.push({ field: 'equipmentCode', rule: 'exists', text: code });
  if (current && !current.visible) problems.push({ field: 'workId', rule: 'notYours', text: code });
  const values = 'value' in checked ? checked.value : {};
  const changes = before ? changesOf(values, before, row.newRoad) : [];
  const outcome = problems.length > 0 ? 'error' : !current ? 'new' : changes.length > 0 ? 'update' : 'unchanged';
  const kept = before
    ? Object.fromEntries(
        changes.filter(({ field }) => field in values).map(({ field }) => [field, values[field] ?? null]),
      )
    : values;
  return {
    number: row.number,
    outcome,
    area,
    code,
    newRoad: row.newRoad,
    problems,
    changes,
    values: outcome === 'new' || outcome === 'update' ? kept : {},
    longitude: row.given['longitude'] ?? null,
    latitude: row.given['latitude'] ?? null,
    deviceId: current?.id ?? null,
    baseVersion: current?.version ?? null,
  };
}

const textOf = (v: FieldValue | undefined): string | null =>
  v === null || v === undefined ? null : String(v).slice(0, 100);

/**
 * Which of the values differ from the register's. A secret that is given always counts as another one: what is kept
 * cannot be compared.
 */
function changesOf(values: Values, before: Values, newRoad: string | null): JudgedRow['changes'] {
  const changed = Object.entries(values)
    .filter(([key, v]) => (v ?? null) !== (before[key] ?? null))
    .map(([field, to]) => ({ field, from: before[field] ?? null, to: to ?? null }));
  return newRoad === null
    ? changed
    : [
        ...changed.filter(({ field }) => field !== 'roadId'),
        { field: 'roadId', from: before['roadId'] ?? null, to: newRoad },
      ];
}

/** The row as the table keeps it. `values` are ready to be stored. */
export function staged(family: Family, row: Omit<JudgedRow, 'columns' | 'props'>, values: Values): JudgedRow {
  const { columns, props } = toRow(family, values);
  // A new device starts without what it does not have; an update says what it takes away.
  return {
    ...row,
    columns,
    props: row.outcome === 'new' ? Object.fromEntries(Object.entries(props).filter(([, v]) => v !== null)) : props,
  };
}
