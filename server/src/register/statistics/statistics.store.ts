import { sql, type RawBuilder, type SqlBool } from 'kysely';
import type { Static } from 'typebox';
import {
  ageYears,
  type ControllerStatistics,
  type StatisticsFilters,
} from '../../../../contract/register/statistics.ts';
import type { Db } from '../../platform/db/index.ts';
import { visibleDevices, type DeviceScope } from '../devices/index.ts';

export type Filters = Static<typeof StatisticsFilters>;
export type Controller = Static<typeof ControllerStatistics>;
export interface Group {
  readonly key: string | null;
  readonly label: string | null;
  readonly count: number;
  readonly enabled: number;
}

/** Which groups a row of the grouping sets stands for: a bit is 0 for the column it is grouped by. */
export const groupings = {
  families: 0b011111,
  workAreas: 0b101111,
  roads: 0b110111,
  ages: 0b111011,
  vendors: 0b111101,
  states: 0b111110,
  total: 0b111111,
} as const;
export interface Counted extends Group {
  readonly grouping: number;
}

/** What the caller sees and the filters leave, over the device `d`. */
export function conditionsOf(scope: DeviceScope, { family, workId, roadId, status }: Filters): RawBuilder<SqlBool> {
  const all = [
    visibleDevices(scope),
    ...(family === undefined ? [] : [sql<SqlBool>`d.family = ANY(${family.split(',')}::text[])`]),
    ...(workId === undefined ? [] : [sql<SqlBool>`d.work_area_id = ANY(${workId.split(',')}::bigint[])`]),
    ...(roadId === undefined ? [] : [sql<SqlBool>`d.road_id = ANY(${roadId.split(',')}::bigint[])`]),
    ...(status === undefined ? [] : [sql<SqlBool>`d.enabled = ${status === 'enabled'}`]),
  ];
  return sql.join(all, sql` AND `);
}

/** `2026-11-21` so many years before. */
const yearsBefore = (day: string, years: number): string =>
  `${String(Number(day.slice(0, 4)) - years).padStart(4, '0')}${day.slice(4)}`;

/** The lower bound of a device's age in years as text; days compare as they are written. */
function ageOf(today: string): RawBuilder<string | null> {
  const installed = sql`d.props->>'installTime'`;
  const steps = ageYears
    .slice(1)
    .map((years, index) => sql`WHEN ${installed} > ${yearsBefore(today, years)} THEN ${String(ageYears[index])}::text`);
  return sql`CASE WHEN ${installed} IS NULL THEN NULL
    WHEN ${installed} > ${today} THEN 'future' ${sql.join(steps, sql` `)} ELSE ${String(ageYears.at(-1))}::text END`;
}

/**
 * Every figure in one pass over the register, so that all of them are of the same instant. `silent`: families that
 * report nothing; what is no lamp is never lit, only online.
 */
export async function countGroups(
  db: Db,
  where: RawBuilder<SqlBool>,
  today: string,
  silent: readonly string[],
  lampFamily: string,
): Promise<Counted[]> {
  const { rows } = await sql<Counted>`
    WITH seen AS (
      SELECT d.family, d.work_area_id, d.road_id, ${ageOf(today)} AS age,
        nullif(btrim(d.props->>'manufacturer'), '') AS vendor,
        CASE WHEN d.family = ANY(${[...silent]}::text[]) THEN NULL WHEN s.state = 'on'
          AND d.family <> ${lampFamily} THEN 'online' ELSE coalesce(s.state, 'unknown') END AS state, d.enabled
      FROM device d LEFT JOIN device_state s ON s.device_id = d.id WHERE ${where}
    ), counted AS (
      SELECT grouping(family, work_area_id, road_id, age, vendor, state) AS grouping, family, work_area_id, road_id,
        age, vendor, state,
        count(*)::int AS count, (count(*) FILTER (WHERE enabled))::int AS enabled
      FROM seen GROUP BY GROUPING SETS ((), (family), (work_area_id), (road_id), (age), (vendor), (state))
    )
    SELECT c.grouping, coalesce(c.family, c.work_area_id::text, c.road_id::text, c.age, c.vendor, c.state) AS key,
      coalesce(a.work_name, r.road_name) AS label, c.count, c.enabled
    FROM counted c LEFT JOIN work_area a ON a.id = c.work_area_id LEFT JOIN road r ON r.id = c.road_id
    ORDER BY c.count DESC, label NULLS LAST, key NULLS LAST`.execute(db);
  return rows;
}

