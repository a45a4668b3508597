import { sql, type RawBuilder, type SqlBool } from 'kysely';
import { lampFamily } from '../../../../catalogue/lighting/families.ts';
import type { RowSide } from '../../../../catalogue/lighting/rows.ts';
import type { QueryOf, ReplyOf } from '../../../../contract/route.ts';
import { lampStates, type LampFilter, type getLampFilters } from '../../../../contract/light/lamps.ts';
import type { LampDelta } from '../../../../contract/live.ts';
import type { Static } from 'typebox';
import type { Db } from '../../platform/db/index.ts';
import { isAstray } from './astray.store.ts';
import type { StateName } from './lamps.types.ts';

export type Filter = Static<typeof LampFilter>;
export type Condition = RawBuilder<SqlBool>;

/** A lamp as the list and the detail show it; energy and the manual state are read apart, for the page only. */
export interface StoredLamp {
  id: number;
  code: string;
  name: string | null;
  workAreaId: number;
  roadId: number | null;
  roadName: string | null;
  groupId: number | null;
  controllerId: number | null;
  controllerCode: string | null;
  poleId: number | null;
  poleCode: string | null;
  location: string | null;
  longitude: number | null;
  latitude: number | null;
  ratedWatts: number | null;
  enabled: boolean;
  state: StateName;
  fault: string | null;
  faultSince: Date | null;
  online: boolean;
  level: number | null;
  power: number | null;
  voltage: number | null;
  current: number | null;
  powerFactor: number | null;
  temperature: number | null;
  energy: number | null;
  at: Date | null;
  values: Record<string, number | boolean | string | null>;
  connected: boolean | null;
  connectionChangedAt: Date | null;
  /** Server minus device, of whoever speaks for it; only of one lamp, not in lists. */
  clockOffsetMs?: number | null;
  clockWrongSince?: Date | null;
}

const from = sql`FROM device d
  LEFT JOIN device_state s ON s.device_id = d.id
  LEFT JOIN device_latest l ON l.device_id = d.id
  LEFT JOIN road r ON r.id = d.road_id
  LEFT JOIN device p ON p.id = d.pole_id
  LEFT JOIN device c ON c.id = d.parent_id`;

/** Where it stands: its own position, else its pole's; never half of each. */
const placed = sql`d.longitude IS NOT NULL AND d.latitude IS NOT NULL`;
const position = sql`CASE WHEN ${placed} THEN d.longitude ELSE p.longitude END AS longitude,
  CASE WHEN ${placed} THEN d.latitude ELSE p.latitude END AS latitude`;

const columns = sql`d.id, d.equipment_code AS code, d.equipment_name AS name, d.work_area_id AS "workAreaId",
  d.road_id AS "roadId", r.road_name AS "roadName", d.group_id AS "groupId",
  d.parent_id AS "controllerId", c.equipment_code AS "controllerCode", d.pole_id AS "poleId",
  p.equipment_code AS "poleCode",
  p.equipment_name AS location, ${position}, d.rated_watts AS "ratedWatts", d.enabled,
  coalesce(s.state, 'unknown') AS state, s.fault, s.fault_since AS "faultSince", coalesce(s.online, false) AS online,
  s.level,
  (l.values->>'power')::float8 AS power, (l.values->>'voltage')::float8 AS voltage,
  (l.values->>'current')::float8 AS current,
  (l.values->>'powerFactor')::float8 AS "powerFactor", (l.values->>'temperature')::float8 AS temperature,
  (l.values->>'energy')::float8 AS energy,
  l.at, coalesce(l.values, '{}') AS values, l.connected, l.connection_changed_at AS "connectionChangedAt"`;

/** Worst first, as an operator reads a list. */
const severity = sql`CASE coalesce(s.state, 'unknown') WHEN 'alarm' THEN 0 WHEN 'offline' THEN 1 WHEN 'unknown' THEN 2
  WHEN 'maintenance' THEN 3 WHEN 'off' THEN 4 WHEN 'dimmed' THEN 5 ELSE 6 END`;

