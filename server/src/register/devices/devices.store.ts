import { sql, type RawBuilder, type SqlBool } from 'kysely';
import { families, type FieldValue } from '../../../../catalogue/index.ts';
import { prepared, type Db, type RowCounter, type Transaction } from '../../platform/db/index.ts';
import { searchWords } from '../../platform/search-words.ts';
import type { Chosen } from './devices.page.store.ts';
import { joined } from './devices.query.ts';

/** A device as the table has it, with what its references are called and what is known of it now. */
export interface StoredDevice {
  readonly id: number;
  readonly family: string;
  readonly version: number;
  readonly created_at: Date;
  readonly updated_at: Date;
  readonly work_area_id: number;
  readonly road_id: number | null;
  readonly group_id: number | null;
  readonly pole_id: number | null;
  readonly parent_id: number | null;
  readonly channel_id: number | null;
  readonly transformer_id: number | null;
  readonly box_id: number | null;
  readonly gateway_id: number | null;
  readonly loop_id: number | null;
  readonly longitude: number | null;
  readonly latitude: number | null;
  readonly enabled: boolean;
  readonly rated_watts: number | null;
  readonly equipment_code: string;
  readonly equipment_name: string | null;
  readonly props: Readonly<Record<string, unknown>>;
  readonly names: Readonly<
    Record<
      | 'work_area_id'
      | 'road_id'
      | 'group_id'
      | 'pole_id'
      | 'parent_id'
      | 'channel_id'
      | 'transformer_id'
      | 'box_id'
      | 'gateway_id'
      | 'loop_id',
      string | null
    >
  >;
  /** Codes of the devices that fields without a column name, by wire name. */
  readonly refs: Readonly<Record<string, string>> | null;
  readonly pole_longitude: number | null;
  readonly pole_latitude: number | null;
  readonly state: string | null;
  readonly online: boolean | null;
  readonly fault: string | null;
  readonly fault_since: Date | null;
  readonly faults: readonly { readonly code: string; readonly since: string }[] | null;
  readonly since: Date | null;
  readonly at: Date | null;
  readonly received_at: Date | null;
  readonly values: Readonly<Record<string, number | boolean | string>> | null;
  readonly connected: boolean | null;
  readonly visible: boolean;
  readonly [column: string]: unknown;
}

/** Fields that name another device and have no column: the cover's nearby pole. */
const looseReferences: readonly string[] = [
  ...new Set(
    families.flatMap((family) =>
      family.fields.flatMap((field) =>
        field.kind === 'reference' && 'family' in field.to && !field.column ? [field.key] : [],
      ),
    ),
  ),
];

/** Of a device `d`: the codes of the devices that such fields name, by wire name. */
export const codesOfLooseReferences = sql`(SELECT jsonb_object_agg(k.key, x.equipment_code)
  FROM unnest(${[...looseReferences]}::text[]) AS k(key) JOIN device x ON x.id = (d.props ->> k.key)::bigint)`;

/** What a loop is called outside of its box: `<code of the box>/<code of the loop>`; of a loop by its id. */
const loopCode = (id: RawBuilder<unknown>) =>
  sql`(SELECT b.equipment_code || '/' || o.loop_code FROM loop o JOIN device b ON b.id = o.control_box_id
    WHERE o.id = ${id})`;
const codeOf = (id: RawBuilder<unknown>) => sql`(SELECT x.equipment_code FROM device x WHERE x.id = ${id})`;
/**
 * What feeds a device `d` and through which gateway it speaks, by column: mostly empty, so asked one by one instead of
 * joined.
 */
export const fedBy = sql`'transformer_id', ${codeOf(sql`d.transformer_id`)}, 'box_id', ${codeOf(sql`d.box_id`)}, 'gateway_id', ${codeOf(sql`d.gateway_id`)}, 'loop_id', ${loopCode(sql`d.loop_id`)}`;

/** The faults of a device `d` that go on. */
const faultsOf = sql`(SELECT jsonb_agg(jsonb_build_object('code', f.fault, 'since', f.began_at)) FROM fault_log f
  WHERE f.device_id = d.id AND f.ended_at IS NULL)`;

