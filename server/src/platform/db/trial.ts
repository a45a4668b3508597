import { AsyncLocalStorage } from 'node:async_hooks';
import { sql } from 'kysely';
import { currentDryRun } from '../dry-run.ts';
import type { Db, Transaction } from './database.ts';

class TakenBack extends Error {}

const trials = new AsyncLocalStorage<object>();

/** Does the work in a transaction that is rolled back: what it would do, found out by doing it. */
export async function tried<T>(db: Db, work: (tx: Transaction) => Promise<T>): Promise<T> {
  let result: { readonly value: T } | undefined;
  try {
    await db.transaction().execute(async (tx) => {
      result = { value: await trials.run({}, () => work(tx)) };
      throw new TakenBack();
    });
  } catch (thrown) {
    if (!(thrown instanceof TakenBack)) throw thrown;
  }
  if (!result) throw new Error('a trial without a result');
  return result.value;
}

/** The same within a transaction that goes on: what it wrote before is seen, and is kept. */
export async function triedWithin<T>(db: Db, tx: Transaction, work: (tx: Transaction) => Promise<T>): Promise<T> {
  // Transactions of a dry run are savepoints, and it counts what they take back.
  if (currentDryRun()) return tried(db, work);
  await sql`SAVEPOINT tried`.execute(tx);
  try {
    return await trials.run({}, () => work(tx));
  } finally {
    await sql`ROLLBACK TO SAVEPOINT tried`.execute(tx);
    await sql`RELEASE SAVEPOINT tried`.execute(tx);
  }
}

/** The trial, or the dry run, that this work belongs to: what it reads holds for it alone, and is never kept for others. */
export const currentTrial = (): object | undefined => trials.getStore() ?? currentDryRun();
