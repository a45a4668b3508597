import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Db, Transaction } from '../../platform/db/index.ts';
import { headText, lastIdGiven, logs, readRows, sealOf, type ChainRow, type LogName } from './chain.ts';

export interface Sealed {
  readonly log: LogName;
  readonly rows: number;
  /** `headText` of the last row that is sealed now. */
  readonly head: string;
}

const batch = 500;
const lookEveryMs = 20;
/** A change that takes longer than this is waited for again in the next round. */
const mostPatienceMs = 30_000;

/**
 * Seals every row that is settled, both logs beside each other; returns what was sealed. Any number of processes may do
 * it at the same time.
 */
export async function sealAll(db: Db, patienceMs: number = mostPatienceMs): Promise<Sealed[]> {
  const sealed = await Promise.all(logs.map((log) => sealLog(db, log, patienceMs)));
  return sealed.filter((one) => one !== undefined);
}

async function sealLog(db: Db, log: LogName, patienceMs: number): Promise<Sealed | undefined> {
  const settled = await settledId(db, log, patienceMs);
  if (settled === undefined) return undefined;
  let done: Sealed | undefined;
  for (;;) {
    const part = await db.transaction().execute((tx) => sealBatch(tx, log, settled));
    if (part) done = { log, rows: (done?.rows ?? 0) + part.rows, head: part.head };
    if (!part || part.rows < batch) return done;
  }
}

/**
 * An id up to which every row is committed and no more can appear; undefined: there is nothing new, or a change takes
 * too long. A transaction with an earlier id held ROW EXCLUSIVE on the table before and holds it to its end, and its
 * rows are visible then: when all holders after the reading of the id are gone, nothing below it can appear
 * (docs/adr/0010). No writer waits for this.
 */
async function settledId(db: Db, log: LogName, patienceMs: number): Promise<number | undefined> {
  const { head_id: head } = await db
    .selectFrom('log_chain')
    .select('head_id')
    .where('log', '=', log)
    .executeTakeFirstOrThrow();
  const last = await lastIdGiven(db, log);
  if (last <= head) return undefined;
  let writing = await writers(db, log);
  for (let waitedMs = 0; writing.size > 0; waitedMs += lookEveryMs) {
    if (waitedMs >= patienceMs) return undefined;
    await sleep(lookEveryMs);
    const now = await writers(db, log);
    writing = new Set([...writing].filter((name) => now.has(name)));
  }
  return last;
}

/** The transactions that may have taken an id of this log and not committed their row yet. */
async function writers(db: Db, log: LogName): Promise<Set<string>> {
  const { rows } = await sql<{ name: string }>`
    SELECT DISTINCT virtualtransaction AS name FROM pg_locks
    WHERE locktype = 'relation' AND relation = ${log}::regclass AND mode = 'RowExclusiveLock' AND granted
      AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`.execute(db);
  return new Set(rows.map(({ name }) => name));
}

/** Seals up to 500 rows and moves the head to the last of them. While another process does, it does nothing. */
async function sealBatch(
  tx: Transaction,
  log: LogName,
  settled: number,
): Promise<{ rows: number; head: string } | undefined> {
  const chain = await tx
    .selectFrom('log_chain')
    .select(['head_id', 'head_seal'])
    .where('log', '=', log)
    .forUpdate()
    .skipLocked()
    .executeTakeFirst();
  if (!chain) return undefined;
  const rows = await readRows(tx, log, { after: chain.head_id, upTo: settled, most: batch, unsealed: true });
  const sealed = chained(log, { id: chain.head_id, seal: chain.head_seal }, rows);
  const last = sealed.at(-1);
  if (!last) return undefined;
  await sql`
    UPDATE ${sql.table(log)} AS entry SET seal = decode(fresh.seal, 'hex'), sealed_after = fresh.after
    FROM unnest(${sealed.map(({ id }) => id)}::bigint[], ${sealed.map(({ seal }) => seal.toString('hex'))}::text[],
      ${sealed.map(({ after }) => after)}::bigint[]) AS fresh (id, seal, after)
    WHERE entry.id = fresh.id`.execute(tx);
  await tx
    .updateTable('log_chain')
    .set({ head_id: last.id, head_seal: last.seal, sealed_at: sql<Date>`now()` })
    .where('log', '=', log)
    .execute();
  return { rows: sealed.length, head: headText(log, last.id, last.seal) };
}

/** The seals of rows that follow `head`, in their order. */
export function chained(
  log: LogName,
  head: { id: number; seal: Buffer },
  rows: readonly ChainRow[],
): { id: number; seal: Buffer; after: number }[] {
  let before = head;
  return rows.map((row) => {
    const after = before.id;
    before = { id: row.id, seal: sealOf(log, before.seal, row, after) };
    return { ...before, after };
  });
}
