import { sql } from 'kysely';
import { controllerFamily, lampFamily } from '../../../../catalogue/lighting/families.ts';
import type { Db } from '../../platform/db/index.ts';
import { type Condition } from '../lamps/index.ts';

/** Lamps of one work area counted by what the judgement says of them. */
export interface AreaCounts {
  workAreaId: number;
  lamps: number;
  enabled: number;
  online: number;
  /** Enabled and fed now: without power by plan nobody asks a lamp to be online. */
  fed: number;
  /** Enabled and should be lit now. */
  should: number;
  shouldAndLit: number;
  shouldAndUnknown: number;
  newestAt: Date | null;
}

export async function countAreas(db: Db, scope: Condition): Promise<AreaCounts[]> {
  const { rows } = await sql<AreaCounts>`
    SELECT d.work_area_id AS "workAreaId", count(*)::int AS lamps, count(*) FILTER (WHERE d.enabled)::int AS enabled,
      count(*) FILTER (WHERE d.enabled AND s.online)::int AS online,
      count(*) FILTER (WHERE d.enabled AND s.unpowered IS NOT TRUE)::int AS fed,
      count(*) FILTER (WHERE d.enabled AND s.should_be_lit)::int AS should,
      count(*) FILTER (WHERE d.enabled AND s.should_be_lit AND s.lit)::int AS "shouldAndLit",
      count(*) FILTER (WHERE d.enabled AND s.should_be_lit AND s.lit IS NULL)::int AS "shouldAndUnknown",
      max(l.at) AS "newestAt"
    FROM device d LEFT JOIN device_state s ON s.device_id = d.id LEFT JOIN device_latest l ON l.device_id = d.id
    WHERE d.family = ${lampFamily} AND ${scope} GROUP BY d.work_area_id`.execute(db);
  return rows;
}

/** How many devices hold a connection now, and how many ever held one. */
export async function countLinks(db: Db, scope: Condition): Promise<{ connected: number; known: number }> {
  const { rows } = await sql<{ connected: number; known: number }>`
    SELECT count(*) FILTER (WHERE l.connected IS TRUE)::int AS connected, count(*)::int AS known
    FROM device_latest l JOIN device d ON d.id = l.device_id
      WHERE l.connection_changed_at IS NOT NULL AND ${scope}`.execute(db);
  return rows[0] ?? { connected: 0, known: 0 };
}

export async function countControllers(db: Db, scope: Condition): Promise<{ total: number; online: number }> {
  const { rows } = await sql<{ total: number; online: number }>`
    SELECT count(*)::int AS total, count(*) FILTER (WHERE s.online)::int AS online
    FROM device d LEFT JOIN device_state s ON s.device_id = d.id
      WHERE d.family = ${controllerFamily} AND d.enabled AND ${scope}`.execute(db);
  return rows[0] ?? { total: 0, online: 0 };
}

/**
 * Open faults by code: one a lamp, and one for each silent controller (its lamps are symptoms and counted in
 * `symptoms`).
 */
export async function countFaults(db: Db, scope: Condition): Promise<{ fault: string; n: number }[]> {
  const { rows } = await sql<{ fault: string; n: number }>`
    SELECT s.fault, count(*)::int AS n FROM device_state s JOIN device d ON d.id = s.device_id
    WHERE s.fault IS NOT NULL AND d.enabled AND ${scope} AND d.family = ${lampFamily} GROUP BY s.fault`.execute(db);
  return rows;
}

export async function sumPower(db: Db, scope: Condition): Promise<number | null> {
  const { rows } = await sql<{ watts: number | null }>`
    SELECT sum((l.values->>'power')::float8) AS watts FROM device d JOIN device_state s ON s.device_id = d.id
      JOIN device_latest l ON l.device_id = d.id
    WHERE d.family = ${lampFamily} AND s.online AND ${scope}`.execute(db);
  return rows[0]?.watts ?? null;
}

/** kWh of all lamps of an area since an instant, from their counters; a counter that ran backwards is left out. */
export async function sumEnergy(
  db: Db,
  scope: Condition,
  workAreaId: number,
  since: Date,
): Promise<{ kwh: number | null; covered: number }> {
  const earliest = new Date(since.getTime() - 26 * 3_600_000);
  // One index look-up a lamp: eight times faster than sorting the readings of a day.
  const { rows } = await sql<{ kwh: number | null; covered: number }>`
    SELECT sum((l.values->>'energy')::float8 - b.energy) AS kwh, count(*)::int AS covered
    FROM device d JOIN device_latest l ON l.device_id = d.id
    CROSS JOIN LATERAL (SELECT (r.values->>'energy')::float8 AS energy FROM reading r
      WHERE r.device_id = d.id AND r.at > ${earliest} AND r.at <= ${since} AND r.values ? 'energy' ORDER BY r.at DESC
        LIMIT 1) b
    WHERE d.family = ${lampFamily} AND d.work_area_id = ${workAreaId} AND ${scope}
      AND (l.values->>'energy')::float8 >= b.energy`.execute(db);
  return rows[0] ?? { kwh: null, covered: 0 };
}

