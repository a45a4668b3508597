import { sql } from 'kysely';
import { takeLock, type Db, type Transaction } from '../../platform/db/index.ts';
import { healFaults } from '../../register/episodes/index.ts';
import { lockLog } from './outages.ts';

/** Longer than this nobody looked: what was not heard meanwhile says nothing about devices. */
export const gapMs = 90_000;
/** A clock that goes back by more was set. */
const backMs = 5000;

interface Watch {
  readonly seenAt: Date;
  readonly countsFrom: Date;
}
const read = async (db: Db): Promise<Watch | undefined> =>
  (await sql<Watch>`SELECT seen_at AS "seenAt", counts_from AS "countsFrom" FROM connection_watch`.execute(db)).rows[0];

/**
 * Since when silence counts. After a time in which nobody listened (the server was down, frozen, without broker or
 * database, or its clock was set) it counts from its end: what is silent then has as long to be heard of as ever.
 */
export async function silenceCountsFrom(tx: Transaction, now: Date): Promise<Date> {
  const watch = await read(tx);
  // Nobody has ever listened: what is stored was brought along and counts as it is.
  if (!watch) return new Date(0);
  return isWhole(watch, now) ? watch.countsFrom : now;
}

const isWhole = ({ seenAt }: Watch, now: Date): boolean =>
  now.getTime() - seenAt.getTime() <= gapMs && seenAt.getTime() - now.getTime() <= backMs;

/**
 * Somebody listens now. Writes down the gap when nobody did for long; tells when the clock was set back: what is due
 * then has to be found anew.
 */
export async function keepWatch(db: Db, now: Date): Promise<{ readonly setBack: boolean }> {
  return db.transaction().execute(async (tx) => {
    await takeLock(tx, 'connectionWatch');
    const watch = await read(tx);
    if (watch && isWhole(watch, now)) {
      await sql`UPDATE connection_watch SET seen_at = ${now}`.execute(tx);
      return { setBack: false };
    }
    const setBack = watch !== undefined && watch.seenAt > now;
    if (setBack) await healClocks(tx, now);
    else if (watch)
      await sql`INSERT INTO connection_gap (began_at, ended_at) VALUES (${watch.seenAt}, ${now})`.execute(tx);
    await sql`INSERT INTO connection_watch (seen_at, counts_from) VALUES (${now}, ${watch ? now : new Date(0)})
      ON CONFLICT (single) DO UPDATE SET seen_at = excluded.seen_at, counts_from = excluded.counts_from`.execute(tx);
    return { setBack };
  });
}

/**
 * The clock was set back: what seems to have come later than now came before; else nothing newer would ever take its
 * place.
 */
async function healClocks(tx: Transaction, now: Date): Promise<void> {
  await sql`UPDATE device_latest SET at = least(at, ${now}), received_at = least(received_at, ${now}),
    heard_at = least(heard_at, ${now}) WHERE received_at > ${now} OR heard_at > ${now}`.execute(tx);
  await lockLog(tx);
  await sql`UPDATE connection_log SET began_at = least(began_at, ${now}), noticed_at = least(noticed_at, ${now}),
    last_at = least(last_at, ${now}), ended_at = least(ended_at, ${now})
    WHERE noticed_at > ${now} OR ended_at > ${now}`.execute(tx);
  await healFaults(tx, now);
  await sql`UPDATE connection_gap SET began_at = least(began_at, ${now}), ended_at = ${now}
    WHERE ended_at > ${now}`.execute(tx);
}
