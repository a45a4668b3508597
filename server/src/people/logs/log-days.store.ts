import { sql } from 'kysely';
import type { Db } from '../../platform/db/index.ts';
import type { Days } from './days.ts';
import { columns, type LogName, type LogRows } from './log-rows.query.ts';

// Small enough that the database and its core are soon free again for others.
const batch = 500;

/**
 * The rows of these days, newest first, in batches; each batch begins where the last one ended, so that nothing is held
 * open meanwhile, and is read while the one before it is written. Rows written after the last of the days, or pruned,
 * do not disturb.
 */
export async function* readDays<L extends LogName>(db: Db, log: L, days: Days): AsyncGenerator<LogRows[L][]> {
  let rows = await readBatch(db, log, days, undefined);
  while (rows.length > 0) {
    const end = rows.length < batch ? undefined : rows.at(-1);
    const next = end ? readBatch(db, log, days, end) : Promise.resolve([]);
    // Whoever stops reading does not wait for it.
    next.catch(() => undefined);
    yield rows;
    rows = await next;
  }
}

/** `exactAt` as text: a Date has milliseconds only, the column microseconds. */
type ExactRow<L extends LogName> = LogRows[L] & { readonly exactAt: string };

async function readBatch<L extends LogName>(
  db: Db,
  log: L,
  days: Days,
  last: { readonly exactAt: string; readonly id: number } | undefined,
): Promise<ExactRow<L>[]> {
  const after = last ? sql` AND (l.at, l.id) < (${last.exactAt}::timestamptz, ${last.id})` : sql``;
  const { rows } = await sql<ExactRow<L>>`
    SELECT ${columns[log]}, l.at::text AS "exactAt" FROM ${sql.table(log)} l
      WHERE l.at >= ${days.from} AND l.at < ${days.until}${after}
    ORDER BY l.at DESC, l.id DESC LIMIT ${batch}`.execute(db);
  return rows;
}
