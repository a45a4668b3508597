import { sql } from 'kysely';
import { takeLock, tryLock, type Transaction } from '../../platform/db/index.ts';
import { instant } from './spans.query.ts';

/** Held by whoever rolls, for one transaction; and by whoever closes hours, against those that write readings. */
/** Writers of readings come first: hours are closed another time when one of them does not end. */
const patience = '200ms';
const dayMs = 86_400_000;

export interface State {
  /** Epoch milliseconds; -Infinity: nothing was closed yet. */
  readonly closedTo: number;
  readonly rolledTo: number;
  readonly deviceAfter: number;
  readonly rawFrom: number;
  readonly hoursFrom: number;
}

/** Whether this transaction may roll: nobody else does before it ends. */
export async function becomeRoller(tx: Transaction): Promise<boolean> {
  const taken = await tryLock(tx, 'roller');
  // What a slice sorts should stay in memory.
  await sql`SET LOCAL work_mem = '64MB'`.execute(tx);
  return taken;
}

export async function readState(db: Transaction): Promise<State> {
  const ms = (column: string) => sql`(extract(epoch FROM ${sql.ref(column)}) * 1000)::float8`;
  const {
    rows: [state],
  } = await sql<State>`SELECT ${ms('closed_to')} AS "closedTo", ${ms('rolled_to')} AS "rolledTo",
      device_after AS "deviceAfter", ${ms('raw_from')} AS "rawFrom", ${ms('hours_from')} AS "hoursFrom"
      FROM rollup_state`.execute(db);
  if (!state) throw new Error('the history has no state');
  return state;
}

/** When the first reading was made, epoch milliseconds; null: there is none. */
export async function firstReading(tx: Transaction): Promise<number | null> {
  // The bounds of the day tables tell the day without reading any.
  const { rows } = await sql<{
    name: string;
  }>`SELECT c.relname AS name FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
    WHERE i.inhparent = 'reading'::regclass ORDER BY c.relname COLLATE "C"`.execute(tx);
  for (const { name } of rows) {
    const {
      rows: [first],
    } = await sql<{
      at: number | null;
    }>`SELECT (extract(epoch FROM min(at)) * 1000)::float8 AS at FROM ${sql.table(name)}`.execute(tx);
    if (first && first.at !== null) return first.at;
  }
  return null;
}

/** The same for what must not be put off; fails when the one who rolls takes longer. */
export async function awaitRoller(tx: Transaction, longest: string): Promise<void> {
  await sql`SELECT set_config('lock_timeout', ${longest}, true)`.execute(tx);
  await takeLock(tx, 'roller');
}

/**
 * Until this transaction ends nobody begins to write readings, and nobody is writing any; fails when that takes longer.
 */
export async function closeGate(tx: Transaction, longest: string): Promise<void> {
  await sql`SELECT set_config('lock_timeout', ${longest}, true)`.execute(tx);
  await takeLock(tx, 'openHours');
}

/**
 * Closes hours up to `to`; waits for transactions that write readings, a moment only: what fails then has changed
 * nothing.
 */
export async function closeHours(tx: Transaction, from: number, to: number): Promise<void> {
  await closeGate(tx, patience);
  await sql`UPDATE rollup_state SET closed_to = ${instant(to)}, rolled_to = ${instant(from)}, device_after = 0`.execute(
    tx,
  );
}

/** Whether there is a table that readings of this time could be in: while nobody served there is none. */
export async function hasTables(tx: Transaction, from: number, to: number): Promise<boolean> {
  const days: string[] = [];
  for (let day = Math.floor(from / dayMs); day * dayMs < to; day += 1)
    days.push(
      `reading_${instant(day * dayMs)
        .slice(0, 10)
        .replaceAll('-', '')}`,
    );
  const { rows } = await sql<{
    some: boolean;
  }>`SELECT bool_or(to_regclass(name) IS NOT NULL) AS some FROM unnest(${days}::text[]) AS name`.execute(tx);
  return rows[0]?.some === true;
}

/** The next devices by number; those that send nothing by themselves are left out. */
export async function nextDevices(
  tx: Transaction,
  after: number,
  families: readonly string[],
  limit: number,
): Promise<number[]> {
  const { rows } = await sql<{
    id: number;
  }>`SELECT id FROM device WHERE id > ${after} AND family = ANY(${families as string[]}::text[]) ORDER BY id
    LIMIT ${limit}`.execute(tx);
  return rows.map(({ id }) => id);
}

export async function noteRolled(tx: Transaction, deviceAfter: number): Promise<void> {
  await sql`UPDATE rollup_state SET device_after = ${deviceAfter}`.execute(tx);
}

export async function noteAllRolled(tx: Transaction): Promise<void> {
  await sql`UPDATE rollup_state SET rolled_to = closed_to, device_after = 0`.execute(tx);
}

/** Takes marks off the list, the oldest first. */
export async function takeLate(tx: Transaction, limit: number): Promise<{ deviceId: number; hour: number }[]> {
  const { rows } = await sql<{
    deviceId: number;
    hour: number;
  }>`WITH taken AS (DELETE FROM rollup_late WHERE id IN (SELECT id FROM rollup_late ORDER BY id LIMIT ${limit})
    RETURNING device_id, at)
    SELECT DISTINCT device_id AS "deviceId", (extract(epoch FROM at) * 1000)::float8 AS hour FROM taken`.execute(tx);
  return rows;
}

/** The oldest hour that is late; null: none is. */
export async function findOldestLate(tx: Transaction): Promise<Date | null> {
  const row = await tx
    .selectFrom('rollup_late')
    .select((eb) => eb.fn.min('at').as('at'))
    .executeTakeFirst();
  return row?.at ?? null;
}
