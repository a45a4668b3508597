import { sql } from 'kysely';
import type { Transaction } from '../../platform/db/index.ts';

const hourMs = 3_600_000;

/**
 * What the history keeps for a transaction that writes readings, epoch milliseconds: readings before `closedTo` are
 * late, those before `rawFrom` are of days that were taken away.
 */
export interface OpenHours {
  readonly closedTo: number;
  readonly rawFrom: number;
}

/**
 * Begins a transaction that writes readings: no hour is closed any more until it ends. A statement of its own, before
 * any other.
 */
export async function holdOpenHours(tx: Transaction): Promise<OpenHours> {
  const {
    rows: [held],
  } = await sql<{
    closedTo: number;
    rawFrom: number;
  }>`SELECT extract(epoch FROM closed_to) * 1000 AS "closedTo", extract(epoch FROM raw_from) * 1000 AS "rawFrom"
    FROM hold_open_hours()`.execute(tx);
  return { closedTo: Number(held?.closedTo), rawFrom: Number(held?.rawFrom) };
}

/**
 * Says which hours of devices readings came into that were closed already; they are rolled anew. One that changed
 * nothing may be named too.
 */
export async function markLate(
  tx: Transaction,
  readings: Iterable<{ readonly deviceId: number; readonly at: number }>,
  { closedTo, rawFrom }: OpenHours,
): Promise<void> {
  const late = new Map<string, { readonly deviceId: number; readonly hour: number }>();
  for (const { deviceId, at } of readings) {
    if (at >= closedTo || at < rawFrom) continue;
    const hour = Math.floor(at / hourMs) * hourMs;
    late.set(`${deviceId} ${hour}`, { deviceId, hour });
  }
  if (late.size === 0) return;
  const rows = [...late.values()];
  await sql`INSERT INTO rollup_late (device_id, at) SELECT *
    FROM unnest(${rows.map((row) => row.deviceId)}::bigint[],
    ${rows.map((row) => new Date(row.hour).toISOString())}::timestamptz[])`.execute(tx);
}
