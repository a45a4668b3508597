import { sql } from 'kysely';
import type { Db, Transaction } from '../db/index.ts';

/** Times are the database's alone: the clocks of the processes need not agree. */
const untilIn = (milliseconds: number) => sql`clock_timestamp() + make_interval(secs => ${milliseconds / 1000})`;

/** Makes the row of a name that nobody asked for yet. */
export async function prepareLease(db: Db, name: string): Promise<void> {
  await sql`INSERT INTO lease (name) VALUES (${name}) ON CONFLICT DO NOTHING`.execute(db);
}

export interface Taken {
  readonly name: string;
  readonly token: number;
  readonly before: string | null;
}

/**
 * Takes those of the names that nobody holds. One that a transaction still goes on under is left for the next time:
 * taking waits for nobody.
 */
export async function takeLeases(
  db: Db,
  names: readonly string[],
  holder: string,
  milliseconds: number,
): Promise<Taken[]> {
  const { rows } =
    await sql<Taken>`UPDATE lease l SET holder = ${holder}, token = l.token + 1, taken_at = clock_timestamp(),
      until = ${untilIn(milliseconds)}
    FROM (SELECT name, holder FROM lease WHERE name = ANY(${names as string[]}::text[]) AND until <= clock_timestamp()
      ORDER BY name FOR UPDATE SKIP LOCKED) free
    WHERE l.name = free.name RETURNING l.name, l.token, free.holder AS before`.execute(db);
  return rows;
}

export interface HeldLease {
  readonly name: string;
  readonly token: number;
}

/** Renews leases that are still held under these tokens, for this time; returns their names. */
export async function renewLeases(db: Db, held: readonly HeldLease[], milliseconds: number): Promise<Set<string>> {
  const { rows } = await sql<{ name: string }>`UPDATE lease l SET until = ${untilIn(milliseconds)} FROM ${pairs(held)}
    WHERE l.name = x.name AND l.token = x.token RETURNING l.name`.execute(db);
  return new Set(rows.map(({ name }) => name));
}

/** Free for anybody at once, if nobody took them meanwhile. */
export async function releaseLeases(db: Db, held: readonly HeldLease[]): Promise<void> {
  await sql`UPDATE lease l SET holder = NULL, until = '-infinity' FROM ${pairs(held)}
    WHERE l.name = x.name AND l.token = x.token`.execute(db);
}

/** Who holds those of the names that are held. */
export async function findHolders(
  db: Db,
  names: readonly string[],
): Promise<(HeldLease & { readonly holder: string })[]> {
  const { rows } = await sql<
    HeldLease & { holder: string }
  >`SELECT name, token, holder FROM lease WHERE name = ANY(${names as string[]}::text[]) AND holder IS NOT NULL
    AND until > clock_timestamp()`.execute(db);
  return rows;
}

/** What was held before this process came up, where it is the only one there can be. */
export async function releaseAll(db: Db): Promise<void> {
  await sql`UPDATE lease SET holder = NULL, until = '-infinity' WHERE until > '-infinity'`.execute(db);
}

const pairs = (held: readonly HeldLease[]) =>
  sql`unnest(${held.map(({ name }) => name)}::text[], ${held.map(({ token }) => token)}::bigint[]) AS x(name, token)`;

/**
 * Whether a lease is still held under a token. No other process takes it before this transaction ends; and the database
 * ends this transaction if its process stands still for this time.
 */
export async function isHeld(tx: Transaction, { name, token }: HeldLease, milliseconds: number): Promise<boolean> {
  const { rows } =
    await sql`SELECT set_config('idle_in_transaction_session_timeout', ${String(milliseconds)}, true) FROM lease
    WHERE name = ${name} AND token = ${token} FOR KEY SHARE`.execute(tx);
  return rows.length === 1;
}
