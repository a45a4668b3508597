import { sql } from 'kysely';
import { lampFamilies } from '../../../../catalogue/index.ts';
import type { Transaction } from '../../platform/db/index.ts';
import { poleFamily } from '../rows/index.ts';

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

/** What rows go by of a pole. */
export interface Standing {
  readonly roadId: number | null;
  readonly junction: boolean;
  readonly side: string | null;
}
/** Undefined: the device is no pole. */
export async function findStanding(tx: Transaction, id: number): Promise<Standing | undefined> {
  const { rows } = await sql<Standing>`SELECT road_id AS "roadId", props ->> 'roadside' AS side,
      coalesce(props ->> 'ifIntersection' = 'true', false) AS junction
    FROM device WHERE id = ${id} AND family = ${poleFamily}`.execute(tx);
  return rows[0];
}
