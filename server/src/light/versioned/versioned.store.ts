import { sql, type RawBuilder, type SqlBool } from 'kysely';
import type { Db, Transaction } from '../../platform/db/index.ts';
import { visibleDevices, type DeviceScope } from '../../register/devices/index.ts';
import { usualWatts } from '../../../../catalogue/lighting/plan/night-energy.ts';
import type { PlanMode } from '../../../../catalogue/lighting/plan/programme.ts';
import type { Place } from './kinds.ts';

type From = Db | Transaction;
export interface StoredItem {
  readonly id: number;
  readonly workAreaId: number | null;
  readonly workAreaName: string | null;
  readonly code: string;
  readonly name: string;
  readonly version: number;
  readonly closedAt: Date | null;
  readonly draftBy: string | null;
  readonly draftAt: Date | null;
  readonly draftBasedOn: number | null;
  readonly number: number | null;
  readonly contentHash: string | null;
  readonly frozenBy: string | null;
  readonly frozenAt: Date | null;
  readonly mode: PlanMode | null;
  readonly used: boolean;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}
export interface StoredVersion {
  readonly number: number;
  readonly contentHash: string;
  readonly note: string | null;
  readonly basedOn: number | null;
  readonly by: string;
  readonly at: Date;
}
export interface LampCount {
  readonly item: number;
  readonly number: number;
  readonly following: number;
  readonly unreported: number;
  readonly diverged: number;
  /** Rated power of those that follow it, W, and the first of their work areas; null: none does. */
  readonly watts: number;
  readonly area: number | null;
}
/** How many former drafts of a row are kept for the difference that a second saver gets. */
const keptDrafts = 50;

const table = (name: string) => sql.table(name);
const column = (alias: string, name: string) => sql.ref(`${alias}.${name}`);

/** The assignment `a` of device `d` in area `w` is the one that holds on the lighting day of `now`. */
const holds = (now: Date): RawBuilder<SqlBool> => {
  const today = sql`((${now}::timestamptz AT TIME ZONE w.time_zone) - interval '12 hours')::date`;
  return sql<SqlBool>`a.withdrawn_at IS NULL AND a.from_day <= ${today} AND NOT EXISTS (
    SELECT FROM plan_assignment later WHERE later.device_id = a.device_id AND later.withdrawn_at IS NULL
      AND later.from_day <= ${today} AND (later.from_day, later.id) > (a.from_day, a.id))`;
};
/** Assignments to versions `v`, with their devices and areas. */
const assigned = ({ columns }: Place) => sql`JOIN plan_assignment a ON ${column('a', columns.followed)} = v.id
  JOIN device d ON d.id = a.device_id JOIN work_area w ON w.id = d.work_area_id`;

/** Those of the areas that an account sees, narrowed to the one it works in, and those of all areas. */
export function visibleItems({ workAreas, workAreaId }: DeviceScope): RawBuilder<SqlBool> {
  const inForce = workAreaId === null ? sql`true` : sql`t.work_area_id = ${workAreaId}`;
  const seen = workAreas === 'all' ? sql`true` : sql`t.work_area_id = ANY(${[...workAreas]}::bigint[])`;
  return sql<SqlBool>`(t.work_area_id IS NULL OR (${inForce} AND ${seen}))`;
}

const isListed = ({ hidden }: Place): RawBuilder<SqlBool> =>
  hidden === undefined ? sql<SqlBool>`true` : sql<SqlBool>`NOT ${column('t', hidden)}`;
const isUsed = (kind: Place, now: Date): RawBuilder<SqlBool> =>
  sql<SqlBool>`EXISTS (SELECT FROM ${table(kind.tables.versions)} v ${assigned(kind)}
    WHERE ${column('v', kind.columns.parent)} = t.id AND ${holds(now)})`;
const isFrozen = ({ tables, columns }: Place): RawBuilder<SqlBool> =>
  sql<SqlBool>`EXISTS (SELECT FROM ${table(tables.versions)} v WHERE ${column('v', columns.parent)} = t.id)`;

