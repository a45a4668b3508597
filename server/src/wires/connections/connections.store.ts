import { sql, type RawBuilder, type SqlBool } from 'kysely';
import type { Static } from 'typebox';
import type {
  ConnectionEntry,
  ConnectionFilters,
  getConnectionFigures,
} from '../../../../contract/wires/connections.ts';
import type { ReplyOf } from '../../../../contract/route.ts';
import { contains, type Db } from '../../platform/db/index.ts';
import { visibleDevices, type DeviceScope } from '../../register/devices/index.ts';
import { connectionSeconds } from '../../register/episodes/index.ts';

export type Filters = Static<typeof ConnectionFilters>;
export type Entry = Static<typeof ConnectionEntry>;
type Where = RawBuilder<SqlBool>;

/** The part of the filters that is about devices, over `d`. */
function devicesWhere(scope: DeviceScope, { family, workId, roadId, deviceId, q }: Filters): Where {
  return sql.join(
    [
      visibleDevices(scope),
      ...(family === undefined ? [] : [sql<SqlBool>`d.family = ANY(${family.split(',')}::text[])`]),
      ...(workId === undefined ? [] : [sql<SqlBool>`d.work_area_id = ANY(${workId.split(',')}::bigint[])`]),
      ...(roadId === undefined ? [] : [sql<SqlBool>`d.road_id = ANY(${roadId.split(',')}::bigint[])`]),
      ...(deviceId === undefined ? [] : [sql<SqlBool>`d.id = ${deviceId}`]),
      ...(q === undefined || q.trim() === ''
        ? []
        : [sql<SqlBool>`(d.equipment_code || ' ' || coalesce(d.equipment_name, '')) ILIKE ${contains(q.trim())}`]),
    ],
    sql` AND `,
  );
}

/** Which rows of the log, over `c` and its device `d`. */
function where(scope: DeviceScope, filters: Filters): Where {
  const { from, to, kind, reason, open, behind } = filters;
  return sql.join(
    [
      devicesWhere(scope, filters),
      ...(from === undefined ? [] : [sql<SqlBool>`(c.ended_at IS NULL OR c.ended_at >= ${from})`]),
      ...(to === undefined ? [] : [sql<SqlBool>`c.began_at <= ${to}`]),
      ...(kind === undefined ? [] : [sql<SqlBool>`c.kind = ANY(${kind.split(',')}::text[])`]),
      ...(reason === undefined ? [] : [sql<SqlBool>`c.reason = ANY(${reason.split(',')}::text[])`]),
      ...(open === undefined ? [] : [open ? sql<SqlBool>`c.ended_at IS NULL` : sql<SqlBool>`c.ended_at IS NOT NULL`]),
      ...(behind === false ? [sql<SqlBool>`c.reason <> 'gatewayLost'`] : []),
    ],
    sql` AND `,
  );
}

/** The rows that the filters leave, as something that can be counted. */
export const asked = (scope: DeviceScope, filters: Filters): RawBuilder<unknown> =>
  sql`SELECT 1 FROM connection_log c JOIN device d ON d.id = c.device_id WHERE ${where(scope, filters)}`;

export interface Page {
  readonly limit: number;
  readonly offset?: number;
  /** Only what stands behind this one. */ readonly after?: Entry | undefined;
}

