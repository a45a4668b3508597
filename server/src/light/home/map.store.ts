import { sql } from 'kysely';
import { alarms } from '../../../../catalogue/faults.ts';
import { controllerFamily, lampFamily } from '../../../../catalogue/lighting/families.ts';
import type { homePlaceKinds } from '../../../../contract/light/home.ts';
import type { Db } from '../../platform/db/index.ts';
import type { Condition } from '../lamps/index.ts';

export interface Bounds {
  readonly west: number;
  readonly south: number;
  readonly east: number;
  readonly north: number;
}

/** Where a lamp stands: its own position, else its pole's; never half of each. */
const placed = sql`(d.longitude IS NOT NULL AND d.latitude IS NOT NULL)`;
const position = sql`CASE WHEN ${placed} THEN d.longitude ELSE p.longitude END AS longitude,
  CASE WHEN ${placed} THEN d.latitude ELSE p.latitude END AS latitude`;

/** Lamps in squares of a degree. */
export interface Square extends Bounds {
  readonly lamps: number;
}
/** Most squares that are looked at; a work area has a few. */
const mostSquares = 1000;

/** The squares of a degree that lamps stand in, those with most lamps first, and how many lamps have no position. */
export async function findSquares(
  db: Db,
  scope: Condition,
): Promise<{ readonly squares: Square[]; readonly unplaced: number }> {
  const { rows } = await sql<Square & { x: number | null }>`SELECT floor(l.longitude)::int AS x, count(*)::int AS lamps,
      min(l.longitude) AS west, max(l.longitude) AS east, min(l.latitude) AS south, max(l.latitude) AS north
    FROM (SELECT ${position} FROM device d LEFT JOIN device p ON p.id = d.pole_id
      WHERE d.family = ${lampFamily} AND ${scope}) l
    GROUP BY floor(l.longitude), floor(l.latitude) ORDER BY lamps DESC LIMIT ${mostSquares}`.execute(db);
  return {
    squares: rows.flatMap(({ x, ...square }) => (x === null ? [] : [square])),
    unplaced: rows.find(({ x }) => x === null)?.lamps ?? 0,
  };
}

export interface Cell {
  readonly longitude: number;
  readonly latitude: number;
  readonly lamps: number;
  readonly light: number;
  readonly alarm: number;
  readonly offline: number;
}

/** Lamps within bounds, by squares of `size` degrees of longitude and `height` of latitude; `most` of them at most. */
export async function findCells(
  db: Db,
  scope: Condition,
  { west, south, east, north }: Bounds,
  { width, height, most }: { readonly width: number; readonly height: number; readonly most: number },
): Promise<Cell[]> {
  const { rows } = await sql<Cell>`SELECT avg(l.longitude) AS longitude, avg(l.latitude) AS latitude,
      count(*)::int AS lamps, (coalesce(sum(l.level) FILTER (WHERE l.lit), 0) / 100)::float8 AS light,
      (count(*) FILTER (WHERE l.state = 'alarm'))::int AS alarm,
      (count(*) FILTER (WHERE l.state = 'offline'))::int AS offline
    FROM (SELECT ${position}, s.state, s.level, s.lit FROM device d LEFT JOIN device p ON p.id = d.pole_id
      LEFT JOIN device_state s ON s.device_id = d.id WHERE d.family = ${lampFamily} AND ${scope}) l
    WHERE l.longitude BETWEEN ${west} AND ${east} AND l.latitude BETWEEN ${south} AND ${north}
    GROUP BY floor((l.longitude - ${west}) / ${width}::float8), floor((l.latitude - ${south}) / ${height}::float8)
    LIMIT ${most}`.execute(db);
  return rows;
}

export interface WorstPlace {
  readonly kind: (typeof homePlaceKinds)[number];
  readonly id: number | null;
  readonly name: string | null;
  readonly lamps: number;
  readonly affected: number;
  readonly fault: string | null;
  readonly count: number;
  readonly since: Date | null;
  readonly longitude: number | null;
  readonly latitude: number | null;
}

/**
 * Where most is wrong, the worst first: the lamps behind a controller that is out of reach are its one place, all others
 * are those of their road, and so are they where the controller is not in `controllers`, the scope of its alias `c`. A
 * severe fault counts as three, anything else as one.
 */
export async function findWorstPlaces(
  db: Db,
  scope: Condition,
  controllers: Condition,
  most: number,
): Promise<WorstPlace[]> {
  const severe = [...alarms.values()].flatMap((one) => (one.level === 1 ? [one.code] : []));
  const enabled = sql`d.family = ${lampFamily} AND d.enabled AND ${scope}`;
  // Faults and outages are few and have an index each.
  const { rows } = await sql<WorstPlace>`WITH bad AS MATERIALIZED (
      SELECT d.id, CASE WHEN c.id IS NULL THEN 'road' ELSE 'controller' END AS kind,
        CASE WHEN c.id IS NULL THEN d.road_id ELSE c.id END AS place, s.fault, coalesce(s.fault_since, s.since) AS since,
        CASE WHEN s.fault = ANY(${severe}::text[]) THEN 3 ELSE 1 END AS weight, ${position}
      FROM device_state s JOIN device d ON d.id = s.device_id LEFT JOIN device p ON p.id = d.pole_id
      LEFT JOIN LATERAL (SELECT c.id FROM device c JOIN device_state o ON o.device_id = c.id
        WHERE c.id = d.parent_id AND c.family = ${controllerFamily} AND o.state = 'offline'
          AND ${controllers}) c ON s.state = 'offline'
      WHERE (s.fault IS NOT NULL OR s.state = 'offline') AND ${enabled}
    ), kind AS (
      SELECT kind, place, fault, count(*)::int AS n, sum(weight) AS weight, min(since) AS since FROM bad GROUP BY 1, 2, 3
    ), worst AS (
      SELECT kind, place, sum(n)::int AS affected, sum(weight) AS weight,
        (array_agg(fault ORDER BY weight DESC, n DESC, fault))[1] AS fault,
        (array_agg(n ORDER BY weight DESC, n DESC, fault))[1] AS count,
        (array_agg(since ORDER BY weight DESC, n DESC, fault))[1] AS since
      FROM kind GROUP BY 1, 2 ORDER BY weight DESC, affected DESC, kind, place LIMIT ${most}
    )
    SELECT w.kind, w.place AS id, w.affected, w.fault, w.count, w.since, m.longitude, m.latitude,
      CASE WHEN w.kind = 'road' THEN r.road_name ELSE c.equipment_code END AS name,
      greatest(w.affected, CASE w.kind WHEN 'road'
        THEN (SELECT count(*) FROM device d WHERE d.road_id = w.place AND ${enabled})
        ELSE (SELECT count(*) FROM device d WHERE d.parent_id = w.place AND ${enabled}) END)::int AS lamps
    FROM worst w LEFT JOIN road r ON w.kind = 'road' AND r.id = w.place
    LEFT JOIN device c ON w.kind = 'controller' AND c.id = w.place
    LEFT JOIN LATERAL (SELECT avg(longitude) AS longitude, avg(latitude) AS latitude FROM bad b
      WHERE b.kind = w.kind AND b.place IS NOT DISTINCT FROM w.place) m ON true
    ORDER BY w.weight DESC, w.affected DESC, w.kind, w.place`.execute(db);
  return rows;
}
