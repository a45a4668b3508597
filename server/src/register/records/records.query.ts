import { sql, type RawBuilder, type SqlBool } from 'kysely';
import {
  fieldFromText,
  labelFields,
  labelOrder,
  recordOf,
  sqlTypeOf,
  type Field,
  type Language,
  type MasterRecord,
  type Problem,
} from '../../../../catalogue/index.ts';
import { levelsOf } from '../../../../catalogue/fields/text.ts';
import { reference } from '../../../../catalogue/fields/reference.ts';
import { refuse, refuseProblems, type Caller } from '../../platform/http/index.ts';

type Sql = RawBuilder<unknown>;
export interface RecordQuery {
  readonly q?: string;
  readonly ids?: string;
  readonly page?: number;
  readonly size?: number;
  readonly sort?: string;
}
const own = new Set(['q', 'ids', 'page', 'size', 'sort']);

export function recordNamed(key: string): MasterRecord {
  const record = recordOf(key);
  if (!record) throw refuse('unknownRecord');
  return record;
}

const column = (record: MasterRecord, key: string): string =>
  record.fields.find((field) => field.key === key)?.column ?? key;
export const codeColumn = (record: MasterRecord): string => column(record, record.codeField);
export const nameColumn = (record: MasterRecord): string => column(record, record.nameField);

/**
 * A reference of a record to another one, or to a device, joined to learn what it is called. `family`: of what family
 * the device must be.
 */
export interface Joined {
  readonly field: Field & { readonly kind: 'reference' };
  readonly table: string;
  readonly family: string | null;
  readonly alias: string;
  called(language: Language): Sql;
}

/** The references of a record, each with the alias of its join. */
export const joinedIn = (record: MasterRecord): readonly Joined[] =>
  record.fields.flatMap((field): Joined[] => {
    if (field.kind !== 'reference') return [];
    const alias = `of_${field.key}`;
    if ('family' in field.to)
      return [
        { field, table: 'device', family: field.to.family, alias, called: () => sql.ref(`${alias}.equipment_code`) },
      ];
    const to = recordOf(field.to.record);
    return to
      ? [
          {
            field,
            table: to.table,
            family: null,
            alias,
            called: (language: Language) => calledSql(to, alias, language),
          },
        ]
      : [];
  });

/** What a row is called: its name, or of a record with labels the one in the language, else in the next best. */
export function calledSql(record: MasterRecord, alias: string, language: Language): Sql {
  if (!record.labelled) return sql.ref(`${alias}.${nameColumn(record)}`);
  return sql`coalesce(${sql.join(labelOrder(language).map((one) => sql`nullif(${sql.ref(`${alias}.${labelFields[one].column}`)}, '')`))})`;
}

/**
 * The rows a caller may see: of its work areas; all but the work areas themselves also only of the one it works in;
 * what is the whole site's, everybody.
 */
export function visibleRecords(caller: Caller, record: MasterRecord): RawBuilder<SqlBool> {
  if (record.areaColumn === null) return sql<SqlBool>`true`;
  const area = sql.ref(`t.${record.areaColumn}`);
  const parts: Sql[] = [sql`true`];
  if (caller.workAreaId !== null && record.areaColumn !== 'id') parts.push(sql`${area} = ${caller.workAreaId}`);
  if (caller.workAreas !== 'all') parts.push(sql`${area} = ANY(${[...caller.workAreas]}::bigint[])`);
  return sql<SqlBool>`(${sql.join(parts, sql` AND `)})`;
}

export function conditionsOf(caller: Caller, record: MasterRecord, query: RecordQuery): RawBuilder<SqlBool> {
  const parts: Sql[] = [visibleRecords(caller, record)];
  if (query.q) {
    const like = `%${query.q.replace(/[\\%_]/g, '\\$&')}%`;
    const texts = [
      codeColumn(record),
      nameColumn(record),
      ...(record.labelled ? Object.values(labelFields).map((label) => label.column) : []),
    ];
    parts.push(
      sql`(${sql.join(
        texts.map((text) => sql`${sql.ref(`t.${text}`)} ILIKE ${like}`),
        sql` OR `,
      )})`,
    );
  }
  if (query.ids) parts.push(sql`t.id = ANY(${query.ids.split(',').map(Number)}::bigint[])`);
  const problems: Problem[] = [];
  for (const [key, given] of Object.entries(query)) {
    if (own.has(key) || given === undefined) continue;
    const field = filterOf(record, key);
    const way = field?.kind === 'text' && field.levels === true;
    const read = field
      ? (way ? [levelsOf(String(given)).join('/')] : String(given).split(',')).map((text) => fieldFromText(field, text))
      : [];
    const wrong = read.find((r) => 'fault' in r);
    if (!field) problems.push({ field: key, rule: 'unknown' });
    else if (wrong && 'fault' in wrong) problems.push({ field: key, ...wrong.fault });
    else if (way)
      parts.push(
        sql`starts_with(regexp_replace(${sql.ref(`t.${field.column ?? ''}`)}, '\\s*[/／]\\s*', '/', 'g') || '/', ${read.flatMap((r) => ('value' in r ? [r.value] : []))[0]} || '/')`,
      );
    else
      parts.push(
        sql`${sql.ref(`t.${field.column ?? ''}`)} = ANY(${read.flatMap((r) => ('value' in r ? [r.value] : []))}::${sql.raw(arrayType(field))}[])`,
      );
  }
  if (problems.length > 0) throw refuseProblems(problems);
  return sql<SqlBool>`${sql.join(parts, sql` AND `)}`;
}

/** What a list can be filtered by; where the area of a row is a device's, by that too. */
const filterOf = (record: MasterRecord, key: string): Field | undefined =>
  record.fields.find((field) => field.key === key && field.filter) ??
  (record.areaOf && record.areaColumn && key === 'workId'
    ? reference('workId', { to: { record: 'work-area' }, column: record.areaColumn })
    : undefined);
const arrayType = (field: Field): string => sqlTypeOf(field);

function referred(record: MasterRecord, key: string, language: Language): Sql {
  const joined = joinedIn(record).find(({ field }) => field.key === key);
  return joined ? joined.called(language) : sql`NULL`;
}

/** The order of a list out of the record's allow-list; a reference sorts by what it is called. */
export function orderOf(record: MasterRecord, query: RecordQuery, language: Language): Sql {
  const [key = '', direction = 'asc'] = (query.sort ?? `${record.codeField},asc`).split(',');
  const field = record.fields.find((f) => f.key === key && f.sort);
  const by =
    key === 'updateTime'
      ? sql`t.updated_at`
      : !field
        ? undefined
        : field.kind === 'reference'
          ? sql`${referred(record, field.key, language)} COLLATE natural_order`
          : sqlTypeOf(field) === 'text'
            ? sql`${sql.ref(`t.${field.column ?? ''}`)} COLLATE natural_order`
            : sql.ref(`t.${field.column ?? ''}`);
  if (!by || (direction !== 'asc' && direction !== 'desc')) throw refuseProblems([{ field: 'sort', rule: 'option' }]);
  return sql`${by} ${sql.raw(direction)} NULLS LAST, t.id ${sql.raw(direction)}`;
}