const columns = sql`d.id, d.family, d.version, d.created_at, d.updated_at, d.work_area_id, d.road_id, d.group_id, d.pole_id, d.parent_id, d.channel_id,
  d.transformer_id, d.box_id, d.gateway_id, d.loop_id,  d.longitude, d.latitude, d.enabled, d.rated_watts, d.equipment_code, d.equipment_name,
  jsonb_build_object('work_area_id', a.work_name, 'road_id', r.road_name, 'group_id', g.group_name, 'pole_id', p.equipment_code, 'parent_id', c.equipment_code, 'channel_id', ch.channel_name, ${fedBy}) AS names,
  ${codesOfLooseReferences} AS refs,
  p.longitude AS pole_longitude, p.latitude AS pole_latitude,
  s.state, s.online, s.fault, s.fault_since, s.since, ${faultsOf} AS faults, l.at, l.received_at, l.values, l.connected`;
const related = sql`JOIN work_area a ON a.id = d.work_area_id
  LEFT JOIN road r ON r.id = d.road_id LEFT JOIN equipment_group g ON g.id = d.group_id
    LEFT JOIN channel ch ON ch.id = d.channel_id
  LEFT JOIN device p ON p.id = d.pole_id LEFT JOIN device c ON c.id = d.parent_id
  LEFT JOIN device_state s ON s.device_id = d.id LEFT JOIN device_latest l ON l.device_id = d.id`;

const from = sql`FROM device d ${related}`;

const rowsOfPage = sql`${prepared('device rows')} SELECT ${columns}, d.props - 'pic' AS props, true AS visible ${from}
  WHERE d.id = ANY(`;
/** The devices of one page in the order of their ids given; pictures stay out of lists. */
export async function findRows(db: Db, ids: readonly number[]): Promise<StoredDevice[]> {
  if (ids.length === 0) return [];
  const { rows } = await sql<StoredDevice>`${rowsOfPage}${[...ids]}::bigint[])`.execute(db);
  const found = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap((id) => found.get(id) ?? []);
}

const rowsOf = ({ tables, where }: Chosen) => sql`SELECT 1 FROM device d ${joined(tables)} WHERE ${where}`;

export async function countAll(db: Db, chosen: Chosen): Promise<number> {
  const { rows } = await sql<{ n: number }>`SELECT count(*)::int AS n FROM (${rowsOf(chosen)}) AS counted`.execute(db);
  return rows[0]?.n ?? 0;
}

/** How many a list shows: exact up to 10,000. */
export const countAbout = (counter: RowCounter, chosen: Chosen) => counter.about(rowsOf(chosen));
/** From which end a far page is found: all, as they were a moment ago. */
export const countWhole = (counter: RowCounter, chosen: Chosen) => counter.all(rowsOf(chosen));

/**
 * One device, whoever may see it; `visible` says whether the caller may. `lock` keeps others from changing it
 * meanwhile.
 */
export async function findOne(
  db: Db | Transaction,
  id: number,
  visible: RawBuilder<SqlBool>,
  lock = false,
): Promise<StoredDevice | undefined> {
  const { rows } = await sql<StoredDevice>`SELECT ${columns}, d.props, ${visible} AS visible ${from}
      WHERE d.id = ${id} ${lock ? sql`FOR UPDATE OF d` : sql``}`.execute(db);
  return rows[0];
}

/** Whether another device of the family has this code in its work area. */
export async function isCodeTaken(
  from: Db | Transaction,
  family: string,
  areaId: number,
  code: string,
  id: number | null,
): Promise<boolean> {
  const { rows } = await sql`SELECT 1 FROM device WHERE family = ${family} AND work_area_id = ${areaId}
      AND code_key = lower(normalize(${code}, NFKC)) AND id IS DISTINCT FROM ${id}`.execute(from);
  return rows.length > 0;
}

/** Devices by a condition on `d`, without their pictures; `visible` says of each whether the caller may see it. */
export async function findWhere(
  db: Db | Transaction,
  where: RawBuilder<unknown>,
  visible: RawBuilder<SqlBool>,
): Promise<StoredDevice[]> {
  const { rows } = await sql<StoredDevice>`SELECT ${columns}, d.props - 'pic' AS props, ${visible} AS visible ${from}
      WHERE ${where}`.execute(db);
  return rows;
}

export interface DeviceRecord {
  readonly id?: number;
  readonly family: string;
  /** By column name; absent ones are null (enabled: true). */
  readonly columns: Readonly<Record<string, FieldValue>>;
  readonly props: Readonly<Record<string, FieldValue>>;
}

const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null);