const select = (kind: Place, now: Date) => sql`SELECT t.id, t.work_area_id AS "workAreaId",
    area.work_name AS "workAreaName", t.code, t.name, t.version, ${column('t', kind.columns.closedAt)} AS "closedAt",
    CASE WHEN t.draft IS NOT NULL THEN t.draft_by END AS "draftBy", t.draft_at AS "draftAt",
    t.draft_based_on AS "draftBasedOn", newest.number, newest.content_hash AS "contentHash",
    newest.created_by AS "frozenBy", newest.created_at AS "frozenAt",
    coalesce(t.draft, newest.content) ->> 'mode' AS mode, ${isUsed(kind, now)} AS used,
    t.created_at AS "createdAt", t.updated_at AS "updatedAt"
  FROM ${table(kind.tables.item)} t LEFT JOIN work_area area ON area.id = t.work_area_id
  LEFT JOIN LATERAL (SELECT * FROM ${table(kind.tables.versions)} v WHERE ${column('v', kind.columns.parent)} = t.id
    ORDER BY v.number DESC LIMIT 1) newest ON true`;

export interface ListQuery {
  readonly q?: string;
  readonly state?: string;
  readonly sort?: string;
  readonly page?: number;
  readonly size?: number;
}
const orders = {
  code: sql`t.code COLLATE natural_order`,
  name: sql`t.name COLLATE natural_order`,
  updatedAt: sql`t.updated_at`,
} as const;
type Order = keyof typeof orders;
const isOrder = (name: string | undefined): name is Order => name !== undefined && Object.hasOwn(orders, name);

function conditions(kind: Place, scope: DeviceScope, { q, state }: ListQuery, now: Date): RawBuilder<SqlBool> {
  const open = sql`${column('t', kind.columns.closedAt)} IS NULL`;
  const states: Readonly<Record<string, RawBuilder<unknown>>> = {
    [kind.closed]: sql`NOT (${open})`,
    draft: sql`${open} AND NOT ${isFrozen(kind)}`,
    frozen: sql`${open} AND ${isFrozen(kind)} AND NOT ${isUsed(kind, now)}`,
    inUse: sql`${open} AND ${isUsed(kind, now)}`,
  };
  const words = q?.trim();
  const found = words
    ? sql`(strpos(lower(t.code), lower(${words})) > 0 OR strpos(lower(t.name), lower(${words})) > 0)`
    : sql`true`;
  return sql<SqlBool>`${visibleItems(scope)} AND ${isListed(kind)} AND ${found} AND ${state === undefined ? sql`true` : states[state]}`;
}

export async function findPage(
  db: Db,
  kind: Place,
  scope: DeviceScope,
  query: ListQuery,
  now: Date,
): Promise<{ readonly rows: readonly StoredItem[]; readonly total: number }> {
  const where = conditions(kind, scope, query, now);
  const [key, direction] = (query.sort ?? 'code').split(',');
  const by = orders[isOrder(key) ? key : 'code'];
  const way = sql.raw(direction === 'desc' ? 'DESC' : 'ASC');
  const size = query.size ?? 50;
  const [{ rows }, { rows: counted }] = await Promise.all([
    sql<StoredItem>`${select(kind, now)} WHERE ${where} ORDER BY ${by} ${way}, t.id ${way}
      LIMIT ${size} OFFSET ${Math.max(0, (query.page ?? 1) - 1) * size}`.execute(db),
    sql<{ n: number }>`SELECT count(*)::int AS n FROM ${table(kind.tables.item)} t WHERE ${where}`.execute(db),
  ]);
  return { rows, total: counted[0]?.n ?? 0 };
}

