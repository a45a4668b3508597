import { createHash, timingSafeEqual } from 'node:crypto';
import { sql } from 'kysely';
import type { SettingsOut } from '../../../../protocols/wire.ts';
import { prepared, type Db } from '../../platform/db/index.ts';

const nobody = Buffer.alloc(32);

/** Whose address was named, with the hash of the right secret, and whether that was shown. */
export interface Proof {
  readonly deviceId: number;
  readonly hash: Buffer;
  readonly right: boolean;
}

/** Whose address it is, and whether the secret is that device's; undefined: nobody's. */
export async function findByAddress(
  db: Db,
  wire: string,
  address: string,
  secret: Uint8Array,
): Promise<Proof | undefined> {
  const row = await db
    .selectFrom('device_address')
    .innerJoin('device_credential', 'device_credential.device_id', 'device_address.device_id')
    .select(['device_address.device_id', 'secret_hash'])
    .where('wire', '=', wire)
    .where('address', '=', address)
    .executeTakeFirst();
  const right = timingSafeEqual(
    createHash('sha256').update(secret).digest(),
    row?.secret_hash.length === 32 ? row.secret_hash : nobody,
  );
  return row && { deviceId: row.device_id, hash: row.secret_hash, right };
}

/** Devices with an address at these wires, all of them or of these. */
export async function findAddressed(db: Db, wires: readonly string[], ids?: readonly number[]): Promise<number[]> {
  const rows = await db
    .selectFrom('device_address')
    .select('device_id')
    .where('wire', 'in', [...wires])
    .$if(ids !== undefined, (query) => query.where('device_id', 'in', [...(ids ?? [])]))
    .execute();
  return rows.map(({ device_id }) => device_id);
}

/**
 * This process has the connection of the device from now on; returns the settings that wait for it. undefined: the
 * device has no address any more, or another secret.
 */
export async function takeLine(
  db: Db,
  { deviceId, hash }: Pick<Proof, 'deviceId' | 'hash'>,
  process: string,
): Promise<{ settings: SettingsOut | null } | undefined> {
  const row = await db
    .updateTable('device_address')
    .from('device_credential')
    .set({ holder: process })
    .where('device_address.device_id', '=', deviceId)
    .whereRef('device_credential.device_id', '=', 'device_address.device_id')
    .where('secret_hash', '=', hash)
    .returning('settings')
    .executeTakeFirst();
  return row && { settings: row.settings as SettingsOut | null };
}

/** This process has it no more; another that took it meanwhile keeps it. True: this process had it. */
export async function leaveLine(db: Db, deviceId: number, process: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('device_address')
    .set({ holder: null })
    .where('device_id', '=', deviceId)
    .where('holder', '=', process)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Which process has the connection of the device; null: none, or it has no address. */
export const findHolder = async (db: Db, deviceId: number): Promise<string | null> =>
  (await db.selectFrom('device_address').select('holder').where('device_id', '=', deviceId).executeTakeFirst())
    ?.holder ?? null;

/** Devices that this process has in the table, and that are not among these. */
export async function findLeft(db: Db, process: string, connected: readonly number[]): Promise<number[]> {
  const rows = await db
    .selectFrom('device_address')
    .select('device_id')
    .where('holder', '=', process)
    .where(sql<boolean>`device_id <> ALL(${[...connected]}::bigint[])`)
    .execute();
  return rows.map(({ device_id }) => device_id);
}

/**
 * Of these lines those that this process has no more: another has it,
 * or the device has another secret or no address.
 */
export async function findOutdated(
  db: Db,
  process: string,
  lines: readonly Pick<Proof, 'deviceId' | 'hash'>[],
): Promise<{ deviceId: number; why: 'revoked' | 'takenOver' }[]> {
  const { rows } = await sql<{ deviceId: number; why: 'revoked' | 'takenOver' }>`SELECT * FROM (
    SELECT x.id AS "deviceId", CASE WHEN c.device_id IS NULL OR a.device_id IS NULL THEN 'revoked'
      WHEN a.holder <> ${process} THEN 'takenOver' END AS why
    FROM unnest(${lines.map((line) => line.deviceId)}::bigint[], ${lines.map((line) => line.hash)}::bytea[]) x(id, hash)
      LEFT JOIN device_address a ON a.device_id = x.id
      LEFT JOIN device_credential c ON c.device_id = x.id AND c.secret_hash = x.hash) l WHERE why IS NOT NULL`.execute(
    db,
  );
  return rows;
}

export async function keepSettings(db: Db, deviceId: number, settings: SettingsOut | null): Promise<void> {
  await db
    .updateTable('device_address')
    .set({ settings: settings === null ? null : JSON.stringify(settings) })
    .where('device_id', '=', deviceId)
    .execute();
}

export const findSettings = async (db: Db, deviceId: number): Promise<SettingsOut | null> =>
  ((await db.selectFrom('device_address').select('settings').where('device_id', '=', deviceId).executeTakeFirst())
    ?.settings ?? null) as SettingsOut | null;

/**
 * Says that this process is there. Another that thought it dead freed its lines: those that nobody took are its own
 * again, and returned.
 */
export async function holdLines(
  db: Db,
  process: string,
  leaseMs: number,
  deviceIds: readonly number[],
): Promise<number[]> {
  const { rows } = await sql<{ fresh: boolean }>`${prepared('hold lines')}
    INSERT INTO line_holder AS h (process, until) VALUES (${process}, now() + ${leaseMs} * interval '1 ms')
    ON CONFLICT (process) DO UPDATE SET until = excluded.until RETURNING h.xmax = 0 AS fresh`.execute(db);
  if (!rows[0]?.fresh || deviceIds.length === 0) return [];
  const { rows: back } = await sql<{ id: number }>`UPDATE device_address SET holder = ${process} WHERE holder IS NULL
    AND device_id = ANY(${[...deviceIds]}::bigint[]) RETURNING device_id AS id`.execute(db);
  return back.map(({ id }) => id);
}

/** Frees the lines of processes that are not there any more; returns whose lines they were. */
export async function freeLost(db: Db): Promise<number[]> {
  return await db.transaction().execute(async (tx) => {
    const lost = await sql<{
      process: string;
    }>`SELECT process FROM line_holder WHERE until < now() FOR UPDATE SKIP LOCKED`.execute(tx);
    if (lost.rows.length === 0) return [];
    const processes = lost.rows.map(({ process }) => process);
    const { rows } = await sql<{
      id: number;
    }>`UPDATE device_address SET holder = NULL WHERE holder = ANY(${processes}::text[])
      RETURNING device_id AS id`.execute(tx);
    await tx.deleteFrom('line_holder').where('process', 'in', processes).execute();
    return rows.map(({ id }) => id);
  });
}

/** This process ends: it has no line any more. */
export async function holdNone(db: Db, process: string): Promise<void> {
  await db.deleteFrom('line_holder').where('process', '=', process).execute();
}
