import { sql, type RawBuilder } from 'kysely';
import { wrongClockMs } from '../register/devices/index.ts';
import { bigints, instants, jsons, prepared, smallints, type Transaction } from '../platform/db/index.ts';
import { jsonOf, namesOf } from './names-of.ts';

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
export interface NewLatest {
  readonly deviceId: number;
  readonly at: number;
  readonly receivedAt: number;
  readonly values: Readonly<Record<string, unknown>>;
}
/** `ofWill`: the broker says it in the name of a device that was lost. */
export interface NewStatus {
  readonly deviceId: number;
  readonly online: boolean;
  readonly ofWill: boolean;
  readonly settingsVersion: number | null;
}

/**
 * History and what is known now, in one statement. A repeated reading changes nothing; one of a device that was deleted
 * meanwhile is dropped. What is known is only replaced by something newer, whoever wrote it; values that a reading does
 * not carry stay. Returns how many readings were not there before.
 */
export async function storeReadings(
  tx: Transaction,
  readings: readonly NewReading[],
  merged: readonly NewLatest[],
): Promise<number> {
  const { rows } = await sql<{
    stored: number;
  }>`${prepared('store readings')} ${storing(readings, merged, warily)} SELECT count(*)::int AS stored
    FROM stored`.execute(tx);
  return rows[0]?.stored ?? 0;
}

/**
 * The same, quicker, while nothing is repeated and nobody deleted: else it ends the transaction, with a violation of
 * the key of the history, or of the reference to the device.
 */
export async function storeNewReadings(
  tx: Transaction,
  readings: readonly NewReading[],
  merged: readonly NewLatest[],
): Promise<number> {
  await sql`${prepared('store new readings')} ${storing(readings, merged, quickly)} SELECT`.execute(tx);
  return readings.length;
}

export interface StoredReading {
  readonly deviceId: number;
  readonly at: number;
}

/** The same as `storeReadings`; returns which readings were not there before. */
export async function tellReadings(
  tx: Transaction,
  readings: readonly NewReading[],
  merged: readonly NewLatest[],
): Promise<StoredReading[]> {
  const { rows } = await sql<StoredReading>`${prepared('tell readings')} ${storing(readings, merged, warily)}
    SELECT device_id AS "deviceId", round(extract(epoch FROM at) * 1000000)::float8 / 1000 AS at FROM stored`.execute(
    tx,
  );
  return rows;
}

interface Way {
  readonly ofDevices: RawBuilder<unknown>;
  readonly ofRepeats: RawBuilder<unknown>;
}
const warily: Way = {
  ofDevices: sql`JOIN device d ON d.id = n.device_id`,
  ofRepeats: sql`ON CONFLICT DO NOTHING RETURNING device_id, at`,
};
const quickly: Way = { ofDevices: sql``, ofRepeats: sql`` };

/**
 * Devices in order: what lies together is written together, and locked as everybody locks it. What has the same names
 * as before is replaced, which is quicker than to merge it.
 */
function storing(
  readings: readonly NewReading[],
  merged: readonly NewLatest[],
  { ofDevices, ofRepeats }: Way,
): RawBuilder<unknown> {
  const rows = readings.toSorted((a, b) => a.deviceId - b.deviceId);
  const names = rows.map(({ values }) => namesOf(values));
  return sql`WITH new AS MATERIALIZED (
      SELECT n.* FROM unnest(${instants(rows.map((r) => r.at))}::timestamptz[],
        ${bigints(rows.map((r) => r.deviceId))}::bigint[], ${instants(rows.map((r) => r.receivedAt))}::timestamptz[],
        ${smallints(rows.map((r) => r.quality))}::smallint[],
          ${jsons(rows.map((r, i) => jsonOf(r.values, names[i])))}::jsonb[],
        ${jsons(rows.map((r) => (r.rejected.length > 0 ? JSON.stringify(r.rejected) : null)))}::jsonb[],
          ${bigints(rows.map((r, i) => (r.newest ? (names[i]?.number ?? 0) : 0)))}::bigint[]
      ) AS n(at, device_id, received_at, quality, values, rejected, names) ${ofDevices}
    ), stored AS (
      INSERT INTO reading (at, device_id, received_at, quality, values, rejected)
        SELECT at, device_id, received_at, quality, values, rejected FROM new ${ofRepeats}
    ), known AS (
      INSERT INTO device_latest AS l (device_id, at, received_at, values, names)
      SELECT device_id, at, received_at, values, names FROM new WHERE names <> 0
      UNION ALL SELECT n.*
        FROM unnest(${bigints(merged.map((r) => r.deviceId))}::bigint[],
        ${instants(merged.map((r) => r.at))}::timestamptz[],
        ${instants(merged.map((r) => r.receivedAt))}::timestamptz[],
        ${jsons(merged.map((r) => jsonOf(r.values)))}::jsonb[],
          ${bigints(merged.map((r) => namesOf(r.values).number))}::bigint[])
          AS n(device_id, at, received_at, values, names) ${ofDevices}
      ORDER BY device_id
      ON CONFLICT (device_id) DO UPDATE SET at = excluded.at, received_at = excluded.received_at,
        values = CASE WHEN l.names = excluded.names THEN excluded.values ELSE l.values || excluded.values END,
        names = CASE WHEN l.names = excluded.names THEN l.names
          WHEN (SELECT count(*) FROM jsonb_object_keys(l.values || excluded.values)) = (SELECT count(*)
            FROM jsonb_object_keys(excluded.values)) THEN excluded.names END
      WHERE l.at IS NULL OR excluded.at > l.at
    )`;
}

