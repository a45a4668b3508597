import { sql } from 'kysely';
import { whileLocked, type Db } from '../../platform/db/index.ts';
import type { Log } from '../../platform/log.ts';
import { codeOf } from '../../platform/start-error.ts';
import { findLoose, leavingNote, type HistoryTable } from './tables.store.ts';

/** lock_not_available; and object_not_in_prerequisite_state: another table is on its way out already. */
const busy: readonly (string | undefined)[] = ['55P03', '55000'];

/**
 * Takes these tables away; returns the names of those that are gone. Whoever reads or writes the history goes on
 * meanwhile: a table is first taken out of it, which waits for those that are at it and lets everybody else pass, and
 * dropped when it belongs to nothing any more. What cannot be done within `patience` is left for the next time, half
 * done or not.
 */
export async function dropTables(
  db: Db,
  tables: readonly HistoryTable[],
  log: Log,
  patience: string,
): Promise<string[]> {
  // One connection: taking a table out is two transactions of the database's own.
  return db.connection().execute(async (one) => {
    const gone = await whileLocked(one, 'historyDrop', async () => {
      await sql`SELECT set_config('lock_timeout', ${patience}, false)`.execute(one);
      try {
        return await dropAll(one, tables, log);
      } finally {
        await sql`SELECT set_config('lock_timeout', '0', false)`.execute(one);
      }
    });
    return gone ?? [];
  });
}

async function dropAll(db: Db, tables: readonly HistoryTable[], log: Log): Promise<string[]> {
  const gone: string[] = [];
  const attempt = async (name: string, work: () => Promise<unknown>): Promise<boolean> => {
    try {
      await work();
      return true;
    } catch (thrown) {
      if (!busy.includes(codeOf(thrown))) throw thrown;
      log.info({ table: name }, 'old history is being read; it is taken away later');
      return false;
    }
  };
  const drop = async (name: string) => {
    if (await attempt(name, () => sql`DROP TABLE IF EXISTS ${sql.table(name)}`.execute(db))) gone.push(name);
  };
  for (const name of await findLoose(db)) await drop(name);
  // Of one history only one table at a time may be on its way out: that one first.
  const blocked = new Set<string>();
  for (const table of tables.toSorted((a, b) => Number(b.isLeaving) - Number(a.isLeaving))) {
    if (blocked.has(table.parent)) continue;
    if (!table.isLeaving && !(await attempt(table.name, () => look(db, table)))) continue;
    if (await attempt(table.name, () => takeOut(db, table))) await drop(table.name);
    else blocked.add(table.parent);
  }
  return gone;
}

/** Fails at once while somebody reads it: taking it out would have to wait, and the others behind it. */
const look = (db: Db, { name }: HistoryTable): Promise<void> =>
  db.transaction().execute(async (tx) => {
    await sql`LOCK TABLE ${sql.table(name)} IN ACCESS EXCLUSIVE MODE NOWAIT`.execute(tx);
    await sql`COMMENT ON TABLE ${sql.table(name)} IS ${sql.lit(leavingNote)}`.execute(tx);
  });

const takeOut = (db: Db, { name, parent, isLeaving }: HistoryTable): Promise<unknown> =>
  sql`ALTER TABLE ${sql.table(parent)} DETACH PARTITION ${sql.table(name)}
    ${isLeaving ? sql`FINALIZE` : sql`CONCURRENTLY`}`.execute(db);
