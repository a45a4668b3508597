import { sql, type RawBuilder, type SqlBool } from 'kysely';
import { familyOf, fieldFromText, sharedFields, sqlTypeOf, type Family, type Field, type FieldValue, type Problem } from '../../../../catalogue/index.ts';
import { refuse, refuseProblems } from '../../platform/http/index.ts';
import { visibleDevices, type DeviceScope } from './visible.ts';

type Sql = RawBuilder<unknown>;

/** What a list is asked for; names outside these are filter fields of the family by their wire name. */
export interface DeviceQuery {
  readonly family?: string; readonly q?: string; readonly ids?: string; readonly online?: boolean;
  readonly workArea?: number; readonly roadId?: number; readonly groupId?: number; readonly poleId?: number; readonly parentId?: number;
  readonly page?: number; readonly size?: number; readonly sort?: string;
}
const own = new Set(['family', 'q', 'ids', 'online', 'workArea', 'roadId', 'groupId', 'poleId', 'parentId', 'page', 'size', 'sort']);

export function familyNamed(key: string): Family {
  const family = familyOf(key);
  if (!family) throw refuse('unknownFamily');
  return family;
}

/** Every condition of a list: what the caller may see, the named filters, and the family's own filter fields. */
export function conditionsOf(caller: DeviceScope, query: DeviceQuery): RawBuilder<SqlBool> {
  const family = query.family === undefined ? undefined : familyNamed(query.family);
  const parts: Sql[] = [visibleDevices(caller)];
  if (family) parts.push(sql`d.family = ${family.key}`);
  if (query.q) parts.push(sql`(d.equipment_code || ' ' || coalesce(d.equipment_name, '')) ILIKE ${`%${query.q.replace(/[\\%_]/g, '\\$&')}%`}`);
  if (query.ids) parts.push(sql`d.id = ANY(${query.ids.split(',').map(Number)}::bigint[])`);
  if (query.online !== undefined) parts.push(sql`coalesce(s.online, false) = ${query.online}`);
  const columns = { workArea: 'work_area_id', roadId: 'road_id', groupId: 'group_id', poleId: 'pole_id', parentId: 'parent_id' } as const;
  for (const name of Object.keys(columns) as (keyof typeof columns)[]) {
    if (query[name] !== undefined) parts.push(sql`${sql.ref(`d.${columns[name]}`)} = ${query[name]}`);
  }
  parts.push(...fieldFilters(family, query as Readonly<Record<string, unknown>>));
  return sql<SqlBool>`${sql.join(parts, sql` AND `)}`;
}

function fieldFilters(family: Family | undefined, query: Readonly<Record<string, unknown>>): Sql[] {
  const fields = new Map((family?.fields ?? sharedFields).filter((field) => field.filter).map((field) => [field.key, field]));
  const problems: Problem[] = [];
  const parts: Sql[] = [];
  for (const [key, given] of Object.entries(query)) {
    if (own.has(key) || given === undefined) continue;
    const field = fields.get(key);
    if (!field) { problems.push({ field: key, rule: 'unknown' }); continue; }
    const read = String(given).split(',').map((text) => fieldFromText(field, text));
    const wrong = read.find((r) => 'fault' in r);
    if (wrong && 'fault' in wrong) problems.push({ field: key, ...wrong.fault });
    else parts.push(anyOf(family, field, read.flatMap((r) => 'value' in r ? [r.value] : [])));
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
  return sql`(${sql.join(values.map((v) => sql`d.props @> ${JSON.stringify({ [field.key]: v })}::jsonb`), sql` OR `)})`;
}

const labelColumns: Readonly<Record<string, string>> = { work_area_id: 'a.work_name', road_id: 'r.road_name', group_id: 'g.group_name', pole_id: 'p.equipment_code', parent_id: 'c.equipment_code', channel_id: 'ch.channel_name' };

/** The tables beside `d` that the conditions and the order of a list need. */
export function joinsOf(query: DeviceQuery): Sql {
  const [key = ''] = (query.sort ?? '').split(',');
  const label = labelColumns[columnNamed(query, key) ?? '']?.split('.')[0];
  const needed = new Set([label, query.online !== undefined || ['isOnline', 'state', 'updateTime'].includes(key) ? 's' : undefined, key === 'updateTime' || key.startsWith('latest.') ? 'l' : undefined]);
  return sql`${sql.join(Object.entries(listJoins).flatMap(([alias, join]) => needed.has(alias) ? [join] : []), sql` `)}`;
}

const listJoins: Readonly<Record<string, Sql>> = {
  a: sql`JOIN work_area a ON a.id = d.work_area_id`, r: sql`LEFT JOIN road r ON r.id = d.road_id`, g: sql`LEFT JOIN equipment_group g ON g.id = d.group_id`,
  ch: sql`LEFT JOIN channel ch ON ch.id = d.channel_id`, p: sql`LEFT JOIN device p ON p.id = d.pole_id`, c: sql`LEFT JOIN device c ON c.id = d.parent_id`,
  s: sql`LEFT JOIN device_state s ON s.device_id = d.id`, l: sql`LEFT JOIN device_latest l ON l.device_id = d.id`,
};

const columnNamed = (query: DeviceQuery, key: string): string | undefined =>
  ((query.family === undefined ? undefined : familyNamed(query.family))?.fields ?? sharedFields).find((field) => field.key === key)?.column;

/** The order of a list out of the family's allow-list; codes and names sort naturally (P2 before P10). */
export function orderOf(query: DeviceQuery): Sql {
  const family = query.family === undefined ? undefined : familyNamed(query.family);
  const [key = 'equipmentCode', direction = 'asc'] = (query.sort ?? 'equipmentCode,asc').split(',');
  const by = sortExpression(family, key);
  if (!by || (direction !== 'asc' && direction !== 'desc')) throw refuseProblems([{ field: 'sort', rule: 'option' }]);
  // A column that is never null is read off its index in either direction.
  const nulls = key === 'equipmentCode' || key === 'id' ? sql`` : sql`NULLS LAST`;
  return sql`${by} ${sql.raw(direction)} ${nulls}, d.id ${sql.raw(direction)}`;
}

function sortExpression(family: Family | undefined, key: string): Sql | undefined {
  if (key === 'id') return sql`d.id`;
  if (key === 'isOnline') return sql`s.online`;
  if (key === 'updateTime') return sql`coalesce(l.received_at, CASE WHEN s.device_id IS NULL THEN d.updated_at END)`;
  if (key === 'state') return sql`s.state`;
  if (key.startsWith('latest.')) {
    const quantity = family?.quantity.get(key.slice('latest.'.length));
    return quantity?.kind === 'number' ? sql`(l.values ->> ${quantity.key})::float8` : undefined;
  }
  const field = (family?.fields ?? sharedFields).find((f) => f.key === key && f.sort);
  if (!field) return undefined;
  const label = field.column ? labelColumns[field.column] : undefined;
  if (label) return sql`${sql.ref(label)} COLLATE natural_order`;
  const at = field.column ? sql.ref(`d.${field.column}`) : sql`(d.props ->> ${field.key})`;
  if (field.column === 'enabled') return sql`NOT ${at}`;
  if (sqlTypeOf(field) === 'text') return sql`${at} COLLATE natural_order`;
  return field.column ? at : sql`(d.props ->> ${field.key})::${sql.raw(sqlTypeOf(field))}`;
}