/** A page of the log, the latest first. */
export async function findEntries(
  db: Db,
  scope: DeviceScope,
  filters: Filters,
  { limit, offset = 0, after }: Page,
): Promise<Entry[]> {
  const { rows } = await sql<Found>`
    SELECT c.id, c.kind, c.reason, d.id AS "deviceId", d.family, d.equipment_code AS code, d.equipment_name AS name,
      a.work_name AS "workAreaName", r.road_name AS "roadName",
      c.began_at AS "beganAt", c.ended_at AS "endedAt", c.noticed_at AS "noticedAt", c.last_at AS "lastAt", c.times,
      c.address,
      ${connectionSeconds} AS seconds,
      v.id AS "viaId", v.family AS "viaFamily", v.equipment_code AS "viaCode", v.equipment_name AS "viaName"
    FROM (
      SELECT c.* FROM connection_log c JOIN device d ON d.id = c.device_id WHERE ${where(scope, filters)}
        ${
          after
            ? sql`AND (c.began_at, c.id) < (SELECT x.began_at, x.id FROM connection_log x
          WHERE x.id = ${after.id})`
            : sql``
        }
      ORDER BY c.began_at DESC, c.id DESC LIMIT ${limit} OFFSET ${offset}
    ) c JOIN device d ON d.id = c.device_id JOIN work_area a ON a.id = d.work_area_id
      LEFT JOIN road r ON r.id = d.road_id LEFT JOIN device v ON v.id = c.via_id
    ORDER BY c.began_at DESC, c.id DESC`.execute(db);
  return rows.map(entryOf);
}

interface Found {
  readonly id: number;
  readonly kind: Entry['kind'];
  readonly reason: Entry['reason'];
  readonly deviceId: number;
  readonly family: string;
  readonly code: string;
  readonly name: string | null;
  readonly workAreaName: string;
  readonly roadName: string | null;
  readonly beganAt: Date;
  readonly endedAt: Date | null;
  readonly noticedAt: Date;
  readonly lastAt: Date;
  readonly times: number;
  readonly address: string | null;
  readonly seconds: number | null;
  readonly viaId: number | null;
  readonly viaFamily: string;
  readonly viaCode: string;
  readonly viaName: string | null;
}

const entryOf = (row: Found): Entry => ({
  id: row.id,
  kind: row.kind,
  reason: row.reason,
  device: {
    id: row.deviceId,
    family: row.family,
    code: row.code,
    name: row.name,
    workAreaName: row.workAreaName,
    roadName: row.roadName,
  },
  beganAt: row.beganAt.toISOString(),
  endedAt: row.endedAt?.toISOString() ?? null,
  noticedAt: row.noticedAt.toISOString(),
  lastAt: row.lastAt.toISOString(),
  times: row.times,
  seconds: row.seconds,
  via: row.viaId === null ? null : { id: row.viaId, family: row.viaFamily, code: row.viaCode, name: row.viaName },
  address: row.address,
});

export interface ToldStretch {
  readonly kind: 'offline' | 'unpowered';
  readonly reason: Entry['reason'];
  readonly from: Date;
  readonly to: Date | null;
}

/** When a device was out of reach or without power in a span, and when nobody listened. */
export async function findStory(
  db: Db,
  deviceId: number,
  from: Date,
  to: Date,
): Promise<{ outages: ToldStretch[]; gaps: { from: Date; to: Date }[] }> {
  const [outages, gaps] = await Promise.all([
    sql<ToldStretch>`SELECT kind, reason, began_at AS "from", ended_at AS "to" FROM connection_log
      WHERE device_id = ${deviceId} AND kind IN ('offline', 'unpowered') AND began_at < ${to}
        AND (ended_at IS NULL OR ended_at > ${from}) ORDER BY began_at, id`.execute(db),
    findGaps(db, from, to, 10_000),
  ]);
  return { outages: outages.rows, gaps };
}

/** When nobody listened, in a span, the latest first. */
export async function findGaps(db: Db, from: Date, to: Date, limit: number): Promise<{ from: Date; to: Date }[]> {
  const { rows } = await sql<{
    from: Date;
    to: Date;
  }>`SELECT began_at AS "from", ended_at AS "to" FROM connection_gap WHERE ended_at > ${from} AND began_at < ${to}
    ORDER BY ended_at DESC LIMIT ${limit}`.execute(db);
  return rows;
}

type Figures = ReplyOf<typeof getConnectionFigures>;