/** The columns a caller may sort by. */
export const sortColumns: Record<string, RawBuilder<unknown>> = {
  code: sql`d.equipment_code COLLATE natural_order`,
  name: sql`d.equipment_name COLLATE natural_order`,
  roadName: sql`r.road_name COLLATE natural_order`,
  state: severity,
  level: sql`s.level`,
  power: sql`(l.values->>'power')::float8`,
  voltage: sql`(l.values->>'voltage')::float8`,
  at: sql`l.at`,
};

/** One lamp, whoever may see it; `visible` says whether this caller may. */
export async function findLamp(
  db: Db,
  id: number,
  scope: Condition,
): Promise<(StoredLamp & { visible: boolean }) | undefined> {
  const { rows } = await sql<StoredLamp & { visible: boolean }>`SELECT ${columns}, ${scope} AS visible,
    k.clock_offset_ms AS "clockOffsetMs", nullif(k.clock_wrong_since, '-infinity') AS "clockWrongSince" ${from}
      LEFT JOIN device_latest k ON k.device_id = coalesce(d.parent_id, d.id)
      WHERE d.id = ${id} AND d.family = ${lampFamily}`.execute(db);
  return rows[0];
}

export interface RowPlace {
  readonly side: RowSide;
  readonly position: number;
  readonly poles: number;
  readonly previousId: number | null;
  readonly previousCode: string | null;
  readonly nextId: number | null;
  readonly nextCode: string | null;
}

/** The first lamp of the row before or after `h` that the scope shows. */
const beside = (scope: Condition, way: 'before' | 'after'): RawBuilder<unknown> => {
  const direction = sql.raw(way === 'after' ? 'ASC' : 'DESC');
  return sql`(SELECT d.id, d.equipment_code AS code
    FROM lamp_position n JOIN device d ON d.pole_id = n.pole_id AND d.family = ${lampFamily}
    WHERE n.road_id = h.road_id AND n.side = h.side AND ${scope}
      AND n.position ${sql.raw(way === 'after' ? '>=' : '<=')} h.position
      AND (n.position, d.equipment_code COLLATE natural_order, d.id)
        ${sql.raw(way === 'after' ? '>' : '<')} (h.position, h.code COLLATE natural_order, h.id)
    ORDER BY n.position ${direction}, d.equipment_code COLLATE natural_order ${direction}, d.id ${direction} LIMIT 1)`;
};

/** Where a lamp stands in the rows of its road, with the lamps beside it. */
export async function findRowPlace(db: Db, id: number, scope: Condition): Promise<RowPlace | undefined> {
  const { rows } = await sql<RowPlace>`SELECT h.side, h.position + 1 AS position, h.row_length AS poles,
      b.id AS "previousId", b.code AS "previousCode", a.id AS "nextId", a.code AS "nextCode"
    FROM (SELECT l.id, l.equipment_code AS code, p.road_id, p.side, p.position, p.row_length
      FROM device l JOIN lamp_position p ON p.pole_id = l.pole_id WHERE l.id = ${id}) h
    LEFT JOIN LATERAL ${beside(scope, 'before')} b ON true
    LEFT JOIN LATERAL ${beside(scope, 'after')} a ON true`.execute(db);
  return rows[0];
}

/** `scope` says which devices the caller may see; the filter narrows it. */
export function matching(scope: Condition, filter: Filter): Condition {
  const parts: RawBuilder<unknown>[] = [sql`d.family = ${lampFamily}`, scope];
  const list = (text: string) => text.split(',');
  if (filter.q) {
    const like = `%${filter.q.replace(/[\\%_]/g, '\\$&')}%`;
    parts.push(
      sql`((d.equipment_code || ' ' || coalesce(d.equipment_name, '')) ILIKE ${like}
        OR d.road_id IN (SELECT id FROM road WHERE road_name ILIKE ${like}))`,
    );
  }
  if (filter.roadIds) parts.push(sql`d.road_id = ANY(${list(filter.roadIds).map(Number)}::bigint[])`);
  if (filter.groupId) parts.push(sql`d.group_id = ${filter.groupId}`);
  if (filter.controllerId) parts.push(sql`d.parent_id = ${filter.controllerId}`);
  if (filter.states) parts.push(sql`coalesce(s.state, 'unknown') = ANY(${list(filter.states)}::text[])`);
  if (filter.faults) parts.push(sql`s.fault = ANY(${list(filter.faults)}::text[])`);
  if (filter.online !== undefined) parts.push(sql`coalesce(s.online, false) = ${filter.online}`);
  if (filter.lit === 'lit') parts.push(sql`s.should_be_lit AND s.lit`);
  if (filter.lit === 'notLit') parts.push(sql`s.should_be_lit AND s.lit IS NOT TRUE`);
  if (filter.plan === 'astray')
    parts.push(sql`d.enabled AND d.id IN (SELECT i.device_id FROM publication_item i WHERE ${isAstray})`);
  return sql<SqlBool>`${sql.join(parts, sql` AND `)}`;
}

