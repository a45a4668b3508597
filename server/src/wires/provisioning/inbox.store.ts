import { sql, type RawBuilder, type SqlBool } from 'kysely';
import type { Db, Transaction } from '../../platform/db/index.ts';
import { countRows } from '../../platform/db/counting.ts';
import { searchPatterns } from '../../platform/search-words.ts';
import type { KeptPayload } from './newcomers.store.ts';

export interface StoredNewcomer {
  readonly id: number;
  readonly batchId: number;
  readonly batchName: string;
  readonly workId: number;
  readonly workName: string;
  readonly serial: string;
  readonly state: 'waiting' | 'claimed' | 'blocked';
  readonly firstAt: Date;
  readonly lastAt: Date;
  readonly address: string | null;
  readonly messages: number;
  readonly hello: {
    readonly model?: string;
    readonly firmware?: string;
    readonly name?: string;
    readonly longitude?: number;
    readonly latitude?: number;
  } | null;
  readonly family: string | null;
  readonly families: readonly string[];
  readonly secretSealed: string | null;
  readonly ready: boolean;
  readonly doubt: 'secret' | 'address' | 'elsewhere' | null;
  readonly doubtAt: Date | null;
  readonly payloads: readonly KeptPayload[];
  readonly deviceId: number | null;
  readonly deviceCode: string | null;
  readonly deviceFamily: string | null;
  readonly claimedAt: Date | null;
  readonly claimedBy: string | null;
  readonly arrivedAt: Date | null;
  readonly visible: boolean;
}

const columns = sql`n.id, n.batch_id AS "batchId", b.name AS "batchName", b.work_area_id AS "workId",
  a.work_name AS "workName", n.serial, n.state, n.first_at AS "firstAt", n.last_at AS "lastAt",
  n.address, n.messages, n.hello, n.family, b.families, n.secret_sealed AS "secretSealed",
  n.secret_hash IS NOT NULL AS ready,
  coalesce(n.doubt, CASE WHEN EXISTS (SELECT 1 FROM newcomer o
  WHERE o.serial = n.serial AND o.id <> n.id AND o.state <> 'blocked') THEN 'elsewhere' END) AS doubt,
  n.doubt_at AS "doubtAt",
  n.device_id AS "deviceId", d.equipment_code AS "deviceCode", d.family AS "deviceFamily", n.claimed_at AS "claimedAt",
  n.claimed_by AS "claimedBy",
  CASE WHEN l.received_at >= n.claimed_at OR l.connected THEN greatest(l.received_at, n.claimed_at) END AS "arrivedAt"`;
const from = sql`FROM newcomer n JOIN batch b ON b.id = n.batch_id JOIN work_area a ON a.id = b.work_area_id
  LEFT JOIN device d ON d.id = n.device_id LEFT JOIN device_latest l ON l.device_id = n.device_id`;

export interface InboxQuery {
  readonly state?: string;
  readonly batchId?: number;
  readonly family?: string;
  readonly q?: string;
}

const pattern = (text: string): string => `%${text.replaceAll(/[\\%_]/g, (sign) => `\\${sign}`)}%`;
const matching = (visible: RawBuilder<SqlBool>, { state, batchId, family, q }: InboxQuery) =>
  sql.join(
    [
      visible,
      ...(state === undefined ? [] : [sql`n.state = ${state}`]),
      ...(batchId === undefined ? [] : [sql`n.batch_id = ${batchId}`]),
      ...(family === undefined ? [] : [sql`n.family = ${family}`]),
      ...(q === undefined || q.trim() === ''
        ? []
        : [sql`(n.serial ILIKE ${pattern(q.trim())} OR n.hello ->> 'model' ILIKE ${pattern(q.trim())})`]),
    ],
    sql` AND `,
  );

export async function findNewcomers(
  db: Db,
  visible: RawBuilder<SqlBool>,
  query: InboxQuery,
  page: { limit: number; offset: number },
) {
  const where = matching(visible, query);
  const [{ rows }, count] = await Promise.all([
    sql<StoredNewcomer>`SELECT ${columns}, '[]'::jsonb AS payloads, true AS visible ${from} WHERE ${where}
      ORDER BY n.first_at DESC, n.id DESC LIMIT ${page.limit} OFFSET ${page.offset}`.execute(db),
    countRows(db, sql`SELECT 1 FROM newcomer n JOIN batch b ON b.id = n.batch_id WHERE ${where}`),
  ]);
  return { rows, count };
}

/** One newcomer, whoever may see it; `lock` keeps others from claiming it meanwhile. */
export async function findNewcomerById(
  db: Db | Transaction,
  id: number,
  visible: RawBuilder<SqlBool>,
  lock = false,
): Promise<StoredNewcomer | undefined> {
  if (lock) await sql`SELECT 1 FROM newcomer WHERE id = ${id} FOR UPDATE`.execute(db);
  const { rows } =
    await sql<StoredNewcomer>`SELECT ${columns}, n.payloads, ${visible} AS visible ${from} WHERE n.id = ${id}`.execute(
      db,
    );
  return rows[0];
}

export interface Candidate {
  readonly id: number;
  readonly family: string;
  readonly code: string;
  readonly name: string | null;
  readonly hasCredentials: boolean;
}
const candidate = sql`SELECT d.id, d.family, d.equipment_code AS code, d.equipment_name AS name,
  c.device_id IS NOT NULL AS "hasCredentials" FROM device d LEFT JOIN device_credential c ON c.device_id = d.id`;

/** Registered devices that have this code, in a work area. */
export async function findByCode(
  db: Db,
  visible: RawBuilder<SqlBool>,
  workAreaId: number,
  families: readonly string[],
  code: string,
): Promise<Candidate[]> {
  const { rows } = await sql<Candidate>`${candidate} WHERE ${visible} AND d.work_area_id = ${workAreaId}
      AND d.family = ANY(${[...families]}::text[])
    AND d.code_key = lower(normalize(${code}, NFKC)) LIMIT 5`.execute(db);
  return rows;
}

/** Devices of these families without credentials, found as the global search finds them, by code. */
export async function findConnectable(
  db: Db,
  visible: RawBuilder<SqlBool>,
  families: readonly string[],
  q: string | undefined,
  workArea: number | undefined,
  limit: number,
): Promise<Candidate[]> {
  const like = sql.join(
    [sql`true`, ...searchPatterns(q ?? '').map((word) => sql`d.search_key LIKE ${word}`)],
    sql` AND `,
  );
  const area = workArea === undefined ? sql`true` : sql`d.work_area_id = ${workArea}`;
  const { rows } = await sql<Candidate>`${candidate} WHERE c.device_id IS NULL AND ${visible} AND ${area}
      AND d.family = ANY(${[...families]}::text[]) AND ${like}
    ORDER BY d.equipment_code COLLATE natural_order, d.id LIMIT ${limit}`.execute(db);
  return rows;
}

export interface LockedDevice {
  readonly family: string;
  readonly hasCredentials: boolean;
  readonly visible: boolean;
}
/** Locks a device and tells whether it has credentials and may be seen; undefined: it is gone. */
export async function lockDevice(
  tx: Transaction,
  id: number,
  visible: RawBuilder<SqlBool>,
): Promise<LockedDevice | undefined> {
  const { rows } = await sql<LockedDevice>`SELECT d.family, ${visible} AS visible,
      EXISTS (SELECT 1 FROM device_credential c WHERE c.device_id = d.id) AS "hasCredentials"
    FROM device d WHERE d.id = ${id} FOR UPDATE OF d`.execute(tx);
  return rows[0];
}