/** Inserts devices in one statement and returns their ids in the order given. */
export async function insertAll(tx: Transaction, devices: readonly DeviceRecord[]): Promise<number[]> {
  const missing = devices.filter((device) => device.id === undefined).length;
  const fresh =
    missing === 0
      ? []
      : (
          await sql<{
            id: number;
          }>`SELECT nextval(pg_get_serial_sequence('device', 'id')) AS id FROM generate_series(1, ${missing})`.execute(
            tx,
          )
        ).rows;
  const words = await Promise.all(
    devices.map(({ columns }) => searchWords(textOf(columns['equipment_code']), textOf(columns['equipment_name']))),
  );
  let next = 0;
  const rows = devices.map((device, index) => ({
    search_words: words[index],
    enabled: true,
    ...device.columns,
    id: device.id ?? fresh[next++]?.id,
    family: device.family,
    props: device.props,
  }));
  await sql`INSERT INTO device (id, family, work_area_id, equipment_code, equipment_name, road_id, group_id, pole_id,
    parent_id, channel_id, transformer_id, box_id, gateway_id, loop_id, longitude, latitude, enabled, rated_watts,
    search_words, props)
    SELECT id, family, work_area_id, equipment_code, equipment_name, road_id, group_id, pole_id, parent_id, channel_id,
      transformer_id, box_id, gateway_id, loop_id, longitude, latitude, enabled, rated_watts, search_words, props
    FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS x(id bigint, family text, work_area_id bigint,
      equipment_code text, equipment_name text, road_id bigint,
      group_id bigint, pole_id bigint, parent_id bigint, channel_id bigint, transformer_id bigint, box_id bigint,
        gateway_id bigint, loop_id bigint, longitude float8, latitude float8, enabled boolean, rated_watts float8,
        search_words text, props jsonb)`.execute(tx);
  // Ids that were given do not move the sequence by themselves.
  if (missing < devices.length)
    await sql`SELECT setval(pg_get_serial_sequence('device', 'id'), greatest((SELECT max(id) FROM device), 1))`.execute(
      tx,
    );
  return rows.map((row) => row.id as number);
}

/** Writes a device whose row is locked. */
export async function updateOne(
  tx: Transaction,
  id: number,
  columnValues: Readonly<Record<string, FieldValue>>,
  props: Readonly<Record<string, unknown>>,
): Promise<void> {
  const row = await tx
    .updateTable('device')
    .set({ ...columnValues, props: JSON.stringify(props), version: sql`version + 1`, updated_at: sql`now()` })
    .where('id', '=', id)
    .returning(['equipment_code', 'equipment_name'])
    .executeTakeFirst();
  if (!row || !('equipment_code' in columnValues || 'equipment_name' in columnValues)) return;
  await tx
    .updateTable('device')
    .set({ search_words: await searchWords(row.equipment_code, row.equipment_name) })
    .where('id', '=', id)
    .execute();
}

/** Removes a device with everything only it has; what hangs on it was refused before. Returns the files it had. */
export async function deleteOne(tx: Transaction, id: number): Promise<string[]> {
  const files = await tx
    .deleteFrom('attachment')
    .where('device_id', '=', id)
    .returning(['file', 'thumbnail'])
    .execute();
  await tx.deleteFrom('reading').where('device_id', '=', id).execute();
  await tx.deleteFrom('device').where('id', '=', id).execute();
  return files.flatMap(({ file, thumbnail }) => [file, ...(thumbnail === null ? [] : [thumbnail])]);
}

/**
 * Devices that name this one as what feeds them or what they speak through, or by a field without a column; an index
 * answers each.
 */
export const namesIt = (id: number) =>
  sql`(transformer_id = ${id} OR box_id = ${id} OR gateway_id = ${id} OR ${sql.join(
    looseReferences.map((key) => sql`props @> ${JSON.stringify({ [key]: id })}::jsonb`),
    sql` OR `,
  )})`;

export interface Uses {
  readonly lamppostId: number;
  readonly parent: number;
  readonly reference: number;
  readonly loop: number;
  readonly readings: number;
  readonly commands: number;
  readonly credentials: number;
  readonly attachments: number;
}
/** How many rows hang on a device, by kind. */
export async function countUses(db: Db | Transaction, id: number): Promise<Uses> {
  const { rows } = await sql<Uses>`SELECT
    (SELECT count(*)::int FROM device WHERE pole_id = ${id}) AS "lamppostId",
    (SELECT count(*)::int FROM device WHERE parent_id = ${id}) AS parent,
    (SELECT count(*)::int FROM device WHERE ${namesIt(id)}) AS reference,
    (SELECT count(*)::int FROM loop WHERE control_box_id = ${id}) AS loop,
    (SELECT count(*)::int FROM reading WHERE device_id = ${id}) AS readings,
    (SELECT count(*)::int FROM command_item WHERE device_id = ${id}) AS commands,
    (SELECT count(*)::int FROM device_credential WHERE device_id = ${id}) AS credentials,
    (SELECT count(*)::int FROM attachment WHERE device_id = ${id}) AS attachments`.execute(db);
  return (
    rows[0] ?? {
      lamppostId: 0,
      parent: 0,
      reference: 0,
      loop: 0,
      readings: 0,
      commands: 0,
      credentials: 0,
      attachments: 0,
    }
  );
}

