import { sql, type RawBuilder } from 'kysely';
import type { Db, Transaction } from './database.ts';

/**
 * Every advisory lock that exists once, and its number. Two purposes under one number would wait for each other
 * (`locks.test.ts` compares them), and a lock stands nowhere else. Migrations name 704711 too.
 */
export const lockNumbers = {
  /** A data folder belongs to one process (embedded PostgreSQL). */
  ownership: 0x4c414d50,
  /** One process applies migrations. */
  migrations: 0x4d494752,
  /** Held for life: who carries a site's own broker. */
  brokerClaim: 0x42524f4b,
  /** One process makes the first rows of an installation. */
  firstRows: 0x53454544,
  /** One process makes the demonstration's city. */
  demoCity: 0x44454d4f,
  /** One change of roles, their menus or the menu tree at a time. */
  rights: 0x52474854,
  /** One change of the tree of organisations at a time. */
  organisations: 0x4f524753,
  /** One table of readings, hours or days is made at a time. */
  partitions: 704_701,
  /** One command puts items into the queue at a time. */
  commandQueue: 704_702,
  /** One batch of devices is judged at a time. */
  judging: 704_703,
  /** What is known of the times when nobody listened. */
  connectionWatch: 704_704,
  /** The log of outages. */
  connectionLog: 704_705,
  /** The settings of commands. */
  commandSettings: 704_706,
  /** One process notes a change of system health. */
  healthChanges: 704_707,
  /** One change of planned light is judged beside what is planned at a time. */
  plannedLight: 704_708,
  /** Hours that are still open: writers of readings share it, closing takes it alone. */
  openHours: 704_711,
  /** One process rolls readings into hours and days. */
  roller: 704_712,
  /** How long the history is kept. */
  historyRetention: 704_713,
  /** One process drops tables of the history. */
  historyDrop: 704_714,
  /** One process sums the load of areas. */
  loadSums: 704_715,
  /** The dictionaries that come with the program. */
  dictionaries: 704_790,
  /** Holidays: those that come with the program, and imports. */
  holidays: 704_791,
} as const satisfies Record<string, number>;
export type LockName = keyof typeof lockNumbers;

/** What has a lock for each one of its kind. */
export type LockKind =
  | 'task'
  | 'file'
  | 'import'
  | 'device chain'
  | 'sign-in'
  | 'darkening'
  | 'request'
  | 'road rows'
  | 'saved views';

/** Waits for a lock and holds it until the transaction ends. */
export const takeLock = async (tx: Transaction, name: LockName): Promise<void> =>
  void (await sql`SELECT pg_advisory_xact_lock(${lockNumbers[name]})`.execute(tx));

/** Takes a lock until the transaction ends; false: another transaction or connection holds it. */
export async function tryLock(tx: Transaction, name: LockName): Promise<boolean> {
  const { rows } = await sql<{
    taken: boolean;
  }>`SELECT pg_try_advisory_xact_lock(${lockNumbers[name]}) AS taken`.execute(tx);
  return rows[0]?.taken === true;
}

/** Runs `work` while this connection holds a lock; undefined: another one holds it, and nothing was done. */
export async function whileLocked<T>(connection: Db, name: LockName, work: () => Promise<T>): Promise<T | undefined> {
  const { rows } = await sql<{ taken: boolean }>`SELECT pg_try_advisory_lock(${lockNumbers[name]}) AS taken`.execute(
    connection,
  );
  if (rows[0]?.taken !== true) return undefined;
  try {
    return await work();
  } finally {
    await sql`SELECT pg_advisory_unlock(${lockNumbers[name]})`.execute(connection);
  }
}

/** The number of the lock of one of a kind; `key` is an expression. */
const numberOf = (kind: LockKind, key: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`hashtextextended(${sql.lit(`lampyris ${kind} `)} || ${key}::text, 0)`;

/** Waits for the lock of one of a kind and holds it until the transaction ends. */
export const takeLockOf = async (tx: Transaction, kind: LockKind, key: string | number): Promise<void> =>
  void (await sql`SELECT pg_advisory_xact_lock(${numberOf(kind, sql`${key}`)})`.execute(tx));

/** A condition: nobody holds the lock of the one that `key` names, and this transaction does from now on. */
export const lockFree = (kind: LockKind, key: RawBuilder<unknown>): RawBuilder<boolean> =>
  sql<boolean>`pg_try_advisory_xact_lock(${numberOf(kind, key)})`;

/**
 * The same for a connection that is no pool's, until it ends: a statement whose one parameter is the key and whose one
 * row says `taken`.
 */
export const holdStatement = (kind: LockKind): string =>
  `SELECT pg_try_advisory_lock(hashtextextended('lampyris ${kind} ' || $1::text, 0)) AS taken`;
