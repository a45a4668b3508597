import { sql } from 'kysely';
import { lampFamilies } from '../../../../catalogue/index.ts';
import type { SunPlace } from '../../../../catalogue/lighting/sun.ts';
import type { Db } from '../../platform/db/index.ts';

export interface AreaPlace extends SunPlace {
  readonly id: number;
}

export interface Area {
  readonly id: number;
  /** Both null: nobody knows where it is. */
  readonly latitude: number | null;
  readonly longitude: number | null;
  readonly timeZone: string;
  readonly sunOffsetMinutes: number;
}
/**
 * Asked for at every command: the lamps that have a place are found by an index of their own, however many have none.
 */
export const placesOf = (areas?: readonly number[]) => sql<Area>`
    SELECT a.id, a.time_zone AS "timeZone", a.sun_offset_minutes AS "sunOffsetMinutes",
           coalesce(a.latitude, m.latitude) AS latitude, coalesce(a.longitude, m.longitude) AS longitude
    FROM work_area a
    LEFT JOIN LATERAL (
      SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY d.latitude) AS latitude,
        percentile_cont(0.5) WITHIN GROUP (ORDER BY d.longitude) AS longitude FROM
        (SELECT latitude, longitude FROM device WHERE work_area_id = a.id AND a.latitude IS NULL
          AND family IN (${sql.join(lampFamilies.map((key) => sql.lit(key)))}) AND latitude IS NOT NULL LIMIT 500) d
    ) m ON true${areas ? sql` WHERE a.id = ANY(${[...areas]}::bigint[])` : sql``}`;

/**
 * Where each work area is (or some of them), and its time. One without coordinates is taken at the middle of its lamps,
 * which a few wrong places do not move.
 */
export async function loadAreas(db: Db, areas?: readonly number[]): Promise<Map<number, Area>> {
  const { rows } = await placesOf(areas).execute(db);
  return new Map(rows.map((area) => [area.id, area]));
}

/** The same; an area without lamps has no sun and is left out. */
export async function loadPlaces(db: Db, areas?: readonly number[]): Promise<Map<number, AreaPlace>> {
  const places = new Map<number, AreaPlace>();
  for (const { latitude, longitude, ...area } of (await loadAreas(db, areas)).values())
    if (latitude !== null && longitude !== null) places.set(area.id, { ...area, latitude, longitude });
  return places;
}
