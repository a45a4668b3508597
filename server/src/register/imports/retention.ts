import { sql, type SqlBool } from 'kysely';
import type { Clock, Stop } from '../../platform/clock.ts';
import type { Db } from '../../platform/db/index.ts';
import type { Log } from '../../platform/log.ts';

const settingName = 'imports.retention';
const defaultDays = 90;
const leastDays = 7;
/** So many rows are deleted in one statement. */
const batch = 10_000;
const everyMs = 3_600_000;

/**
 * How long the rows of an import are kept after its last step, days: the setting `imports.retention`, `{"days": 90}`;
 * never below 7.
 */
export async function keptDays(db: Db): Promise<number> {
  const row = await db.selectFrom('setting').select('value').where('name', '=', settingName).executeTakeFirst();
  const days = typeof row?.value === 'object' && row.value !== null && 'days' in row.value ? row.value.days : undefined;
  return typeof days === 'number' && Number.isFinite(days)
    ? Math.max(leastDays, Math.min(36_500, Math.floor(days)))
    : defaultDays;
}

/**
 * Imports `i` that have rows, whose last step is older, and on which nobody works. A check that was cancelled or failed
 * left rows too.
 */
const isOld = (
  before: Date,
) => sql<SqlBool>`(i.rows_removed_at IS NULL AND EXISTS (SELECT 1 FROM import_row r WHERE r.import_id = i.id)
  AND greatest(i.created_at, i.applied_at, i.undone_at, (SELECT t.created_at FROM task t WHERE t.id = i.task_id))
    < ${before}
  AND NOT EXISTS (SELECT 1 FROM task t WHERE t.id = i.task_id AND t.state IN ('queued', 'running')))`;

/**
 * Takes away the rows of imports whose last step is older; returns how many imports. One that was only checked has to
 * be checked anew.
 */
export async function pruneImportRows(db: Db, now: Date): Promise<number> {
  const before = new Date(now.getTime() - (await keptDays(db)) * 86_400_000);
  const { rows: old } = await sql<{
    id: number;
  }>`SELECT i.id FROM import i WHERE ${isOld(before)} ORDER BY i.id`.execute(db);
  let count = 0;
  for (const { id } of old) if (await pruneOne(db, id, before, now)) count += 1;
  return count;
}

/**
 * Marks first, so that nobody undoes what is being taken away; a mark whose rows were left by a kill is gone on with at
 * the next start of the same.
 */
async function pruneOne(db: Db, id: number, before: Date, now: Date): Promise<boolean> {
  const marked = await db.transaction().execute(async (tx) => {
    await sql`SELECT 1 FROM import WHERE id = ${id} FOR UPDATE`.execute(tx);
    // Looked at again under the lock: those before it may have taken long.
    const { numAffectedRows } =
      await sql`UPDATE import i SET rows_removed_at = ${now}, state = CASE state WHEN 'checked' THEN 'uploaded'
        ELSE state END, counts = CASE state WHEN 'checked' THEN NULL ELSE counts END
      WHERE i.id = ${id} AND ${isOld(before)}`.execute(tx);
    return Number(numAffectedRows ?? 0) > 0;
  });
  if (marked) await removeRows(db, id);
  return marked;
}

/** As long as the mark stands: a check that begins meanwhile clears it before it keeps rows of its own. */
async function removeRows(db: Db, id: number): Promise<void> {
  for (;;) {
    const { numAffectedRows } = await sql`DELETE FROM import_row WHERE import_id = ${id}
        AND row_number IN (SELECT row_number FROM import_row WHERE import_id = ${id} LIMIT ${batch})
      AND EXISTS (SELECT 1 FROM import i WHERE i.id = ${id} AND i.rows_removed_at IS NOT NULL)`.execute(db);
    if (Number(numAffectedRows ?? 0) < batch) return;
  }
}

/** What a kill left of marked imports. */
async function removeLeft(db: Db): Promise<void> {
  const { rows } = await sql<{
    id: number;
  }>`SELECT i.id FROM import i WHERE i.rows_removed_at IS NOT NULL
    AND EXISTS (SELECT 1 FROM import_row r WHERE r.import_id = i.id)`.execute(db);
  for (const { id } of rows) await removeRows(db, id);
}

/** Every hour, old rows go. */
export const startImportRetention = ({
  db,
  clock,
  log,
}: {
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Log;
}): Stop =>
  clock.every(everyMs, async () => {
    await removeLeft(db);
    const imports = await pruneImportRows(db, clock.now());
    if (imports > 0) log.info({ imports }, 'rows of old imports taken away');
  });
