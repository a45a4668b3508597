import { sql } from 'kysely';
import { lampFamilies } from '../../../../catalogue/index.ts';
import type { Transaction } from '../../platform/db/index.ts';

/** The lamps in use on the poles of a road. */
export async function lampsOnRoad(tx: Transaction, roadId: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`SELECT d.id FROM device p JOIN device d ON d.pole_id = p.id
    WHERE p.road_id = ${roadId} AND d.family = ANY(${[...lampFamilies]}::text[]) AND d.enabled
    ORDER BY d.id`.execute(tx);
  return rows.map(({ id }) => id);
}

/** A page of the lamps in use of a work area, by id. */
export async function lampsOfArea(tx: Transaction, areaId: number, after: number, size: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`SELECT id FROM device WHERE work_area_id = ${areaId} AND id > ${after}
    AND family = ANY(${[...lampFamilies]}::text[]) AND enabled ORDER BY id LIMIT ${size}`.execute(tx);
  return rows.map(({ id }) => id);
}

export interface Junction {
  readonly roadId: number | null;
  readonly is: boolean;
}
/** Whether a device stands at a junction, and in which road; undefined: it is none that could. */
export async function findJunction(tx: Transaction, id: number): Promise<Junction | undefined> {
  const { rows } = await sql<Junction>`SELECT road_id AS "roadId",
      coalesce(props ->> 'ifIntersection' = 'true', false) AS is FROM device WHERE id = ${id}`.execute(tx);
  return rows[0];
}
