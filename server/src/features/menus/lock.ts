import { sql } from 'kysely';
import type { Transaction } from '../../platform/db/index.ts';

// "RGHT", read as a number.
const rightsLock = 0x52474854;

/**
 * Lets one change of roles, their menus or the menu tree happen at a time, over all processes, until the transaction ends: two
 * administrators who drag at once, or a role narrowed while another is put below it, then meet each other's result.
 */
export async function lockRights(tx: Transaction): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(${rightsLock})`.execute(tx);
}
