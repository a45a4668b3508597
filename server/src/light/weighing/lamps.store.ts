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
