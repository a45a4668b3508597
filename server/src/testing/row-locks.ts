import { sql } from 'kysely';
import { expect } from 'vitest';
import type { Db } from '../platform/db/index.ts';

/** Keeps a row from everybody else until the returned function is called. */
export async function keepRow(db: Db, table: 'device' | 'loop', id: number): Promise<() => Promise<void>> {
  const [kept, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const whole = db.transaction().execute(async (tx) => {
    await sql`SELECT FROM ${sql.table(table)} WHERE id = ${id} FOR UPDATE`.execute(tx);
    kept.resolve();
    await released.promise;
  });
  await Promise.race([kept.promise, whole]);
  return async () => {
    released.resolve();
    await whole;
  };
}

/** Whether nobody keeps a row. */
export const isFree = (db: Db, table: 'device' | 'loop', id: number): Promise<boolean> =>
  db.transaction().execute(async (tx) => (await sql`SELECT FROM ${sql.table(table)} WHERE id = ${id} FOR UPDATE SKIP LOCKED`.execute(tx)).rows.length === 1);

/** Resolves when so many queries wait for a lock. */
export const lockWaiters = (db: Db, count: number): Promise<void> => expect.poll(async () =>
  (await sql`SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`.execute(db)).rows.length, { timeout: 20_000 }).toBe(count);