/** One row, whether the scope sees it, and its content: the draft, else the newest version. */
export async function findOne<Content>(
  db: From,
  kind: Place,
  scope: DeviceScope,
  id: number,
  now: Date,
): Promise<(StoredItem & { readonly visible: boolean; readonly content: Content | null }) | undefined> {
  const { rows } = await sql<StoredItem & { visible: boolean; content: Content | null }>`
    SELECT s.*, ${visibleItems(scope)} AS visible, coalesce(t.draft, (SELECT content
      FROM ${table(kind.tables.versions)} v WHERE ${column('v', kind.columns.parent)} = t.id
      ORDER BY number DESC LIMIT 1)) AS content
    FROM (${select(kind, now)} WHERE t.id = ${id} AND ${isListed(kind)}) s JOIN ${table(kind.tables.item)} t ON t.id = s.id`.execute(
    db,
  );
  return rows[0];
}

/** Holds the row until the transaction ends. */
export async function lockOne(tx: Transaction, kind: Place, id: number): Promise<void> {
  await sql`SELECT FROM ${table(kind.tables.item)} WHERE id = ${id} FOR UPDATE`.execute(tx);
}

export async function areaExists(db: From, id: number): Promise<boolean> {
  return (await db.selectFrom('work_area').select('id').where('id', '=', id).executeTakeFirst()) !== undefined;
}

/** Whether another row of the area has the code. */
export async function isCodeTaken(
  db: From,
  kind: Place,
  areaId: number | null,
  code: string,
  but: number | null,
): Promise<boolean> {
  const { rows } = await sql`SELECT FROM ${table(kind.tables.item)} t WHERE coalesce(t.work_area_id, 0) = ${areaId ?? 0}
    AND lower(t.code) = lower(${code}) AND t.id IS DISTINCT FROM ${but}::bigint AND ${isListed(kind)}`.execute(db);
  return rows.length > 0;
}

export async function insertItem(
  tx: Transaction,
  { tables }: Place,
  item: { readonly workAreaId: number | null; readonly code: string; readonly name: string; readonly at: Date },
): Promise<number> {
  const { rows } = await sql<{ id: number }>`INSERT INTO ${table(tables.item)}
      (work_area_id, code, name, created_at, updated_at)
    VALUES (${item.workAreaId}, ${item.code}, ${item.name}, ${item.at}, ${item.at}) RETURNING id`.execute(tx);
  return rows[0]?.id ?? 0;
}

/** Writes these columns as the next version of the row, and what its content was then. */
export async function updateItem(
  tx: Transaction,
  kind: Place,
  id: number,
  at: Date,
  values: Readonly<Record<string, string | number | Date | null>>,
): Promise<void> {
  const sets = Object.entries(values).map(([name, value]) => sql`${sql.ref(name)} = ${value}`);
  await sql`UPDATE ${table(kind.tables.item)}
    SET ${sql.join([...sets, sql`version = version + 1`, sql`updated_at = ${at}`])} WHERE id = ${id}`.execute(tx);
  const { tables, columns } = kind;
  await sql`INSERT INTO ${table(tables.drafts)} (${sql.ref(columns.parent)}, version, content)
    SELECT t.id, t.version, coalesce(t.draft, (SELECT content FROM ${table(tables.versions)} v
      WHERE ${column('v', columns.parent)} = t.id ORDER BY number DESC LIMIT 1))
    FROM ${table(tables.item)} t WHERE t.id = ${id}`.execute(tx);
  await sql`DELETE FROM ${table(tables.drafts)} WHERE ${sql.ref(columns.parent)} = ${id}
    AND version <= (SELECT version - ${keptDrafts} FROM ${table(tables.item)} WHERE id = ${id})`.execute(tx);
}

/** The content that the row had at a version of it; null: none, or it is no longer kept. */
export async function contentAt<Content>(
  tx: Transaction,
  { tables, columns }: Place,
  id: number,
  version: number,
): Promise<Content | null> {
  const { rows } = await sql<{ content: Content | null }>`SELECT content FROM ${table(tables.drafts)}
    WHERE ${sql.ref(columns.parent)} = ${id} AND version = ${version}`.execute(tx);
  return rows[0]?.content ?? null;
}

