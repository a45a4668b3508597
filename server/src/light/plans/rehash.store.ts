import { sql } from 'kysely';
import type { Transaction } from '../../platform/db/index.ts';

/** Lamps of open publications that are told something else meanwhile report another hash. */
export async function rehash(
  tx: Transaction,
  hashes: readonly { readonly deviceId: number; readonly hash: string | null }[],
): Promise<void> {
  await sql`UPDATE publication_item i SET plan_hash = h.hash
    FROM unnest(${hashes.map((one) => one.deviceId)}::bigint[], ${hashes.map((one) => one.hash)}::text[]) AS h(id, hash)
    WHERE i.device_id = h.id AND i.open AND i.told_at IS NOT NULL AND i.reported_at IS NULL`.execute(tx);
}