export async function findLamps(
  db: Db,
  where: Condition,
  order: RawBuilder<unknown>,
  page: { limit: number; offset: number },
): Promise<StoredLamp[]> {
  const { rows } = await sql<StoredLamp>`SELECT ${columns} ${from} WHERE ${where} ORDER BY ${order}
      LIMIT ${page.limit} OFFSET ${page.offset}`.execute(db);
  return rows;
}

/** Exact up to `limit`; one more than it means "more". */
export async function countUpTo(db: Db, where: Condition, limit: number): Promise<number> {
  const { rows } = await sql<{
    n: number;
  }>`SELECT count(*)::int AS n
    FROM (SELECT 1 FROM device d LEFT JOIN device_state s ON s.device_id = d.id WHERE ${where}
    LIMIT ${limit + 1}) x`.execute(db);
  return rows[0]?.n ?? 0;
}

export async function countStates(db: Db, where: Condition) {
  const { rows } = await sql<{ state: StateName; fault: string | null; online: boolean; n: number }>`
    SELECT coalesce(s.state, 'unknown') AS state, s.fault, coalesce(s.online, false) AS online, count(*)::int AS n
    FROM device d LEFT JOIN device_state s ON s.device_id = d.id WHERE ${where} GROUP BY 1, 2, 3`.execute(db);
  return rows;
}

export async function findIds(db: Db, where: Condition, limit: number): Promise<number[]> {
  const { rows } = await sql<{
    id: number;
  }>`SELECT d.id FROM device d LEFT JOIN device_state s ON s.device_id = d.id WHERE ${where}
    ORDER BY d.equipment_code COLLATE natural_order LIMIT ${limit + 1}`.execute(db);
  return rows.map((row) => row.id);
}

export interface MapRow {
  id: number;
  code: string;
  longitude: number;
  latitude: number;
  ratedWatts: number | null;
  cct: number | null;
  state: StateName;
  level: number | null;
  poleId: number | null;
}

export async function findMapRows(db: Db, where: Condition): Promise<MapRow[]> {
  const { rows } = await sql<MapRow>`
    SELECT d.id, d.equipment_code AS code, ${position}, d.rated_watts AS "ratedWatts", (d.props->>'cct')::int AS cct,
           coalesce(s.state, 'unknown') AS state, s.level, d.pole_id AS "poleId"
    FROM device d LEFT JOIN device_state s ON s.device_id = d.id LEFT JOIN device p ON p.id = d.pole_id
    WHERE ${where} AND (${placed} OR (p.longitude IS NOT NULL AND p.latitude IS NOT NULL)) ORDER BY d.id`.execute(db);
  return rows;
}

