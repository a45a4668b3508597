import { sql } from 'kysely';
import type { ReplyOf } from '../../../../contract/route.ts';
import type { getPublicationRoads } from '../../../../contract/light/publication-roads.ts';
import { publicationBounds } from '../../../../contract/light/publications.ts';
import type { Db } from '../../platform/db/index.ts';
import type { DeviceScope } from '../../register/devices/index.ts';
import { seenItem } from './reading.store.ts';

/** Lamps whose mean is one point of a line, where both sides of a road make it: fewer, and it would go to and fro. */
const lampsOfPoint = 4;
const isOwn = sql`(d.longitude IS NOT NULL AND d.latitude IS NOT NULL)`;

/**
 * Lines of the roads of a publication: along the longer row of lamps where most of them stand in rows, otherwise along
 * the main axis of their places. The means of up to `roadPoints` parts of equal numbers of lamps are its points.
 */
export async function findRoadLines(
  db: Db,
  scope: DeviceScope,
  id: number,
): Promise<ReplyOf<typeof getPublicationRoads>> {
  const most = sql.lit(publicationBounds.roadPoints);
  const { rows } = await sql<ReplyOf<typeof getPublicationRoads>>`
    WITH lamp AS MATERIALIZED (
      SELECT i.device_id AS id, d.road_id AS road, r.side, r.position,
        (CASE WHEN ${isOwn} THEN d.longitude ELSE p.longitude END)::float8 AS x,
        (CASE WHEN ${isOwn} THEN d.latitude ELSE p.latitude END)::float8 AS y
      FROM publication_item i JOIN device d ON d.id = i.device_id LEFT JOIN device p ON p.id = d.pole_id
        LEFT JOIN lamp_position r ON r.pole_id = d.pole_id AND r.road_id = d.road_id
      WHERE i.publication_id = ${id} AND ${seenItem(scope)}
    ), axis AS (
      SELECT road, count(*) AS lamps, count(side) * 2 >= count(*) AS in_rows, mode() WITHIN GROUP (ORDER BY side) AS side,
        avg(x) AS x, avg(y) AS y, cos(radians(avg(y))) AS east,
        atan2(2 * covar_pop(x, y) * cos(radians(avg(y))),
          var_pop(x) * cos(radians(avg(y))) ^ 2 - var_pop(y)) / 2 AS angle
      FROM lamp WHERE road IS NOT NULL AND x IS NOT NULL AND y IS NOT NULL GROUP BY road
    ), parted AS (
      SELECT l.road, l.x, l.y,
        ntile(CASE WHEN a.in_rows THEN ${most} ELSE greatest(2, least(${most}, a.lamps / ${sql.lit(lampsOfPoint)})) END::int)
          OVER (PARTITION BY l.road ORDER BY CASE WHEN a.in_rows THEN l.position
            ELSE (l.x - a.x) * a.east * cos(a.angle) + (l.y - a.y) * sin(a.angle) END, l.id) AS part
      FROM lamp l JOIN axis a ON a.road = l.road
      WHERE l.x IS NOT NULL AND l.y IS NOT NULL AND (NOT a.in_rows OR l.side = a.side)
    ), point AS (
      SELECT road, part, round(avg(x)::numeric, 6) AS x, round(avg(y)::numeric, 6) AS y FROM parted GROUP BY road, part
    )
    SELECT (SELECT count(*)::int FROM lamp WHERE road IS NULL OR x IS NULL OR y IS NULL) AS without,
      (SELECT coalesce(json_agg(json_build_object('roadId', road, 'line', line) ORDER BY road), '[]')
        FROM (SELECT road, json_agg(json_build_array(x, y) ORDER BY part) AS line FROM point GROUP BY road) line) AS roads`.execute(
    db,
  );
  return rows[0] ?? { roads: [], without: 0 };
}
