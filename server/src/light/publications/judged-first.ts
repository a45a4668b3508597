import { takeLock, triedWithin, type Db, type Transaction } from '../../platform/db/index.ts';
import { currentDryRun } from '../../platform/dry-run.ts';
import { stampOf } from './stamp.store.ts';

/**
 * One change of planned light is made at a time, so that two at the same moment see each other. Before other locks of the
 * change, except that of a road's rows. A dry run waits for nobody.
 */
export async function lockPlannedLight(tx: Transaction): Promise<void> {
  if (!currentDryRun()) await takeLock(tx, 'plannedLight');
}

interface Judging<T> {
  /** The lamps of the change. */
  readonly lamps: readonly { readonly id: number }[];
  readonly now: Date;
  /** It may write: it is taken back. */
  readonly judge: (trial: Transaction) => Promise<T>;
}

/**
 * Judges a change of planned light and takes the lock; the answer tells what was found, by what holds under the lock.
 * Thousands of lamps are judged for seconds: others wait for a judgement only where something that it rests on became
 * another between it and the lock, as it is made once more then.
 */
export async function judgedFirst<T>(
  db: Db,
  tx: Transaction,
  { lamps, now, judge }: Judging<T>,
): Promise<() => Promise<T>> {
  const judged = () => triedWithin(db, tx, judge);
  if (currentDryRun()) return judged;
  const stamp = () =>
    stampOf(
      tx,
      lamps.map(({ id }) => id),
      now,
    );
  const before = await stamp();
  const found = await judged();
  await lockPlannedLight(tx);
  return async () => ((await stamp()) === before ? found : judged());
}