/** How the enabled devices of these families are connected now. */
export async function countNow(
  db: Db,
  scope: DeviceScope,
  filters: Filters,
  reporting: readonly string[],
): Promise<Figures['now']> {
  const { rows } = await sql<Figures['now']>`
    SELECT count(*)::int AS devices, (count(*) FILTER (WHERE s.online))::int AS online,
      (count(*) FILTER (WHERE s.state = 'offline'))::int AS offline,
      (count(*) FILTER (WHERE s.state = 'offline' AND c.reason = 'gatewayLost'))::int AS behind,
      (count(*) FILTER (WHERE s.unpowered))::int AS unpowered,
      (count(*) FILTER (WHERE s.device_id IS NULL OR (NOT s.online AND s.state <> 'offline' AND NOT s.unpowered)))::int
        AS unknown
    FROM device d LEFT JOIN device_state s ON s.device_id = d.id
      LEFT JOIN connection_log c ON c.device_id = d.id AND c.ended_at IS NULL AND c.kind = 'offline'
    WHERE ${devicesWhere(scope, filters)} AND d.enabled AND d.family = ANY(${[...reporting]}::text[])`.execute(db);
  return rows[0] ?? { devices: 0, online: 0, offline: 0, behind: 0, unpowered: 0, unknown: 0 };
}

/** Seconds of all those devices together; each counts from when it was registered. */
export async function sumShares(
  db: Db,
  scope: DeviceScope,
  filters: Filters,
  reporting: readonly string[],
  span: { from: Date; to: Date },
): Promise<Figures['span']> {
  const seconds = (ranges: RawBuilder<unknown>) =>
    sql`(SELECT coalesce(sum(extract(epoch FROM upper(r) - lower(r))), 0) FROM unnest(${ranges}) r)`;
  const { rows } = await sql<Figures['span']>`
    WITH gap AS MATERIALIZED (SELECT coalesce(range_agg(tstzrange(began_at, ended_at)), '{}'::tstzmultirange) AS all
      FROM connection_gap WHERE ended_at > ${span.from} AND began_at < ${span.to}),
    asked AS MATERIALIZED (
      SELECT d.id,
        tstzrange(least(greatest(d.created_at, ${span.from}::timestamptz), ${span.to}::timestamptz), ${span.to}) AS span
        FROM device d
      WHERE ${devicesWhere(scope, filters)} AND d.enabled AND d.family = ANY(${[...reporting]}::text[])
    ), whole AS (
      SELECT coalesce(sum(extract(epoch FROM upper(span) - lower(span))) FILTER (WHERE NOT isempty(span)), 0) AS all,
        coalesce(sum(CASE WHEN gap.all = '{}' THEN 0 ELSE ${seconds(sql`gap.all * tstzmultirange(span)`)} END), 0)
          AS unknown FROM asked CROSS JOIN gap
    ), told AS (
      SELECT a.id, a.span,
        coalesce(range_agg(tstzrange(c.began_at, coalesce(c.ended_at, ${span.to}))) FILTER (WHERE c.kind = 'offline'),
        '{}'::tstzmultirange) AS out,
        coalesce(range_agg(tstzrange(c.began_at, coalesce(c.ended_at, ${span.to}))) FILTER (WHERE c.kind = 'unpowered'),
          '{}'::tstzmultirange) AS dark
      FROM asked a JOIN connection_log c ON c.device_id = a.id
      WHERE c.kind IN ('offline', 'unpowered') AND c.began_at < ${span.to}
        AND (c.ended_at IS NULL OR c.ended_at > ${span.from}) GROUP BY a.id, a.span
    ), parts AS (
      SELECT ${seconds(sql`dark * tstzmultirange(span) - gap.all`)} AS unpowered,
        ${seconds(sql`out * tstzmultirange(span) - gap.all - dark`)} AS offline FROM told CROSS JOIN gap
    ), sums AS (SELECT coalesce(sum(unpowered), 0) AS unpowered, coalesce(sum(offline), 0) AS offline FROM parts)
    SELECT (w.all - w.unknown - s.unpowered)::float8 AS due,
      (w.all - w.unknown - s.unpowered - s.offline)::float8 AS online, s.offline::float8 AS offline,
      s.unpowered::float8 AS unpowered, w.unknown::float8 AS unknown
    FROM whole w CROSS JOIN sums s`.execute(db);
  return rows[0] ?? { due: 0, online: 0, offline: 0, unpowered: 0, unknown: 0 };
}

