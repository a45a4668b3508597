import { sql } from 'kysely';
import type { Db, Transaction } from '../../platform/db/index.ts';

/** A newcomer and its batch, as the path of its messages needs them. */
export interface KnownNewcomer {
  readonly id: number;
  readonly state: string;
  readonly deviceId: number | null;
  readonly secretHash: Buffer | null;
  readonly family: string | null;
  readonly families: readonly string[];
  readonly open: boolean;
  /** Claimed, but the broker does not know its account yet. */
  readonly isPending: boolean;
}

export const findNewcomer = async (
  db: Db,
  batchId: number,
  serial: string,
  now: Date,
): Promise<KnownNewcomer | undefined> => {
  const { rows } =
    await sql<KnownNewcomer>`SELECT n.id, n.state, n.device_id AS "deviceId", n.secret_hash AS "secretHash", n.family,
      b.families,
    b.enabled AND (b.expires_at IS NULL OR b.expires_at > ${now}) AS open, n.state = 'claimed'
      AND n.secret_sealed IS NOT NULL AS "isPending"
    FROM newcomer n JOIN batch b ON b.id = n.batch_id WHERE n.batch_id = ${batchId} AND n.serial = ${serial}`.execute(
      db,
    );
  return rows[0];
};

/** Why a member of a batch is not let in. */
export type NotAdmitted = 'unknownUser' | 'batchDisabled' | 'batchExpired' | 'batchFull' | 'blocked';

/**
 * Lets a member of a batch in: notes that it came, a new serial while there are places. null: it may. One after the
 * other for each batch.
 */
export function admit(
  db: Db,
  { batchId, serial, address, at }: { batchId: number; serial: string; address: string | null; at: Date },
): Promise<NotAdmitted | null> {
  return db.transaction().execute(async (tx) => {
    const batch = await tx
      .selectFrom('batch')
      .select(['enabled', 'expires_at', 'max_devices'])
      .where('id', '=', batchId)
      .forNoKeyUpdate()
      .executeTakeFirst();
    if (!batch) return 'unknownUser';
    if (!batch.enabled) return 'batchDisabled';
    if (batch.expires_at !== null && batch.expires_at <= at) return 'batchExpired';
    const known = await tx
      .selectFrom('newcomer')
      .select(['id', 'state'])
      .where('batch_id', '=', batchId)
      .where('serial', '=', serial)
      .executeTakeFirst();
    if (known?.state === 'blocked') return 'blocked';
    if (known) {
      await tx
        .updateTable('newcomer')
        .set({ last_at: at, ...(address === null ? {} : { address }) })
        .where('id', '=', known.id)
        .execute();
    } else {
      if ((await placesTaken(tx, batchId)) >= batch.max_devices) return 'batchFull';
      await tx
        .insertInto('newcomer')
        .values({ batch_id: batchId, serial, first_at: at, last_at: at, address })
        .execute();
    }
    await tx.updateTable('batch').set({ last_used_at: at }).where('id', '=', batchId).execute();
    return null;
  });
}

async function placesTaken(tx: Transaction, batchId: number): Promise<number> {
  const { n } = await tx
    .selectFrom('newcomer')
    .select(({ fn }) => fn.countAll<number>().as('n'))
    .where('batch_id', '=', batchId)
    .where('state', '<>', 'blocked')
    .executeTakeFirstOrThrow();
  return Number(n);
}

export async function noteDenied(
  db: Db,
  batchId: number,
  denied: { readonly at: string; readonly serial: string; readonly reason: string },
): Promise<void> {
  await db
    .updateTable('batch')
    .set({ last_denied: JSON.stringify(denied) })
    .where('id', '=', batchId)
    .execute();
}

export interface KeptPayload {
  readonly at: string;
  readonly kind: string;
  readonly text: string;
  readonly problem: string | null;
}
export interface Heard {
  readonly at: Date;
  readonly messages: number;
  readonly payload: KeptPayload;
  readonly family: string | null;
  readonly hello: Readonly<Record<string, unknown>> | null;
  readonly secret: { readonly hash: Buffer; readonly sealed: string } | null;
}
/** How many of the last payloads of a newcomer are kept. */
const mostPayloads = 5;

/** Keeps what a newcomer said; its first secret stays whatever comes later. */
export async function keep(db: Db, id: number, { at, messages, payload, family, hello, secret }: Heard): Promise<void> {
  await sql`UPDATE newcomer SET last_at = ${at}, messages = messages + ${messages},
    family = coalesce(${family}, family),
    hello = coalesce(${hello === null ? null : JSON.stringify(hello)}::jsonb, hello),
    secret_hash = coalesce(secret_hash, ${secret?.hash ?? null}),
    secret_sealed = CASE WHEN secret_hash IS NULL THEN ${secret?.sealed ?? null} ELSE secret_sealed END,
    payloads = jsonb_path_query_array(jsonb_build_array(${JSON.stringify(payload)}::jsonb) || payloads,
      ${sql.lit(`$[0 to ${mostPayloads - 1}]`)})
    WHERE id = ${id}`.execute(db);
}

/** Only that it still speaks, and how often. */
export async function touch(db: Db, id: number, at: Date, messages: number): Promise<void> {
  await sql`UPDATE newcomer SET last_at = ${at}, messages = messages + ${messages} WHERE id = ${id}`.execute(db);
}

export async function markDoubt(db: Db, id: number, doubt: 'secret' | 'address', at: Date): Promise<void> {
  await db.updateTable('newcomer').set({ doubt, doubt_at: at }).where('id', '=', id).execute();
}
