import { sql, type RawBuilder } from 'kysely';
import { bigints, instants, jsons, prepared, smallints, type Transaction } from '../platform/db/index.ts';

export interface NewReading {
  readonly at: number;
  readonly deviceId: number;
  readonly receivedAt: number;
  readonly quality: number;
  readonly values: Readonly<Record<string, unknown>>;
  readonly rejected: readonly unknown[];
  /** Whether it is what is known of its device now. */
  newest: boolean;
}
export interface NewLatest { readonly deviceId: number; readonly at: number; readonly receivedAt: number; readonly values: Readonly<Record<string, unknown>> }
/** `ofWill`: the broker says it in the name of a device that was lost. */
export interface NewStatus { readonly deviceId: number; readonly online: boolean; readonly ofWill: boolean; readonly settingsVersion: number | null }

/**
 * History and what is known now, in one statement. A repeated reading changes nothing; one of a device that was deleted meanwhile is
 * dropped. What is known is only replaced by something newer, whoever wrote it; values that a reading does not carry stay. Returns how many
 * readings were not there before.
 */
export async function storeReadings(tx: Transaction, readings: readonly NewReading[], merged: readonly NewLatest[]): Promise<number> {
  const { rows } = await sql<{ stored: number }>`${prepared('store readings')} ${storing(readings, merged)} SELECT count(*)::int AS stored FROM stored`.execute(tx);
  return rows[0]?.stored ?? 0;
}

export interface StoredReading { readonly deviceId: number; readonly at: number }

/** The same; returns which readings were not there before. */
export async function tellReadings(tx: Transaction, readings: readonly NewReading[], merged: readonly NewLatest[]): Promise<StoredReading[]> {
  const { rows } = await sql<StoredReading>`${prepared('tell readings')} ${storing(readings, merged)}
    SELECT device_id AS "deviceId", round(extract(epoch FROM at) * 1000000)::float8 / 1000 AS at FROM stored`.execute(tx);
  return rows;
}

function storing(readings: readonly NewReading[], merged: readonly NewLatest[]): RawBuilder<unknown> {
  return sql`WITH new AS MATERIALIZED (
      SELECT n.* FROM unnest(${instants(readings.map((r) => r.at))}::timestamptz[], ${bigints(readings.map((r) => r.deviceId))}::bigint[], ${instants(readings.map((r) => r.receivedAt))}::timestamptz[],
        ${smallints(readings.map((r) => r.quality))}::smallint[], ${jsons(readings.map((r) => JSON.stringify(r.values)))}::jsonb[],
        ${jsons(readings.map((r) => (r.rejected.length > 0 ? JSON.stringify(r.rejected) : null)))}::jsonb[], ${smallints(readings.map((r) => (r.newest ? 1 : 0)))}::smallint[]
      ) AS n(at, device_id, received_at, quality, values, rejected, newest) JOIN device d ON d.id = n.device_id
    ), stored AS (
      INSERT INTO reading (at, device_id, received_at, quality, values, rejected) SELECT at, device_id, received_at, quality, values, rejected FROM new ON CONFLICT DO NOTHING RETURNING device_id, at
    ), known AS (
      INSERT INTO device_latest AS l (device_id, at, received_at, values)
      SELECT device_id, at, received_at, values FROM new WHERE newest = 1
      UNION ALL SELECT m.* FROM unnest(${bigints(merged.map((r) => r.deviceId))}::bigint[], ${instants(merged.map((r) => r.at))}::timestamptz[], ${instants(merged.map((r) => r.receivedAt))}::timestamptz[],
        ${jsons(merged.map((r) => JSON.stringify(r.values)))}::jsonb[]) AS m(device_id, at, received_at, values) JOIN device d ON d.id = m.device_id
      ORDER BY device_id
      ON CONFLICT (device_id) DO UPDATE SET at = excluded.at, received_at = excluded.received_at, values = l.values || excluded.values
      WHERE l.at IS NULL OR excluded.at > l.at
    )`;
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

/** When something was heard of devices that renewed nothing; one entry a device. */
export async function writeHeard(tx: Transaction, heard: ReadonlyMap<number, number>): Promise<void> {
  if (heard.size === 0) return;
  const rows = [...heard].toSorted(([a], [b]) => a - b);
  await sql`${prepared('write heard')} INSERT INTO device_latest AS l (device_id, heard_at)
    SELECT r.device_id, r.heard_at FROM unnest(${bigints(rows.map(([id]) => id))}::bigint[], ${instants(rows.map(([, at]) => at))}::timestamptz[]) AS r(device_id, heard_at)
    JOIN device d ON d.id = r.device_id ORDER BY r.device_id
    ON CONFLICT (device_id) DO UPDATE SET heard_at = excluded.heard_at WHERE l.heard_at IS NULL OR l.heard_at < excluded.heard_at`.execute(tx);
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
