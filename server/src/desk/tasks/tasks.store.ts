import { sql } from 'kysely';
import type { Language } from '../../../../catalogue/languages.ts';
import { holdStatement, lockFree, type Db, type Transaction } from '../../platform/db/index.ts';
import type { TaskKindName, TaskParams } from '../../../../contract/desk/task-kinds.ts';

export type TaskState = 'queued' | 'running' | 'done' | 'failed' | 'cancelled';
export interface StoredTask {
  readonly id: number;
  readonly accountId: number | null;
  readonly kind: TaskKindName;
  readonly params: TaskParams;
  readonly language: Language;
  readonly timezoneOffset: number;
  readonly state: TaskState;
  readonly done: number;
  readonly total: number | null;
  /** A name of the error catalogue and what fills its text. */
  readonly error: string | null;
  readonly errorValues: Readonly<Record<string, string | number>>;
  readonly file: string | null;
  readonly fileName: string | null;
  readonly fileBytes: number | null;
  readonly createdAt: Date;
  readonly endedAt: Date | null;
}

const columns = sql`t.id, t.account_id AS "accountId", t.kind, t.params, t.language, t.timezone_offset AS "timezoneOffset", t.state, t.done, t.total, t.error, t.error_values AS "errorValues",
  t.file, t.file_name AS "fileName", t.file_bytes AS "fileBytes", t.created_at AS "createdAt", t.ended_at AS "endedAt"`;

export async function findPage(
  db: Db,
  accountId: number,
  page: { limit: number; offset: number },
): Promise<{ rows: StoredTask[]; count: number }> {
  const [
    { rows },
    {
      rows: [counted],
    },
  ] = await Promise.all([
    sql<StoredTask>`SELECT ${columns} FROM task t WHERE t.account_id = ${accountId} ORDER BY t.id DESC
      LIMIT ${page.limit} OFFSET ${page.offset}`.execute(db),
    sql<{ n: number }>`SELECT count(*)::int AS n FROM task t WHERE t.account_id = ${accountId}`.execute(db),
  ]);
  return { rows, count: counted?.n ?? 0 };
}

export async function findOwn(db: Db | Transaction, accountId: number, id: number): Promise<StoredTask | undefined> {
  const { rows } =
    await sql<StoredTask>`SELECT ${columns} FROM task t WHERE t.id = ${id} AND t.account_id = ${accountId}`.execute(db);
  return rows[0];
}

export async function findTask(db: Db, id: number): Promise<StoredTask | undefined> {
  const { rows } = await sql<StoredTask>`SELECT ${columns} FROM task t WHERE t.id = ${id}`.execute(db);
  return rows[0];
}

/** How many tasks of an account have not ended; it cannot begin another one until the transaction ends. */
export async function countOpen(tx: Transaction, accountId: number): Promise<number> {
  await sql`SELECT FROM account WHERE id = ${accountId} FOR NO KEY UPDATE`.execute(tx);
  const { rows } = await sql<{
    n: number;
  }>`SELECT count(*)::int AS n FROM task WHERE account_id = ${accountId} AND state IN ('queued', 'running')`.execute(
    tx,
  );
  return rows[0]?.n ?? 0;
}

export async function insertTask(
  tx: Transaction,
  task: Pick<StoredTask, 'kind' | 'params' | 'language' | 'timezoneOffset' | 'total'> & { accountId: number; at: Date },
): Promise<number> {
  const { id } = await tx
    .insertInto('task')
    .values({
      account_id: task.accountId,
      kind: task.kind,
      params: JSON.stringify(task.params),
      language: task.language,
      timezone_offset: task.timezoneOffset,
      total: task.total,
      created_at: task.at,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

export async function cancelTask(tx: Transaction, id: number, at: Date): Promise<void> {
  await sql`UPDATE task SET state = 'cancelled', ended_at = ${at}
    WHERE id = ${id} AND state IN ('queued', 'running')`.execute(tx);
}

/** The oldest task that waits. */
export async function nextQueued(db: Db): Promise<number | undefined> {
  const { rows } = await sql<{ id: number }>`SELECT id FROM task WHERE state = 'queued' ORDER BY id LIMIT 1`.execute(
    db,
  );
  return rows[0]?.id;
}

/** Makes a task that waits run; undefined when it does not wait any more. */
export async function beginTask(db: Db, id: number, at: Date): Promise<StoredTask | undefined> {
  const { rows } = await sql<StoredTask>`UPDATE task t SET state = 'running', started_at = ${at}
      WHERE t.id = ${id} AND t.state = 'queued' RETURNING ${columns}`.execute(db);
  return rows[0];
}

/** Notes how far a task is; false when it does not run any more. */
export async function noteProgress(db: Db, id: number, done: number): Promise<boolean> {
  const { rows } =
    await sql`UPDATE task SET done = ${done}, total = greatest(total, ${done}) WHERE id = ${id} AND state = 'running'
      RETURNING 1`.execute(db);
  return rows.length > 0;
}

/** So long ended tasks and their files are kept. */
export const keptMs = 7 * 86_400_000;

export const isRunning = async (db: Db, id: number): Promise<boolean> =>
  (await db.selectFrom('task').select('id').where('id', '=', id).where('state', '=', 'running').executeTakeFirst()) !==
  undefined;

export interface Ending {
  readonly done: number;
  readonly at: Date;
  readonly file?: { readonly key: string; readonly name: string; readonly bytes: number };
  readonly error?: { readonly name: string; readonly values: Readonly<Record<string, unknown>> };
}

/** Ends a task that runs, well or badly; false when it does not run any more. */
export async function endTask(db: Db, id: number, { done, at, file, error }: Ending): Promise<boolean> {
  const { rows } = await sql`UPDATE task SET state = ${error ? 'failed' : 'done'}, done = ${done},
      total = ${error ? sql`total` : sql`${done}::bigint`}, ended_at = ${at},
    error = ${error?.name ?? null}, error_values = ${JSON.stringify(error?.values ?? {})}::jsonb,
    file = ${file?.key ?? null}, file_name = ${file?.name ?? null}, file_bytes = ${file?.bytes ?? null}
    WHERE id = ${id} AND state = 'running' RETURNING 1`.execute(db);
  return rows.length > 0;
}

/** Tasks that run according to their row and are run by nobody: their process ended. Returns whose they were. */
export async function failAbandoned(db: Db, at: Date): Promise<{ id: number; accountId: number | null }[]> {
  const { rows } = await sql<{ id: number; accountId: number | null }>`
    WITH open AS MATERIALIZED (SELECT id FROM task WHERE state = 'running'),
      abandoned AS MATERIALIZED (SELECT id FROM open WHERE ${lockFree('task', sql`id`)})
    UPDATE task t SET state = 'failed', error = 'taskInterrupted', ended_at = ${at} FROM abandoned a
      WHERE t.id = a.id AND t.state = 'running' RETURNING t.id, t.account_id AS "accountId"`.execute(db);
  return rows;
}

/**
 * Whoever runs a task holds its lock on a connection of its own: when the lock is free, nobody runs the task any more.
 */
export const holdTask = holdStatement('task');

export const deleteTask = async (tx: Transaction, id: number): Promise<void> => {
  await tx.deleteFrom('task').where('id', '=', id).execute();
};

/** Takes away what ended before; returns the files that were theirs. */
export async function deleteEndedBefore(db: Db, before: Date): Promise<string[]> {
  const { rows } = await sql<{
    file: string | null;
  }>`DELETE FROM task WHERE ended_at < ${before} RETURNING file`.execute(db);
  return rows.flatMap(({ file }) => (file === null ? [] : [file]));
}
