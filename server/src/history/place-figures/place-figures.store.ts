import { sql, type RawBuilder, type SqlBool } from 'kysely';
import { lampFamilies, namedBy } from '../../../../catalogue/index.ts';
import type { FigurePlace } from '../../../../contract/history/place-figures.ts';
import type { Db } from '../../platform/db/index.ts';
import { visibleDevices, type DeviceScope } from '../../register/devices/index.ts';
import { among, lampsBelow } from '../../register/topology/index.ts';

type Sql = RawBuilder<unknown>;

/** Places `n (place, kind, id)`, those of these ids that the caller sees, with the area they lie in. */
interface Place {
  readonly from: Sql;
  /** Over the place `x`. */
  readonly visible: (scope: DeviceScope) => RawBuilder<SqlBool>;
  /** What `lampsBelow` knows the place as. */
  readonly kind: Sql;
  /** Common table expressions, the last one of them `seen (place, id)`: the lamps of the places. */
  readonly lamps: (scope: DeviceScope) => Sql;
  /** Devices `d` of the place `n`; null: it has lamps only by what feeds them. */
  readonly members: RawBuilder<SqlBool> | null;
}

function ofArea({ workAreas, workAreaId }: DeviceScope): RawBuilder<SqlBool> {
  const inside = workAreaId === null ? sql<SqlBool>`true` : sql<SqlBool>`x.work_area_id = ${workAreaId}`;
  return workAreas === 'all' ? inside : sql<SqlBool>`(${inside} AND x.work_area_id = ANY(${[...workAreas]}::bigint[]))`;
}

const isLamp = among('d.family', lampFamilies);
/**
 * Lamps that name their place in a column, those that the caller sees. OFFSET 0: an index look-up a place, whatever the
 * planner believes of a page; it would read the whole table for 50 roads.
 */
const named =
  (column: 'road_id' | 'group_id') =>
  (scope: DeviceScope): Sql =>
    sql`seen AS (SELECT n.place, l.id FROM n CROSS JOIN LATERAL (SELECT d.id FROM device d
    WHERE ${sql.ref(`d.${column}`)} = n.id AND ${isLamp} AND ${visibleDevices(scope)} OFFSET 0) l)`;
/** Lamps that hang on a place. */
const fed = (scope: DeviceScope): Sql => sql`${lampsBelow.power}, seen AS (SELECT l.place, d.id FROM lamps l
  JOIN device d ON d.id = l.id WHERE ${isLamp} AND ${visibleDevices(scope)})`;
const placesOf: Readonly<Record<FigurePlace, Place>> = {
  road: {
    from: sql`road x WHERE true`,
    visible: ofArea,
    kind: sql`'road'`,
    lamps: named('road_id'),
    members: sql<SqlBool>`d.road_id = n.id`,
  },
  group: {
    from: sql`equipment_group x WHERE true`,
    visible: ofArea,
    kind: sql`'group'`,
    lamps: named('group_id'),
    members: sql<SqlBool>`d.group_id = n.id`,
  },
  loop: {
    from: sql`loop x WHERE true`,
    visible: ofArea,
    kind: sql`'loop'`,
    lamps: fed,
    members: null,
  },
  box: {
    from: sql`device x WHERE ${among('x.family', namedBy('box_id'))}`,
    visible: (scope) => visibleDevices(scope, 'x'),
    kind: sql`x.family`,
    lamps: fed,
    members: null,
  },
};

/** `n` and what hangs on it; the caller's own rows only. */
const withLamps = (place: Place, ids: readonly number[], scope: DeviceScope): Sql => sql`WITH RECURSIVE n AS (
    SELECT x.id::text AS place, ${place.kind} AS kind, x.id, x.work_area_id AS area FROM ${place.from}
      AND x.id = ANY(${[...ids]}::bigint[]) AND ${place.visible(scope)}), ${place.lamps(scope)}`;

export interface LampCounts {
  readonly id: number;
  readonly members: number | null;
  readonly lamps: number;
  readonly lit: number;
  readonly known: number;
  readonly alarms: number;
  readonly offline: number;
}

/** Counts the lamps of places by what the judgement says of them; one query for all of the places. */
export async function countLamps(
  db: Db,
  kind: FigurePlace,
  ids: readonly number[],
  scope: DeviceScope,
): Promise<LampCounts[]> {
  const place = placesOf[kind];
  const members = place.members
    ? sql`(SELECT count(*) FROM device d WHERE ${place.members} AND ${visibleDevices(scope)})::int`
    : sql`NULL::int`;
  const { rows } = await sql<LampCounts>`${withLamps(place, ids, scope)}, counted AS (
      SELECT l.place, count(*)::int AS lamps, (count(*) FILTER (WHERE s.lit))::int AS lit, count(s.lit)::int AS known,
        (count(*) FILTER (WHERE s.state = 'alarm'))::int AS alarms,
        (count(*) FILTER (WHERE s.state = 'offline'))::int AS offline
      FROM seen l LEFT JOIN LATERAL (SELECT s.lit, s.state FROM device_state s WHERE s.device_id = l.id OFFSET 0) s ON true
      GROUP BY l.place)
    SELECT n.id, ${members} AS members, coalesce(c.lamps, 0) AS lamps, coalesce(c.lit, 0) AS lit,
      coalesce(c.known, 0) AS known, coalesce(c.alarms, 0) AS alarms, coalesce(c.offline, 0) AS offline
    FROM n LEFT JOIN counted c ON c.place = n.place`.execute(db);
  return rows;
}

export interface NightEnergy {
  readonly id: number;
  readonly kwh: number;
  /** Lamps that it is the sum of. */
  readonly counted: number;
}

/**
 * kWh of the lamps of places since noon of the lighting day at `now` (as `lightingDay` has it: where the sun of a project
 * is moved, its noon moves with it), from the hours that are counted; a place without any is left out.
 */
export async function sumNight(
  db: Db,
  kind: FigurePlace,
  ids: readonly number[],
  scope: DeviceScope,
  now: Date,
): Promise<NightEnergy[]> {
  const earliest = new Date(now.getTime() - 25 * 3_600_000);
  const { rows } = await sql<NightEnergy>`${withLamps(placesOf[kind], ids, scope)}, days AS (
      SELECT w.id, (date_trunc('day', (${now}::timestamptz - o.moved) AT TIME ZONE w.time_zone - interval '12 hours')
        + interval '12 hours') AT TIME ZONE w.time_zone + o.moved AS noon
      FROM work_area w CROSS JOIN LATERAL (SELECT make_interval(mins => w.sun_offset_minutes) AS moved) o
      WHERE w.id IN (SELECT area FROM n)), used AS (
      SELECT l.place, e.kwh FROM seen l JOIN n ON n.place = l.place JOIN days a ON a.id = n.area
      CROSS JOIN LATERAL (SELECT sum(h.measured + h.estimated + h.calculated) AS kwh FROM energy_hour h
        WHERE h.device_id = l.id AND h.at >= ${earliest} AND h.at <= ${now}
          AND h.at >= a.noon) e
      WHERE e.kwh IS NOT NULL)
    SELECT place::bigint AS id, sum(kwh) AS kwh, count(*)::int AS counted FROM used GROUP BY place`.execute(db);
  return rows;
}
