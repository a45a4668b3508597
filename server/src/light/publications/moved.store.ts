import { sql } from 'kysely';
import type { Transaction } from '../../platform/db/index.ts';

/** The steps of an area's plans are at other times from now on: its watched lamps are looked at again. */
export async function lookAgain(tx: Transaction, workAreaId: number, at: Date): Promise<void> {
  await sql`UPDATE publication_watch w SET look_at = ${at} FROM device d
    WHERE w.look_at > ${at} AND d.id = w.device_id AND d.work_area_id = ${workAreaId}`.execute(tx);
}
