import { sql } from 'kysely';
import type { Transaction } from '../../platform/db/index.ts';

export interface OpenFault {
  readonly fault: string;
  readonly since: Date;
}

/** The faults that these devices have. */
export async function openFaults(tx: Transaction, ids: readonly number[]): Promise<Map<number, OpenFault[]>> {
  const { rows } = await sql<OpenFault & { id: number }>`SELECT device_id AS id, fault, began_at AS since FROM fault_log
    WHERE ended_at IS NULL AND device_id = ANY(${ids as number[]}::bigint[])`.execute(tx);
  const open = new Map<number, OpenFault[]>();
  for (const { id, ...fault } of rows) open.set(id, [...(open.get(id) ?? []), fault]);
  return open;
}

/** What a judgement changed of the faults of devices. */
interface FaultChanges {
  readonly ended: readonly { readonly deviceId: number; readonly fault: string }[];
  readonly began: readonly { readonly deviceId: number; readonly fault: string; readonly since: Date }[];
}

/** Writes the log of faults, in the transaction of the judgement: the state of a device and its log never disagree. */
export async function recordFaults(tx: Transaction, { ended, began }: FaultChanges, now: Date): Promise<void> {
  if (ended.length > 0)
    await sql`UPDATE fault_log f SET ended_at = greatest(f.began_at, ${now})
      FROM unnest(${ended.map(({ deviceId }) => deviceId)}::bigint[], ${ended.map(({ fault }) => fault)}::text[])
        AS n(device_id, fault)
      WHERE f.device_id = n.device_id AND f.fault = n.fault AND f.ended_at IS NULL`.execute(tx);
  if (began.length === 0) return;
  const rows = began.toSorted((a, b) => a.deviceId - b.deviceId);
  // A fault that comes back does not begin before it was over.
  await sql`INSERT INTO fault_log (device_id, fault, began_at)
    SELECT n.device_id, n.fault, least(greatest(n.since, before.ended_at), ${now})
    FROM unnest(${rows.map(({ deviceId }) => deviceId)}::bigint[], ${rows.map(({ fault }) => fault)}::text[],
      ${rows.map(({ since }) => since)}::timestamptz[]) AS n(device_id, fault, since)
    JOIN device d ON d.id = n.device_id
    LEFT JOIN LATERAL (SELECT p.ended_at FROM fault_log p WHERE p.device_id = n.device_id AND p.fault = n.fault
      ORDER BY p.began_at DESC, p.id DESC LIMIT 1) before ON true
    ORDER BY n.device_id ON CONFLICT (device_id, fault) WHERE ended_at IS NULL DO NOTHING`.execute(tx);
}

/** The clock was set back: nothing stored is later than now. */
export async function healFaults(tx: Transaction, now: Date): Promise<void> {
  await sql`UPDATE fault_log SET began_at = least(began_at, ${now}), ended_at = least(ended_at, ${now})
    WHERE began_at > ${now} OR ended_at > ${now}`.execute(tx);
}
