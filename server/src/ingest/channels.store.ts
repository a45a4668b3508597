import { sql } from 'kysely';
import type { Unmapped } from '../../../protocols/wire.ts';
import { bigints, instants, jsons, smallints, type Db, type Transaction } from '../platform/db/index.ts';

/** What a device said of a channel, or in words of its own. */
export interface NewChannelReading {
  readonly deviceId: number;
  readonly channel: number;
  readonly at: number;
  readonly kind: 'readings' | 'hello' | 'event' | 'transaction';
  readonly receivedAt: number;
  readonly quality: number;
  readonly values: Readonly<Record<string, unknown>>;
  readonly unmapped: Unmapped | null;
}

const forgetAtOnce = 5000;

/** A repeated one changes nothing; one of a device that was deleted meanwhile is dropped. */
export async function storeChannels(tx: Transaction, rows: readonly NewChannelReading[]): Promise<void> {
  if (rows.length === 0) return;
  await sql`INSERT INTO channel_reading (device_id, channel, at, kind, received_at, quality, values, unmapped)
    SELECT n.* FROM unnest(${bigints(rows.map((r) => r.deviceId))}::bigint[],
      ${smallints(rows.map((r) => r.channel))}::smallint[], ${instants(rows.map((r) => r.at))}::timestamptz[],
      ${rows.map((r) => r.kind)}::text[], ${instants(rows.map((r) => r.receivedAt))}::timestamptz[],
        ${smallints(rows.map((r) => r.quality))}::smallint[],
      ${jsons(rows.map((r) => JSON.stringify(r.values)))}::jsonb[],
        ${jsons(rows.map((r) => r.unmapped && JSON.stringify(r.unmapped)))}::jsonb[]
    ) AS n(device_id, channel, at, kind, received_at, quality, values, unmapped) JOIN device d ON d.id = n.device_id
    ORDER BY n.device_id, n.channel, n.at, n.kind ON CONFLICT DO NOTHING`.execute(tx);
}

/** Takes away what is older than the history. */
export async function forgetChannels(db: Db, before: Date): Promise<void> {
  for (;;) {
    const { numAffectedRows = 0n } = await sql`DELETE FROM channel_reading
        WHERE ctid = ANY(ARRAY(SELECT ctid FROM channel_reading WHERE at < ${before} LIMIT ${forgetAtOnce}))`.execute(
      db,
    );
    if (numAffectedRows < BigInt(forgetAtOnce)) return;
  }
}
