import { sql } from 'kysely';
import type { Db, Transaction } from '../../platform/db/index.ts';

/** The time zone of the first of some work areas. */
export async function findTimeZone(db: Db, workAreas: readonly number[] | 'all'): Promise<string | undefined> {
  const all = db.selectFrom('work_area').select('time_zone').orderBy('id').limit(1);
  const row = await (workAreas === 'all' ? all : all.where('id', 'in', [0, ...workAreas])).executeTakeFirst();
  return row?.time_zone;
}

export async function countWorkAreas(db: Db): Promise<number> {
  const { n } = await db
    .selectFrom('work_area')
    .select((row) => row.fn.countAll<number>().as('n'))
    .executeTakeFirstOrThrow();
  return n;
}

export async function findPreferences(db: Db, accountId: number) {
  const row = await db
    .selectFrom('account')
    .select('preferences')
    .where('id', '=', accountId)
    .executeTakeFirstOrThrow();
  return row.preferences;
}

export async function writePreferences(db: Db, accountId: number, preferences: string): Promise<void> {
  await db.updateTable('account').set({ preferences }).where('id', '=', accountId).execute();
}

/** Sets the names that `given` has and takes away those that are null; returns the whole. */
export async function mergePreferences(tx: Transaction, accountId: number, given: Readonly<Record<string, unknown>>) {
  const removed = Object.keys(given).filter((name) => given[name] === null);
  const { preferences } = await tx
    .updateTable('account')
    .set({ preferences: sql`(preferences || ${JSON.stringify(given)}::jsonb) - ${removed}::text[]` })
    .where('id', '=', accountId)
    .returning('preferences')
    .executeTakeFirstOrThrow();
  return preferences;
}