/** What the filter panel offers, each with its number of lamps. */
export async function findFilters(db: Db, scope: Condition): Promise<ReplyOf<typeof getLampFilters>> {
  const lamps = sql`d.family = ${lampFamily} AND ${scope}`;
  const [roads, groups, controllers] = await Promise.all([
    sql<{
      id: number;
      name: string;
      lamps: number;
    }>`SELECT r.id, r.road_name AS name, count(*)::int AS lamps FROM device d JOIN road r ON r.id = d.road_id
      WHERE ${lamps} GROUP BY r.id ORDER BY r.road_name COLLATE natural_order`.execute(db),
    sql<{
      id: number;
      name: string;
      lamps: number;
    }>`SELECT g.id, g.group_name AS name, count(*)::int AS lamps FROM device d
      JOIN equipment_group g ON g.id = d.group_id
      WHERE ${lamps} GROUP BY g.id ORDER BY g.group_name COLLATE natural_order`.execute(db),
    sql<{
      id: number;
      code: string;
      name: string | null;
      lamps: number;
    }>`SELECT c.id, c.equipment_code AS code, c.equipment_name AS name, count(*)::int AS lamps
      FROM device d JOIN device c ON c.id = d.parent_id WHERE ${lamps} GROUP BY c.id
        ORDER BY c.equipment_code COLLATE natural_order`.execute(db),
  ]);
  return { roads: roads.rows, groups: groups.rows, controllers: controllers.rows };
}

/**
 * kWh since `since` for these lamps: newest counter minus the counter at that time; a counter that ran backwards is
 * left out.
 */
export async function energySince(db: Db, ids: readonly number[], since: Date): Promise<Map<number, number>> {
  const { rows } = await sql<{ id: number; kwh: number }>`
    SELECT l.device_id AS id, (l.values->>'energy')::float8 - b.energy AS kwh
    FROM device_latest l
    CROSS JOIN LATERAL (SELECT (r.values->>'energy')::float8 AS energy FROM reading r
      WHERE r.device_id = l.device_id AND r.at <= ${since} AND r.at > ${new Date(since.getTime() - 26 * 3_600_000)}
        AND r.values ? 'energy' ORDER BY r.at DESC LIMIT 1) b
    WHERE l.device_id = ANY(${ids as number[]}) AND (l.values->>'energy')::float8 >= b.energy`.execute(db);
  return new Map(rows.map((row) => [row.id, row.kwh]));
}

export interface CurvePoint {
  at: Date;
  level: number | null;
  power: number | null;
  voltage: number | null;
  current: number | null;
  powerFactor: number | null;
  temperature: number | null;
}

export async function findCurve(
  db: Db,
  id: number,
  span: { from: Date; to: Date },
  limit: number,
): Promise<CurvePoint[]> {
  const { rows } = await sql<CurvePoint>`
    SELECT * FROM (SELECT at, (values->>'level')::float8 AS level, (values->>'power')::float8 AS power,
      (values->>'voltage')::float8 AS voltage,
      (values->>'current')::float8 AS current, (values->>'powerFactor')::float8 AS "powerFactor",
        (values->>'temperature')::float8 AS temperature
      FROM reading WHERE device_id = ${id} AND at >= ${span.from} AND at <= ${span.to} ORDER BY at DESC
        LIMIT ${limit}) x ORDER BY at`.execute(db);
  return rows;
}

interface ScopedDelta {
  workAreaId: number;
  delta: LampDelta;
}

/** The live picture of lamps, each with the area that decides who may see it. */
export async function findDeltas(db: Db, ids: readonly number[]): Promise<ScopedDelta[]> {
  const { rows } = await sql<{
    id: number;
    workAreaId: number;
    state: StateName;
    level: number | null;
    fault: string | null;
    online: boolean;
    at: Date | null;
    power: number | null;
  }>`
    SELECT d.id, d.work_area_id AS "workAreaId", s.state, s.level, s.fault, s.online, l.at,
      (l.values->>'power')::float8 AS power
    FROM device d JOIN device_state s ON s.device_id = d.id LEFT JOIN device_latest l ON l.device_id = d.id
    WHERE d.id = ANY(${ids as number[]}) AND d.family = ${lampFamily}`.execute(db);
  return rows.map((row) => ({
    workAreaId: row.workAreaId,
    delta: [
      row.id,
      lampStates.indexOf(row.state),
      row.level ?? -1,
      row.fault,
      row.online,
      row.at?.getTime() ?? null,
      row.power,
    ],
  }));
}

export type ListQuery = QueryOf<typeof import('../../../../contract/light/lamps.ts').listLamps>;
