import { sql } from 'kysely';
import type { faultCodes } from '../../../../contract/episodes.ts';
import type { Transaction } from '../../platform/db/index.ts';

type FaultName = (typeof faultCodes)[number];
/**
 * What was judged of the faults of a device; null: it has none. Of a device that is silent nothing is known: it is not
 * among these.
 */
export interface FaultNow {
  readonly deviceId: number;
  readonly fault: FaultName | null;
  readonly since: Date;
}

/**
 * Brings the log of faults in line with what was judged: what a device does not have any more ends now, what it has is
 * one open row. In the judge's transaction, so that the state of a device and its log never disagree.
 */
export async function recordFaults(tx: Transaction, judged: readonly FaultNow[], now: Date): Promise<void> {
  if (judged.length === 0) return;
  const rows = judged.toSorted((a, b) => a.deviceId - b.deviceId);
  const found = sql`unnest(${rows.map(({ deviceId }) => deviceId)}::bigint[], ${rows.map(({ fault }) => fault)}::text[], ${rows.map(({ since }) => since)}::timestamptz[]) AS n(device_id, fault, since)`;
  await sql`UPDATE fault_log f SET ended_at = greatest(f.began_at, ${now}) FROM ${found} WHERE f.device_id = n.device_id AND f.ended_at IS NULL AND f.fault IS DISTINCT FROM n.fault`.execute(
    tx,
  );
  // Nothing begins before what was told of the device before is over.
  await sql`INSERT INTO fault_log (device_id, fault, began_at)
    SELECT n.device_id, n.fault, least(greatest(n.since, before.ended_at), ${now}) FROM ${found} JOIN device d ON d.id = n.device_id
    LEFT JOIN LATERAL (SELECT p.ended_at FROM fault_log p WHERE p.device_id = n.device_id ORDER BY p.began_at DESC, p.id DESC LIMIT 1) before ON true
    WHERE n.fault IS NOT NULL ORDER BY n.device_id ON CONFLICT (device_id) WHERE ended_at IS NULL DO NOTHING`.execute(
    tx,
  );
}

/** The clock was set back: nothing stored is later than now. */
export async function healFaults(tx: Transaction, now: Date): Promise<void> {
  await sql`UPDATE fault_log SET began_at = least(began_at, ${now}), ended_at = least(ended_at, ${now}) WHERE began_at > ${now} OR ended_at > ${now}`.execute(
    tx,
  );
}