export interface ControllerAsked {
  readonly families: readonly string[];
  readonly withLamps: string;
  readonly lampFamily: string;
  readonly from: Date;
  readonly now: Date;
  readonly limit: number;
  readonly offset: number;
}

/** A page of controllers; lamps, loops and links are looked up for the page alone. */
export async function findControllers(
  db: Db,
  scope: DeviceScope,
  filters: Filters,
  asked: ControllerAsked,
): Promise<Controller[]> {
  const { families, withLamps, lampFamily, from, now, limit, offset } = asked;
  const links = sql`FROM device_event e WHERE e.device_id = p.id AND e.kind IN ('connected', 'disconnected')`;
  const { rows } = await sql<Controller>`
    WITH page AS (
      SELECT d.id, d.family, d.equipment_code, d.equipment_name, d.work_area_id, d.road_id, d.box_id FROM device d
      WHERE ${conditionsOf(scope, filters)} AND d.family = ANY(${[...families]}::text[])
      ORDER BY d.family, d.equipment_code COLLATE natural_order, d.id LIMIT ${limit} OFFSET ${offset}
    ), lamps AS (
      SELECT d.parent_id AS id, count(*)::int AS n FROM device d WHERE d.parent_id IN (SELECT id FROM page) AND d.family = ${lampFamily} AND ${visibleDevices(scope)} GROUP BY d.parent_id
    ), turns AS (
      SELECT p.id, e.* FROM page p CROSS JOIN LATERAL (
        (SELECT e.id AS event_id, e.at, e.kind ${links} AND e.at < ${from} ORDER BY e.at DESC, e.id DESC LIMIT 1)
        UNION ALL (SELECT e.id, e.at, e.kind ${links} AND e.at >= ${from} AND e.at <= ${now})
      ) e
    ), spans AS (
      SELECT id, kind, greatest(at, ${from}::timestamptz) AS since, coalesce(lead(at) OVER (PARTITION BY id ORDER BY at, event_id), ${now}::timestamptz) AS until FROM turns
    ), links AS (
      SELECT id, extract(epoch FROM sum(until - since))::int AS known, coalesce(extract(epoch FROM sum(until - since) FILTER (WHERE kind = 'connected')), 0)::int AS online FROM spans GROUP BY id
    ), first_links AS (
      -- Connected once and never lost since: there is no event yet, only when it came.
      SELECT p.id, extract(epoch FROM ${now}::timestamptz - greatest(l.connection_changed_at, ${from}::timestamptz))::int AS known, l.connected
      FROM page p JOIN device_latest l ON l.device_id = p.id WHERE l.connected IS NOT NULL AND l.connection_changed_at <= ${now}
    )
    SELECT p.id, p.family, p.equipment_code AS code, p.equipment_name AS name, a.work_name AS "workAreaName", r.road_name AS "roadName", CASE s.state WHEN 'on' THEN 'online' ELSE s.state END AS state,
      CASE WHEN p.family = ${withLamps} THEN coalesce(lamps.n, 0) END AS lamps, coalesce((SELECT nullif(count(*), 0)::int FROM loop o WHERE o.control_box_id = p.box_id), loops.n) AS loops, loops.closed AS "closedLoops",
      coalesce(links.known, f.known) AS "knownSeconds", coalesce(links.online, CASE WHEN f.connected THEN f.known ELSE 0 * f.known END) AS "onlineSeconds"
    FROM page p JOIN work_area a ON a.id = p.work_area_id LEFT JOIN road r ON r.id = p.road_id LEFT JOIN device_state s ON s.device_id = p.id
      LEFT JOIN lamps ON lamps.id = p.id LEFT JOIN links ON links.id = p.id LEFT JOIN first_links f ON f.id = p.id
      LEFT JOIN LATERAL (
        SELECT nullif(count(*), 0)::int AS n, CASE WHEN count(*) > 0 THEN (count(*) FILTER (WHERE v.value = 'true'::jsonb))::int END AS closed
        FROM device_latest l CROSS JOIN LATERAL jsonb_each(l.values) v WHERE l.device_id = p.id AND v.key ~ '^loop[0-9]+Contactor$'
      ) loops ON true
    ORDER BY p.family, p.equipment_code COLLATE natural_order, p.id`.execute(db);
  return rows;
}

export async function countControllers(
  db: Db,
  scope: DeviceScope,
  filters: Filters,
  families: readonly string[],
): Promise<number> {
  const { rows } = await sql<{
    n: number;
  }>`SELECT count(*)::int AS n FROM device d WHERE ${conditionsOf(scope, filters)}
    AND d.family = ANY(${[...families]}::text[])`.execute(db);
  return rows[0]?.n ?? 0;
}
