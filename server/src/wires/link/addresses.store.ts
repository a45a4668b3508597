import { createHash, timingSafeEqual } from 'node:crypto';
import { sql } from 'kysely';
import type { SettingsOut } from '../../../../protocols/wire.ts';
import { prepared, type Db } from '../../platform/db/index.ts';

const nobody = Buffer.alloc(32);

/** Whose address it is, and whether the secret is that device's; undefined: nobody's. */
export async function findByAddress(
  db: Db,
  wire: string,
  address: string,
  secret: Uint8Array,
): Promise<{ deviceId: number; right: boolean } | undefined> {
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
  return row && { deviceId: row.device_id, right };
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

/** This process has the connection of the device from now on; returns the settings that wait for it. */
export async function takeLine(db: Db, deviceId: number, process: string): Promise<SettingsOut | null> {
  const row = await db
    .updateTable('device_address')
    .set({ holder: process })
    .where('device_id', '=', deviceId)
    .returning('settings')
    .executeTakeFirst();
  return (row?.settings ?? null) as SettingsOut | null;
}

/** This process has it no more; another that took it meanwhile keeps it. */
export async function leaveLine(db: Db, deviceId: number, process: string): Promise<void> {
  await db
    .updateTable('device_address')
    .set({ holder: null })
    .where('device_id', '=', deviceId)
    .where('holder', '=', process)
    .execute();
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

/** Says that this process is there, and has these lines, also where another thought it dead. */
export async function holdLines(db: Db, process: string, leaseMs: number, deviceIds: readonly number[]): Promise<void> {
  const { rows } = await sql<{ fresh: boolean }>`${prepared('hold lines')}
    INSERT INTO line_holder AS h (process, until) VALUES (${process}, now() + ${leaseMs} * interval '1 ms')
    ON CONFLICT (process) DO UPDATE SET until = excluded.until RETURNING h.xmax = 0 AS fresh`.execute(db);
  if (rows[0]?.fresh && deviceIds.length > 0)
    await sql`UPDATE device_address SET holder = ${process} WHERE holder IS NULL
      AND device_id = ANY(${[...deviceIds]}::bigint[])`.execute(db);
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