/** Stored readings by device time, ascending, at most `limit`. */
export const findReadings = (db: Db, id: number, from: Date, to: Date, limit: number) =>
  db
    .selectFrom('reading')
    .select(['at', 'quality', 'values'])
    .where('device_id', '=', id)
    .where('at', '>=', from)
    .where('at', '<=', to)
    .orderBy('at')
    .limit(limit)
    .execute();

/** Whether another device has this address. */
export async function isAddressTaken(
  db: Db,
  deviceId: number,
  { wire, address }: { readonly wire?: string | undefined; readonly address?: string | undefined },
): Promise<boolean> {
  if (wire === undefined || address === undefined) return false;
  const row = await db
    .selectFrom('device_address')
    .select('device_id')
    .where('wire', '=', wire)
    .where('address', '=', address)
    .where('device_id', '<>', deviceId)
    .executeTakeFirst();
  return row !== undefined;
}

/** What a device said of a channel, by device time, ascending, at most `limit`. */
export const findChannelReadings = (db: Db, id: number, channel: number, from: Date, to: Date, limit: number) =>
  db
    .selectFrom('channel_reading')
    .select(['at', 'kind', 'quality', 'values', 'unmapped'])
    .where('device_id', '=', id)
    .where('channel', '=', channel)
    .where('at', '>=', from)
    .where('at', '<=', to)
    .orderBy('at')
    .orderBy('kind')
    .limit(limit)
    .execute();

export interface Credential {
  readonly deviceId: number;
  readonly clientId: string;
  readonly hash: Buffer;
}
/** Replaces the credentials of these devices. */
export async function putCredentials(tx: Transaction, credentials: readonly Credential[]): Promise<void> {
  await sql`WITH by_broker AS (DELETE FROM device_address
    WHERE device_id = ANY(${credentials.map((c) => c.deviceId)}::bigint[]))
    INSERT INTO device_credential (device_id, client_id, username, secret_hash, created_at)
    SELECT id, client, client, hash, now()
      FROM unnest(${credentials.map((c) => c.deviceId)}::bigint[], ${credentials.map((c) => c.clientId)}::text[],
      ${credentials.map((c) => c.hash)}::bytea[]) AS x(id, client, hash)
    ON CONFLICT (device_id) DO UPDATE SET client_id = excluded.client_id, username = excluded.username,
      secret_hash = excluded.secret_hash, created_at = excluded.created_at`.execute(tx);
}

/** By which door of its own a device comes with its new credentials, and as whom. */
export async function putAddress(tx: Transaction, deviceId: number, wire: string, address: string): Promise<void> {
  await tx.insertInto('device_address').values({ device_id: deviceId, wire, address }).execute();
}

interface ClockFound {
  readonly offsetMs: number | null;
  readonly wrongSince: Date | null;
  readonly waiting: number;
  readonly waitingSince: Date | null;
}

/**
 * What is believed of the clock of a device, or of the controller that speaks for it, server minus device, and since
 * when it is wrong (null: it is not, or nobody knows); and what waits for it to be known.
 */
export async function findClock(db: Db, id: number): Promise<ClockFound> {
  const { rows } = await sql<ClockFound>`
    SELECT l.clock_offset_ms AS "offsetMs", nullif(l.clock_wrong_since, '-infinity') AS "wrongSince", m.waiting,
      m.since AS "waitingSince" FROM device d LEFT JOIN device_latest l ON l.device_id = coalesce(d.parent_id, d.id)
    CROSS JOIN LATERAL (SELECT count(*)::int AS waiting, min(received_at) AS since FROM doubted_message
      WHERE speaker_id = coalesce(d.parent_id, d.id)) m WHERE d.id = ${id}`.execute(db);
  return rows[0] ?? { offsetMs: null, wrongSince: null, waiting: 0, waitingSince: null };
}

export const hasWorkArea = async (db: Db | Transaction, id: number): Promise<boolean> =>
  (await db.selectFrom('work_area').select('id').where('id', '=', id).executeTakeFirst()) !== undefined;
