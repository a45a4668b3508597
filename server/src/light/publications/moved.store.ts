import { sql } from 'kysely';
import type { Transaction } from '../../platform/db/index.ts';

/** The steps of an area's plans are at other times from now on: its watched lamps are looked at again. */
export async function lookAgain(tx: Transaction, workAreaId: number, at: Date): Promise<void> {
  await sql`UPDATE publication_item i SET look_at = ${at} FROM device d
    WHERE i.look_at > ${at} AND d.id = i.device_id AND d.work_area_id = ${workAreaId}`.execute(tx);
}