/** What was learnt of clocks, milliseconds; a clock that is wrong from now on has been so since `now`. */
export async function upsertOffsets(
  tx: Transaction,
  offsets: ReadonlyMap<number, { readonly offsetMs: number; readonly doubtMs: number | null }>,
  now: Date,
): Promise<void> {
  if (offsets.size === 0) return;
  const rows = [...offsets].toSorted(([a], [b]) => a - b);
  const rounded = (ms: number | null) => (ms === null ? null : Math.round(ms));
  await sql`INSERT INTO device_latest AS l (device_id, clock_offset_ms, clock_doubt_ms, clock_wrong_since)
    SELECT r.device_id, r.offset_ms, r.doubt_ms, CASE WHEN abs(r.offset_ms)
      > ${wrongClockMs}::integer THEN ${now}::timestamptz END
    FROM unnest(${rows.map(([id]) => id)}::bigint[], ${rows.map(([, { offsetMs }]) => rounded(offsetMs))}::integer[],
      ${rows.map(([, { doubtMs }]) => rounded(doubtMs))}::integer[]) AS r(device_id, offset_ms, doubt_ms)
    JOIN device d ON d.id = r.device_id ORDER BY r.device_id
    ON CONFLICT (device_id) DO UPDATE SET clock_offset_ms = excluded.clock_offset_ms,
      clock_doubt_ms = excluded.clock_doubt_ms,
      clock_wrong_since = CASE WHEN excluded.clock_wrong_since IS NOT NULL THEN
        coalesce(l.clock_wrong_since, excluded.clock_wrong_since) END`.execute(tx);
}

/** When something was heard of devices that renewed nothing; one entry a device. */
export async function writeHeard(tx: Transaction, heard: ReadonlyMap<number, number>): Promise<void> {
  if (heard.size === 0) return;
  const rows = [...heard].toSorted(([a], [b]) => a - b);
  await sql`${prepared('write heard')} INSERT INTO device_latest AS l (device_id, heard_at)
    SELECT r.device_id, r.heard_at
      FROM unnest(${bigints(rows.map(([id]) => id))}::bigint[], ${instants(rows.map(([, at]) => at))}::timestamptz[])
      AS r(device_id, heard_at)
    JOIN device d ON d.id = r.device_id ORDER BY r.device_id
    ON CONFLICT (device_id) DO UPDATE SET heard_at = excluded.heard_at
      WHERE l.heard_at IS NULL OR l.heard_at < excluded.heard_at`.execute(tx);
}

/** Links that came or went; a change from a known state to the other is an event. One entry a device. */
export async function writeStatuses(tx: Transaction, statuses: readonly NewStatus[], now: Date): Promise<void> {
  if (statuses.length === 0) return;
  const rows = statuses.toSorted((a, b) => a.deviceId - b.deviceId);
  await sql`WITH incoming AS (
      SELECT r.* FROM unnest(${rows.map((r) => r.deviceId)}::bigint[], ${rows.map((r) => r.online)}::boolean[],
        ${rows.map((r) => r.settingsVersion)}::integer[]) AS r(device_id, online, settings_version)
      JOIN device d ON d.id = r.device_id
    ), turned AS (
      INSERT INTO device_event (at, device_id, kind)
      SELECT ${now}, i.device_id, CASE WHEN i.online THEN 'connected' ELSE 'disconnected' END
      FROM incoming i JOIN device_latest l ON l.device_id = i.device_id WHERE l.connected <> i.online
    )
    INSERT INTO device_latest AS l (device_id, connected, connection_changed_at, settings_version)
    SELECT device_id, online, ${now}, settings_version FROM incoming ORDER BY device_id
    ON CONFLICT (device_id) DO UPDATE SET connected = excluded.connected,
      settings_version = coalesce(excluded.settings_version, l.settings_version),
      connection_changed_at = CASE WHEN l.connected IS DISTINCT FROM excluded.connected THEN
        excluded.connection_changed_at ELSE l.connection_changed_at END`.execute(tx);
}
