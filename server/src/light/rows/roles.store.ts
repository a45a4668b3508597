import { sql } from 'kysely';
import { noRole, type LampRole } from '../../../../catalogue/lighting/plan/programme.ts';
import { roleAt, type RowSide, type Standing } from '../../../../catalogue/lighting/rows.ts';
import type { Db, Transaction } from '../../platform/db/index.ts';

/** What each of these devices is in its row, by its pole; one whose pole is in no row, or that has none, has no role. */
export async function rolesOf(
  db: Db | Transaction,
  deviceIds: readonly number[],
): Promise<ReadonlyMap<number, LampRole>> {
  const { rows } = await sql<Standing & { readonly id: number; readonly side: RowSide }>`
    SELECT d.id, p.side, p.position, p.row_length AS "rowLength", p.junction, p.keep
    FROM device d JOIN lamp_position p ON p.pole_id = d.pole_id
    WHERE d.id = ANY(${[...deviceIds]}::bigint[])`.execute(db);
  const found = new Map(rows.map(({ id, side, ...standing }) => [id, roleAt(standing, side)]));
  return new Map(deviceIds.map((id) => [id, found.get(id) ?? noRole]));
}
