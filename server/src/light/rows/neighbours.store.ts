import { sql } from 'kysely';
import { lampFamilies } from '../../../../catalogue/index.ts';
import type { Db, Transaction } from '../../platform/db/index.ts';

/** A pole of a row with the lamps on it that are in use. */
export interface RowPlace {
  readonly roadId: number;
  readonly roadClass: string;
  readonly workAreaId: number;
  readonly side: string;
  readonly position: number;
  readonly lamps: readonly number[];
}

/** The rows of these classes of road that any of these lamps stands in: poles with lamps, row by row, in order. */
export async function rowsAround(
  db: Db | Transaction,
  deviceIds: readonly number[],
  roadClasses: readonly string[],
): Promise<RowPlace[]> {
  const { rows } = await sql<RowPlace>`WITH around AS MATERIALIZED (SELECT DISTINCT p.road_id, p.side
      FROM device d JOIN lamp_position p ON p.pole_id = d.pole_id WHERE d.id = ANY(${[...deviceIds]}::bigint[]))
    SELECT r.id AS "roadId", r.road_class AS "roadClass", r.work_area_id AS "workAreaId", p.side, p.position, json_agg(d.id ORDER BY d.id) AS lamps
    FROM around a JOIN road r ON r.id = a.road_id AND r.road_class = ANY(${[...roadClasses]}::text[])
    JOIN lamp_position p ON p.road_id = a.road_id AND p.side = a.side
    JOIN device d ON d.pole_id = p.pole_id AND d.family = ANY(${[...lampFamilies]}::text[]) AND d.enabled
    GROUP BY r.id, p.side, p.position ORDER BY r.id, p.side, p.position`.execute(db);
  return rows;
}
