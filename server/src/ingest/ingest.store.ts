import { sql } from 'kysely';
import type { Transaction } from '../platform/db/index.ts';

export interface NewReading {
  readonly at: number;
  readonly deviceId: number;
  readonly receivedAt: number;
  readonly values: Readonly<Record<string, unknown>>;
  readonly rejected: readonly unknown[];
}
export interface NewLatest { readonly deviceId: number; readonly at: number; readonly receivedAt: number; readonly values: Readonly<Record<string, unknown>> }
export interface NewStatus { readonly deviceId: number; readonly online: boolean; readonly settingsVersion: number | null }

const times = (list: readonly number[]) => list.map((at) => new Date(at).toISOString());
const invalid = 3;

/** History: a repeated reading changes nothing; one of a device that was deleted meanwhile is dropped. */
export async function insertReadings(tx: Transaction, readings: readonly NewReading[]): Promise<void> {
  if (readings.length === 0) return;
  await sql`INSERT INTO reading (at, device_id, received_at, quality, values, rejected)
    SELECT r.at, r.device_id, r.received_at, r.quality, r.values::jsonb, r.rejected::jsonb
    FROM unnest(${times(readings.map((r) => r.at))}::timestamptz[], ${readings.map((r) => r.deviceId)}::bigint[], ${times(readings.map((r) => r.receivedAt))}::timestamptz[],
      ${readings.map((r) => (r.rejected.length > 0 ? invalid : 0))}::smallint[], ${readings.map((r) => JSON.stringify(r.values))}::text[],
      ${readings.map((r) => (r.rejected.length > 0 ? JSON.stringify(r.rejected) : null))}::text[]) AS r(at, device_id, received_at, quality, values, rejected)
    JOIN device d ON d.id = r.device_id
    ON CONFLICT DO NOTHING`.execute(tx);
}

/** What is known now: only ever replaced by something newer; values that a reading does not carry stay. */
export async function upsertLatest(tx: Transaction, latest: readonly NewLatest[]): Promise<void> {
  if (latest.length === 0) return;
  const rows = latest.toSorted((a, b) => a.deviceId - b.deviceId);
  await sql`INSERT INTO device_latest AS l (device_id, at, received_at, values)
    SELECT r.device_id, r.at, r.received_at, r.values::jsonb
    FROM unnest(${rows.map((r) => r.deviceId)}::bigint[], ${times(rows.map((r) => r.at))}::timestamptz[], ${times(rows.map((r) => r.receivedAt))}::timestamptz[],
      ${rows.map((r) => JSON.stringify(r.values))}::text[]) AS r(device_id, at, received_at, values)
    JOIN device d ON d.id = r.device_id ORDER BY r.device_id
    ON CONFLICT (device_id) DO UPDATE SET at = excluded.at, received_at = excluded.received_at, values = l.values || excluded.values
    WHERE l.at IS NULL OR excluded.at >= l.at`.execute(tx);
}

/** Learnt clock offsets, milliseconds. */
export async function upsertOffsets(tx: Transaction, offsets: ReadonlyMap<number, number>): Promise<void> {
  if (offsets.size === 0) return;
  const rows = [...offsets].toSorted(([a], [b]) => a - b);
  await sql`INSERT INTO device_latest (device_id, clock_offset_ms)
    SELECT r.device_id, r.offset_ms FROM unnest(${rows.map(([id]) => id)}::bigint[], ${rows.map(([, offset]) => Math.round(offset))}::integer[]) AS r(device_id, offset_ms)
    JOIN device d ON d.id = r.device_id ORDER BY r.device_id
    ON CONFLICT (device_id) DO UPDATE SET clock_offset_ms = excluded.clock_offset_ms`.execute(tx);
}

/** Links that came or went; a change from a known state to the other is an event. One entry a device. */
export async function writeStatuses(tx: Transaction, statuses: readonly NewStatus[], now: Date): Promise<void> {
  if (statuses.length === 0) return;
  const rows = statuses.toSorted((a, b) => a.deviceId - b.deviceId);
  await sql`WITH incoming AS (
      SELECT r.* FROM unnest(${rows.map((r) => r.deviceId)}::bigint[], ${rows.map((r) => r.online)}::boolean[], ${rows.map((r) => r.settingsVersion)}::integer[]) AS r(device_id, online, settings_version)
      JOIN device d ON d.id = r.device_id
    ), turned AS (
      INSERT INTO device_event (at, device_id, kind)
      SELECT ${now}, i.device_id, CASE WHEN i.online THEN 'connected' ELSE 'disconnected' END
      FROM incoming i JOIN device_latest l ON l.device_id = i.device_id WHERE l.connected <> i.online
    )
    INSERT INTO device_latest AS l (device_id, connected, connection_changed_at, settings_version)
    SELECT device_id, online, ${now}, settings_version FROM incoming ORDER BY device_id
    ON CONFLICT (device_id) DO UPDATE SET connected = excluded.connected, settings_version = coalesce(excluded.settings_version, l.settings_version),
      connection_changed_at = CASE WHEN l.connected IS DISTINCT FROM excluded.connected THEN excluded.connection_changed_at ELSE l.connection_changed_at END`.execute(tx);
}
