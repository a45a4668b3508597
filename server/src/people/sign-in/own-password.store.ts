import type { Db, Transaction } from '../../platform/db/index.ts';

/** Counts one more try of a session and says how many there are; undefined: `most` are used up, or it has ended. */
export async function countTry(db: Db, sessionId: number, most: number): Promise<number | undefined> {
  const row = await db
    .updateTable('session')
    .set((session) => ({ operator_password_failures: session('operator_password_failures', '+', 1) }))
    .where('id', '=', sessionId)
    .where('operator_password_failures', '<', most)
    .returning('operator_password_failures as tries')
    .executeTakeFirst();
  return row?.tries;
}

export async function forgetTries(tx: Transaction, sessionId: number): Promise<void> {
  await tx.updateTable('session').set({ operator_password_failures: 0 }).where('id', '=', sessionId).execute();
}
