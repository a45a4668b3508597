import { sql } from 'kysely';
import { expect } from 'vitest';
import type { Db } from '../platform/db/index.ts';

/** Keeps a row from everybody else while the work goes on. */
export const whileKept = <T>(db: Db, table: 'device' | 'loop', id: number, work: () => Promise<T>): Promise<T> =>
  db.transaction().execute(async (tx) => {
    await sql`SELECT FROM ${sql.table(table)} WHERE id = ${id} FOR UPDATE`.execute(tx);
    return work();
  });

/** Whether nobody keeps a row. */
export const isFree = (db: Db, table: 'device' | 'loop', id: number): Promise<boolean> =>
  db
    .transaction()
    .execute(
      async (tx) =>
        (await sql`SELECT FROM ${sql.table(table)} WHERE id = ${id} FOR UPDATE SKIP LOCKED`.execute(tx)).rows.length ===
        1,
    );

/** Resolves when so many queries wait for a lock. */
export const lockWaiters = (db: Db, count: number): Promise<void> =>
  expect
    .poll(
      async () =>
        (
          await sql`SELECT FROM pg_stat_activity WHERE datname = current_database()
            AND wait_event_type = 'Lock'`.execute(db)
        ).rows.length,
      { timeout: 20_000 },
    )
    .toBe(count);

/** Lets work wait for its first row and tells whether its last one was free by then; the work is brought to its end. */
export async function whileWaiting<T>(
  db: Db,
  table: 'device' | 'loop',
  rows: { readonly first: number; readonly last: number },
  work: () => Promise<T>,
): Promise<{ free: boolean; done: T }> {
  const { free, begun } = await whileKept(db, table, rows.first, async () => {
    const waiting = work();
    await lockWaiters(db, 1);
    return { free: await isFree(db, table, rows.last), begun: waiting };
  });
  return { free, done: await begun };
}

/** The next write to a table ends as the loser of a deadlock does; those after it go through. */
export async function loseOnce(
  db: Db,
  table: 'operation_log' | 'import',
  event: 'INSERT' | 'UPDATE OF state',
): Promise<void> {
  // A sequence is the only thing that a rollback does not take back.
  await sql`CREATE SEQUENCE lost; CREATE FUNCTION lose_once() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    IF nextval('lost') = 1 THEN RAISE deadlock_detected; END IF; RETURN NEW; END $$;
    CREATE TRIGGER lose_once BEFORE ${sql.raw(event)}
      ON ${sql.table(table)} FOR EACH ROW EXECUTE FUNCTION lose_once()`.execute(db);
}
