import { sql } from 'kysely';
import type { Db, Transaction } from '../../platform/db/index.ts';
import type { Plan } from './plan.ts';

export interface StoredMapping {
  readonly id: number;
  readonly family: string;
  readonly headings: readonly string[];
  readonly plan: Plan;
  readonly encoding: string | null;
  readonly usedAt: Date;
}

/** So many an account: the ones not used for longest go. */
const mostKept = 200;
const columns = sql`id, family, headings, plan, encoding, used_at AS "usedAt"`;

/**
 * Keeps what an account said of a file for its next file with the same headings. What was said of places is of this
 * file alone.
 */
export async function keepMapping(
  tx: Transaction,
  one: {
    accountId: number;
    family: string;
    fingerprint: string;
    headings: readonly string[];
    plan: Plan;
    encoding: string | null;
    at: Date;
  },
): Promise<void> {
  const plan: Plan = { ...one.plan, acceptFar: false, acceptPlace: false };
  await sql`INSERT INTO import_mapping (account_id, family, fingerprint, headings, plan, encoding, used_at)
    VALUES (${one.accountId}, ${one.family}, ${one.fingerprint}, ${JSON.stringify(one.headings)}::jsonb,
      ${JSON.stringify(plan)}::jsonb, ${one.encoding}, ${one.at})
    ON CONFLICT (account_id, family, fingerprint) DO UPDATE SET headings = excluded.headings, plan = excluded.plan,
      encoding = excluded.encoding, used_at = excluded.used_at`.execute(tx);
  await sql`DELETE FROM import_mapping WHERE account_id = ${one.accountId}
    AND id NOT IN (SELECT id FROM import_mapping WHERE account_id = ${one.accountId} ORDER BY used_at DESC, id DESC
    LIMIT ${mostKept})`.execute(tx);
}

export async function findMapping(
  db: Db,
  accountId: number,
  family: string,
  fingerprint: string,
): Promise<StoredMapping | undefined> {
  const { rows } = await sql<StoredMapping>`SELECT ${columns} FROM import_mapping
      WHERE account_id = ${accountId} AND family = ${family} AND fingerprint = ${fingerprint}`.execute(db);
  return rows[0];
}

export async function findMappings(db: Db, accountId: number, family: string | undefined): Promise<StoredMapping[]> {
  const { rows } = await sql<StoredMapping>`SELECT ${columns} FROM import_mapping
      WHERE account_id = ${accountId} AND (${family ?? null}::text IS NULL OR family = ${family ?? null})
      ORDER BY used_at DESC, id DESC LIMIT ${mostKept}`.execute(db);
  return rows;
}

/** Returns whether it was the account's, and is gone. */
export async function deleteMapping(tx: Transaction, accountId: number, id: number): Promise<boolean> {
  const { rows } =
    await sql`DELETE FROM import_mapping WHERE id = ${id} AND account_id = ${accountId} RETURNING id`.execute(tx);
  return rows.length > 0;
}