export interface CurveStep {
  step: number;
  watts: number;
  lit: number;
  reporting: number;
}

/**
 * Total power and lit lamps at the instants `from`, `from + step` …: each lamp counts with its last reading before the
 * instant, for as long as that may hold: two reporting periods of a lit or an unlit lamp.
 */
export async function findCurve(
  db: Db,
  scope: Condition,
  span: { from: Date; to: Date },
  stepSeconds: number,
  hold: { lit: number; unlit: number },
): Promise<CurveStep[]> {
  const { rows } = await sql<CurveStep>`
    WITH lamp AS (SELECT d.id, d.rated_watts FROM device d WHERE d.family = ${lampFamily} AND d.enabled AND ${scope}),
    sample AS MATERIALIZED (
      SELECT r.device_id, extract(epoch FROM r.at - ${span.from}::timestamptz)::float8 AS second,
        (r.values->>'power')::float8 AS watts, lamp.rated_watts AS rated
      FROM reading r JOIN lamp ON lamp.id = r.device_id
      WHERE r.at >= ${new Date(span.from.getTime() - hold.unlit * 1000)} AND r.at <= ${span.to}),
    stretch AS (
      SELECT watts, rated, greatest(0, ceil(second / ${stepSeconds}::int))::int AS first,
        least(ceil(coalesce(lead(second) OVER (PARTITION BY device_id ORDER BY second), 'Infinity')
          / ${stepSeconds}::int) - 1,
          floor((second + CASE WHEN watts > 0.1 * coalesce(rated, 0) THEN ${hold.lit}::int ELSE ${hold.unlit}::int END)
            / ${stepSeconds}::int),
          floor(extract(epoch FROM ${span.to}::timestamptz - ${span.from}::timestamptz)::float8
            / ${stepSeconds}::int))::int AS last
      FROM sample WHERE watts IS NOT NULL)
    SELECT g.step, sum(s.watts) AS watts, count(*) FILTER (WHERE s.watts > 0.1 * s.rated)::int AS lit,
      count(*)::int AS reporting
    FROM stretch s CROSS JOIN LATERAL generate_series(s.first, s.last) AS g(step)
    GROUP BY g.step ORDER BY g.step`.execute(db);
  return rows;
}

export interface RatedSum {
  readonly workAreaId: number;
  readonly manufacturer: string | null;
  readonly model: string | null;
  readonly watts: number;
  readonly lamps: number;
  /** One of the lamps, for the plan that all of them were given; null: they were given none. */
  readonly example: number | null;
}

/** Sum of rated watts of the enabled lamps by work area, model, plan and exceptions: what is expected goes by them. */
export async function sumRated(db: Db, scope: Condition): Promise<RatedSum[]> {
  // OFFSET 0: photographs are among the properties, which are unpacked once, not for each that is asked for.
  const { rows } = await sql<RatedSum>`
    SELECT l.area AS "workAreaId", l.props->>'manufacturer' AS manufacturer, l.props->>'model' AS model,
      coalesce(sum(l.rated_watts), 0) AS watts, count(*)::int AS lamps,
      min(l.id) FILTER (WHERE p.scheme_version_id IS NOT NULL OR p.template_version_id IS NOT NULL OR x.ids IS NOT NULL)
        AS example
    FROM (SELECT d.id, d.work_area_id AS area, d.rated_watts, d.props - 'pic' AS props FROM device d
      WHERE d.family = ${lampFamily} AND d.enabled AND ${scope} OFFSET 0) l
    LEFT JOIN LATERAL (SELECT scheme_version_id, template_version_id FROM plan_assignment
      WHERE device_id = l.id AND withdrawn_at IS NULL ORDER BY from_day DESC, id DESC LIMIT 1) p ON true
    LEFT JOIN (SELECT i.device_id, array_agg(e.id ORDER BY e.id) AS ids FROM plan_exception e
      JOIN plan_exception_item i ON i.exception_id = e.id AND i.cannot IS NULL
      WHERE e.state IN ('planned', 'inForce') GROUP BY 1) x ON x.device_id = l.id
    GROUP BY 1, 2, 3, p.scheme_version_id, p.template_version_id, x.ids`.execute(db);
  return rows;
}

/** By area a lamp with the scheme that most of its lamps were given; an area without plans has none. */
export async function findMainLamps(db: Db): Promise<ReadonlyMap<number, number>> {
  const { rows } = await sql<{ area: number; id: number }>`SELECT DISTINCT ON (g.area) g.area, g.id FROM (
      SELECT d.work_area_id AS area, p.scheme_version_id AS scheme, max(p.device_id) AS id, count(*) AS n
      FROM plan_assignment p JOIN device d ON d.id = p.device_id
      WHERE p.withdrawn_at IS NULL AND p.scheme_version_id IS NOT NULL GROUP BY 1, 2) g
    ORDER BY g.area, g.n DESC, g.scheme`.execute(db);
  return new Map(rows.map(({ area, id }) => [area, id]));
}
