import type { Db, Transaction } from '../../platform/db/index.ts';

class TakenBack extends Error {}

/** Does the work in a transaction that is rolled back: what it would do, found out by doing it. */
export async function tried<T>(db: Db, work: (tx: Transaction) => Promise<T>): Promise<T> {
  let result: { readonly value: T } | undefined;
  try {
    await db.transaction().execute(async (tx) => {
      result = { value: await work(tx) };
      throw new TakenBack();
    });
  } catch (thrown) {
    if (!(thrown instanceof TakenBack)) throw thrown;
  }
  if (!result) throw new Error('a trial without a result');
  return result.value;
}