export async function deleteItem(tx: Transaction, { tables }: Place, id: number): Promise<void> {
  await sql`DELETE FROM ${table(tables.item)} WHERE id = ${id}`.execute(tx);
}

/** Returns the id of the version. */
export async function insertVersion<Content>(
  tx: Transaction,
  { tables, columns }: Place,
  id: number,
  version: StoredVersion & { readonly content: Content },
): Promise<number> {
  const { rows } = await sql<{ id: number }>`INSERT INTO ${table(tables.versions)}
      (${sql.ref(columns.parent)}, code, number, content, content_hash, note, based_on, created_by, created_at)
    SELECT t.id, t.code, ${version.number}::int, ${JSON.stringify(version.content)}::jsonb,
      ${version.contentHash}::text, ${version.note}::text, ${version.basedOn}::int, ${version.by}::text,
      ${version.at}::timestamptz FROM ${table(tables.item)} t WHERE t.id = ${id}
    RETURNING id`.execute(tx);
  return rows[0]?.id ?? 0;
}

const versionColumns = sql`v.number, v.content_hash AS "contentHash", v.note, v.based_on AS "basedOn",
  v.created_by AS by, v.created_at AS at`;

export async function findVersions(db: Db, { tables, columns }: Place, id: number): Promise<readonly StoredVersion[]> {
  const { rows } = await sql<StoredVersion>`SELECT ${versionColumns} FROM ${table(tables.versions)} v
    WHERE ${column('v', columns.parent)} = ${id} ORDER BY v.number DESC`.execute(db);
  return rows;
}

export async function findVersion<Content>(
  db: From,
  { tables, columns }: Place,
  id: number,
  number: number,
): Promise<(StoredVersion & { readonly content: Content }) | undefined> {
  const { rows } = await sql<StoredVersion & { content: Content }>`SELECT ${versionColumns}, v.content
    FROM ${table(tables.versions)} v WHERE ${column('v', columns.parent)} = ${id} AND v.number = ${number}`.execute(db);
  return rows[0];
}

/** How many of the devices in scope follow each version of these items now, were told of it, or diverged. */
export async function countLamps(
  db: Db,
  kind: Place,
  scope: DeviceScope,
  ids: readonly number[],
  now: Date,
): Promise<readonly LampCount[]> {
  const { tables, columns } = kind;
  const versions = sql`${table(tables.versions)} v`;
  const ofThese = sql`${column('v', columns.parent)} = ANY(${[...ids]}::bigint[]) AND ${visibleDevices(scope)}`;
  const key = sql`${column('v', columns.parent)} AS item, v.number`;
  const { rows } = await sql<LampCount>`SELECT item, number, sum(following)::int AS following,
      sum(unreported)::int AS unreported, sum(diverged)::int AS diverged, sum(watts)::float8 AS watts, min(area)::int AS area FROM (
    SELECT ${key}, count(*) AS following, 0 AS unreported, count(*) FILTER (WHERE EXISTS (SELECT FROM publication_item i
        WHERE i.publication_id = a.publication_id AND i.device_id = a.device_id AND i.state = 'diverged')) AS diverged,
        sum(coalesce(d.rated_watts, ${usualWatts})) AS watts, min(d.work_area_id) AS area
      FROM ${versions} ${assigned(kind)} WHERE ${ofThese} AND ${holds(now)} GROUP BY 1, 2
    UNION ALL
    SELECT ${key}, 0, count(*), 0, 0, NULL FROM ${versions} JOIN publication p ON ${column('p', columns.followed)} = v.id
      JOIN publication_watch w ON w.publication_id = p.id JOIN publication_item i USING (publication_id, device_id)
      JOIN device d ON d.id = i.device_id
      WHERE i.state = 'told' AND ${ofThese} GROUP BY 1, 2) counted
    GROUP BY item, number ORDER BY item, number DESC`.execute(db);
  return rows;
}
