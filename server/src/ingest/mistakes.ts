import { sql } from 'kysely';
import pg from 'pg';
import type { Db } from '../platform/db/index.ts';

/**
 * Whether a batch failed for a mistake of the program, so that trying again does not help. A connection that breaks
 * tells of it with a plain Error, with several at once, or the database tells itself; and only while the database
 * answers is anything else believed.
 */
export async function isMistake(thrown: unknown, db: Db): Promise<boolean> {
  if (
    thrown instanceof pg.DatabaseError ||
    thrown instanceof AggregateError ||
    (thrown instanceof Error && thrown.constructor === Error)
  )
    return false;
  return sql`SELECT 1`.execute(db).then(
    () => true,
    () => false,
  );
}
