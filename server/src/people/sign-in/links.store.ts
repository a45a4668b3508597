import type { Db, Transaction } from '../../platform/db/index.ts';

export async function insert(tx: Transaction, hash: Buffer, accountId: number, expiresAt: Date): Promise<void> {
  await tx
    .insertInto('sign_in_link')
    .values({ code_hash: hash, account_id: accountId, expires_at: expiresAt })
    .execute();
}

/** Whose link has this code; undefined: there is none, or it has expired. */
export async function findAccountId(db: Db, hash: Buffer, now: Date): Promise<number | undefined> {
  const row = await db
    .selectFrom('sign_in_link')
    .select('account_id')
    .where('code_hash', '=', hash)
    .where('expires_at', '>', now)
    .executeTakeFirst();
  return row?.account_id;
}

/** Removes a link and says whose it was. */
export const take = (db: Db, hash: Buffer) =>
  db
    .deleteFrom('sign_in_link')
    .where('code_hash', '=', hash)
    .returning(['account_id as accountId', 'expires_at as expiresAt'])
    .executeTakeFirst();

export async function removeExpired(db: Db, now: Date): Promise<void> {
  await db.deleteFrom('sign_in_link').where('expires_at', '<=', now).execute();
}

/** Ends the links of an account whose password changed, like its sessions. */
export async function endSignInLinks(tx: Transaction, accountId: number): Promise<void> {
  await tx.deleteFrom('sign_in_link').where('account_id', '=', accountId).execute();
}
