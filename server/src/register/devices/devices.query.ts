import { sql, type RawBuilder, type SqlBool } from 'kysely';
import {
  familyOf,
  fieldFromText,
  namedBy,
  sharedFields,
  type Family,
  type Field,
  type FieldValue,
  type Problem,
} from '../../../../catalogue/index.ts';
import { refuse, refuseProblems } from '../../platform/http/index.ts';
import { visibleDevices, type DeviceScope } from './visible.query.ts';

type Sql = RawBuilder<unknown>;

/** What a list is asked for; names outside these are filter fields of the family by their wire name. */
export interface DeviceQuery {
  readonly family?: string;
  readonly q?: string;
  readonly ids?: string;
  readonly online?: boolean;
  readonly workArea?: number;
  readonly roadId?: number;
  readonly groupId?: number;
  readonly poleId?: number;
  readonly parentId?: number;
  readonly page?: number;
  readonly size?: number;
  readonly sort?: string;
  readonly after?: string;
  readonly before?: string;
}
const own = new Set([
  'family',
  'q',
  'ids',
  'online',
  'workArea',
  'roadId',
  'groupId',
  'poleId',
  'parentId',
  'page',
  'size',
  'sort',
  'after',
  'before',
]);

export function familyNamed(key: string): Family {
  const family = familyOf(key);
  if (!family) throw refuse('unknownFamily', {}, { fields: [{ field: 'family', rule: 'enum' }] });
  return family;
}

/** Every condition of a list: what the caller may see, the named filters, and the family's own filter fields. */
export function conditionsOf(caller: DeviceScope, query: DeviceQuery): RawBuilder<SqlBool> {
  const family = query.family === undefined ? undefined : familyNamed(query.family);
  const parts: Sql[] = [visibleDevices(caller)];
  if (family) parts.push(sql`d.family = ${family.key}`);
  if (query.q)
    parts.push(
      sql`(d.equipment_code || ' ' || coalesce(d.equipment_name, '')) ILIKE
        ${`%${query.q.replace(/[\\%_]/g, '\\$&')}%`}`,
    );
  if (query.ids) parts.push(sql`d.id = ANY(${query.ids.split(',').map(Number)}::bigint[])`);
  if (query.online !== undefined) parts.push(sql`coalesce(s.online, false) = ${query.online}`);
  const columns = {
    workArea: 'work_area_id',
    roadId: 'road_id',
    groupId: 'group_id',
    poleId: 'pole_id',
    parentId: 'parent_id',
  } as const;
  for (const name of Object.keys(columns) as (keyof typeof columns)[]) {
    if (query[name] !== undefined) parts.push(sql`${sql.ref(`d.${columns[name]}`)} = ${query[name]}`);
  }
  parts.push(...fieldFilters(family, query as Readonly<Record<string, unknown>>));
  return sql<SqlBool>`${sql.join(parts, sql` AND `)}`;
}

function fieldFilters(family: Family | undefined, query: Readonly<Record<string, unknown>>): Sql[] {
  const fields = new Map(
    (family?.fields ?? sharedFields).filter((field) => field.filter).map((field) => [field.key, field]),
  );
  const problems: Problem[] = [];
  const parts: Sql[] = [];
  for (const [key, given] of Object.entries(query)) {
    if (own.has(key) || given === undefined) continue;
    const field = fields.get(key);
    if (!field) {
      problems.push({ field: key, rule: 'unknown' });
      continue;
    }
    const read = String(given)
      .split(',')
      .map((text) => fieldFromText(field, text));
    const wrong = read.find((r) => 'fault' in r);
    if (wrong && 'fault' in wrong) problems.push({ field: key, ...wrong.fault });
    else
      parts.push(
        anyOf(
          family,
          field,
          read.flatMap((r) => ('value' in r ? [r.value] : [])),
        ),
      );
  }
  if (problems.length > 0) throw refuseProblems(problems);
  return parts;
}

function anyOf(family: Family | undefined, field: Field, values: readonly FieldValue[]): Sql {
  if (field.column) {
    const column = sql.ref(`d.${field.column}`);
    if (field.column === 'enabled') return sql`${column} = ANY(${values.map((v) => v !== 'disabled')}::boolean[])`;
    return sql`${column} = ANY(${[...values]}::bigint[])`;
  }
  if (!family) return sql`d.props ->> ${field.key} = ANY(${values.map(String)}::text[])`;
  return sql`(${sql.join(
    values.map((v) => sql`d.props @> ${JSON.stringify({ [field.key]: v })}::jsonb`),
    sql` OR `,
  )})`;
}

const listTables = {
  a: sql`JOIN work_area a ON a.id = d.work_area_id`,
  r: sql`LEFT JOIN road r ON r.id = d.road_id`,
  g: sql`LEFT JOIN equipment_group g ON g.id = d.group_id`,
  ch: sql`LEFT JOIN channel ch ON ch.id = d.channel_id`,
  p: sql`LEFT JOIN device p ON p.id = d.pole_id
    AND p.family IN (${sql.join(namedBy('pole_id').map((key) => sql.lit(key)))})`,
  c: sql`LEFT JOIN device c ON c.id = d.parent_id`,
  s: sql`LEFT JOIN device_state s ON s.device_id = d.id`,
  l: sql`LEFT JOIN device_latest l ON l.device_id = d.id`,
} satisfies Readonly<Record<string, Sql>>;
/** The tables that conditions and orders of a list may speak of besides `d`. */
export type ListTable = keyof typeof listTables;

/** Brings these tables in beside `d`, each once. */
export const joined = (tables: readonly ListTable[]): Sql =>
  sql`${sql.join(
    [...new Set(tables)].map((table) => listTables[table]),
    sql` `,
  )}`;

/** The tables that the conditions of a list speak of. */
export const tablesOf = (query: DeviceQuery): readonly ListTable[] => (query.online === undefined ? [] : ['s']);
