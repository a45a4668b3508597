import type { Clock } from '../../platform/clock.ts';
import type { Db, Transaction } from '../../platform/db/index.ts';

const goodForMs = 10 * 60_000;

/** Who may change a password without a session: 10 minutes after a sign-in from the same address that asked for it. */
export function createGrants({ db, clock }: { db: Db; clock: Clock }) {
  return {
    async give(tx: Transaction, accountId: number, address: string): Promise<void> {
      const expiresAt = new Date(clock.now().getTime() + goodForMs);
      await tx
        .insertInto('password_change_grant')
        .values({ account_id: accountId, address, expires_at: expiresAt })
        .onConflict((conflict) => conflict.columns(['account_id', 'address']).doUpdateSet({ expires_at: expiresAt }))
        .execute();
    },
    async holds(accountId: number, address: string): Promise<boolean> {
      const grant = await db
        .selectFrom('password_change_grant')
        .select('account_id')
        .where('account_id', '=', accountId)
        .where('address', '=', address)
        .where('expires_at', '>', clock.now())
        .executeTakeFirst();
      return grant !== undefined;
    },
    async takeBack(tx: Transaction, accountId: number): Promise<void> {
      await tx.deleteFrom('password_change_grant').where('account_id', '=', accountId).execute();
    },
    async sweep(): Promise<void> {
      await db.deleteFrom('password_change_grant').where('expires_at', '<=', clock.now()).execute();
    },
  };
}

export type Grants = ReturnType<typeof createGrants>;

/** Remembers that an account signed in from an address: there the lock over all addresses does not hold. */
export async function rememberAddress(tx: Transaction, accountId: number, address: string, now: Date): Promise<void> {
  await tx
    .insertInto('known_address')
    .values({ account_id: accountId, address, last_at: now })
    .onConflict((conflict) => conflict.columns(['account_id', 'address']).doUpdateSet({ last_at: now }))
    .execute();
}