/** What kept them from it, of what began in the span. */
export async function countReasons(
  db: Db,
  scope: DeviceScope,
  filters: Filters,
  span: { from: Date; to: Date },
): Promise<Figures['reasons']> {
  const { rows } = await sql<Figures['reasons'][number]>`
    SELECT c.kind, c.reason, sum(c.times)::int AS count, count(DISTINCT c.device_id)::int AS devices
      FROM connection_log c JOIN device d ON d.id = c.device_id
    WHERE ${devicesWhere(scope, filters)} AND d.enabled AND c.began_at >= ${span.from} AND c.began_at < ${span.to}
      GROUP BY c.kind, c.reason ORDER BY count DESC, c.kind, c.reason`.execute(db);
  return rows;
}

/** So many entries began in what begins then. */
export interface Drops {
  readonly at: Date;
  readonly count: number;
}

const begunIn = (scope: DeviceScope, filters: Filters, span: { from: Date; to: Date }): RawBuilder<unknown> =>
  sql`connection_log c JOIN device d ON d.id = c.device_id
    WHERE ${where(scope, filters)} AND c.began_at >= ${span.from} AND c.began_at < ${span.to}`;

/** Entries by the step of `seconds`, counted from the beginning of the span, in which they began; ascending. */
export async function countSteps(
  db: Db,
  scope: DeviceScope,
  filters: Filters,
  { seconds, ...span }: { from: Date; to: Date; seconds: number },
): Promise<Drops[]> {
  const { rows } = await sql<Drops>`
    SELECT date_bin(make_interval(secs => ${seconds}), c.began_at, ${span.from}::timestamptz) AS at, count(*)::int AS count
    FROM ${begunIn(scope, filters, span)} GROUP BY 1 ORDER BY 1`.execute(db);
  return rows;
}

/** The minutes in which the most entries began, at least two; the busiest first. */
export async function findBusiest(
  db: Db,
  scope: DeviceScope,
  filters: Filters,
  { most, ...span }: { from: Date; to: Date; most: number },
): Promise<Drops[]> {
  const { rows } = await sql<Drops>`SELECT date_trunc('minute', c.began_at) AS at, count(*)::int AS count
    FROM ${begunIn(scope, filters, span)} GROUP BY 1 HAVING count(*) > 1 ORDER BY 2 DESC, 1 DESC LIMIT ${most}`.execute(
    db,
  );
  return rows;
}

/** Takes away what ended longer ago, a bundle at a time; returns whether there may be more. */
export async function forget(db: Db, before: Date, most: number): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`DELETE FROM connection_log
      WHERE id IN (SELECT id FROM connection_log WHERE began_at < ${before} AND ended_at < ${before} ORDER BY began_at
      LIMIT ${most})`.execute(db);
  await sql`DELETE FROM connection_gap WHERE ended_at < ${before}`.execute(db);
  return numAffectedRows >= BigInt(most);
}

export interface Zone {
  readonly timeZone: string;
  readonly sunOffsetMinutes: number;
  readonly createdAt: Date;
}
export async function findZone(db: Db, deviceId: number): Promise<Zone | undefined> {
  const { rows } = await sql<Zone>`SELECT a.time_zone AS "timeZone", a.sun_offset_minutes AS "sunOffsetMinutes",
      d.created_at AS "createdAt" FROM device d JOIN work_area a ON a.id = d.work_area_id
      WHERE d.id = ${deviceId}`.execute(db);
  return rows[0];
}
