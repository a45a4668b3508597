import type { PostgresCursor, PostgresPool, PostgresPoolClient, PostgresQueryResult } from 'kysely';
import { currentDryRun, inDryRun, type DryRun } from '../dry-run.ts';
import { InTurn } from '../in-turn.ts';
import { codeOf } from '../start-error.ts';

/** Rows of one table that a dry run wrote; a row that was changed twice counts twice. */
interface RowsWritten {
  readonly added: number;
  readonly changed: number;
  readonly removed: number;
}
interface Tried<T> {
  readonly answer: T;
  /** By table; tables that stay as they are do not appear. */
  readonly written: ReadonlyMap<string, RowsWritten>;
}
/** Does work in a transaction that is rolled back, and counts the rows that it wrote to these tables. */
export type DryRuns = <T>(tables: readonly string[], work: () => Promise<T>) => Promise<Tried<T>>;

/** Connections that dry runs take from those of the requests. */
const mostAtOnce = 3;
/** A dry run that asks nothing for so long loses its connection, and its locks with it. */
const longestSilenceMs = 20_000;

/** In a dry run a pool hands out the connection of the run. */
export const withDryRuns = (pool: PostgresPool): PostgresPool => ({
  connect: () => {
    const run = currentDryRun();
    return run ? Promise.resolve().then(run.connect) : pool.connect();
  },
  end: () => pool.end(),
  options: pool.options,
});

export function createDryRuns(pool: Pick<PostgresPool, 'connect'>): DryRuns {
  const turns = new InTurn(mostAtOnce);
  return (tables, work) =>
    turns.run('', async () => {
      const client = await pool.connect();
      const run = new DryConnection(client, tables);
      try {
        await run.begin();
        const answer = await inDryRun(run, work);
        return { answer, written: await run.written() };
      } finally {
        client.release(!(await run.end()));
      }
    });
}

/** For each table the rows added, changed and removed, as the connection counts them. */
type Counts = readonly RowsWritten[];
const difference = (a: Counts, b: Counts, sign: 1 | -1): Counts =>
  a.map(({ added, changed, removed }, at) => ({
    added: added + sign * (b[at]?.added ?? 0),
    changed: changed + sign * (b[at]?.changed ?? 0),
    removed: removed + sign * (b[at]?.removed ?? 0),
  }));

/** A transaction of the work, and what was counted when it began. */
interface Savepoint {
  readonly name: string;
  readonly before: Counts;
  readonly takenBack: Counts;
}

/**
 * One connection for everything that a dry run asks, one statement after the other. Transactions are savepoints in that
 * of the run, and so are statements outside them: what fails takes back no more than it would for real.
 */
class DryConnection implements DryRun {
  readonly #client: PostgresPoolClient;
  readonly #tables: readonly string[];
  readonly #counting: string;
  #turn: Promise<unknown> = Promise.resolve();
  #open: readonly Savepoint[] = [];
  #names = 0;
  #first: Counts = [];
  /** Counted by the database, though it was taken back. */
  #takenBack: Counts;
  #over = false;

  constructor(client: PostgresPoolClient, tables: readonly string[]) {
    this.#client = client;
    this.#tables = tables;
    // What the connection wrote since it last reported to the statistics: read again at the end, it is this run's.
    this.#counting = `SELECT pg_stat_get_xact_tuples_inserted(t.id) AS added,
      pg_stat_get_xact_tuples_updated(t.id) AS changed, pg_stat_get_xact_tuples_deleted(t.id) AS removed
      FROM (VALUES ${tables.map((table, place) => `(${place}, '${table}'::regclass::oid)`).join(', ')}) AS t (place, id)
      ORDER BY t.place`;
    this.#takenBack = tables.map(() => ({ added: 0, changed: 0, removed: 0 }));
  }

  readonly connect = (): PostgresPoolClient => new DryClient(this);

  async begin(): Promise<void> {
    this.#first = await this.#counted(`BEGIN; SET LOCAL idle_in_transaction_session_timeout = ${longestSilenceMs}`);
  }

  async written(): Promise<Tried<unknown>['written']> {
    const counts = difference(difference(await this.next(() => this.#counted()), this.#first, -1), this.#takenBack, -1);
    const all = this.#tables.flatMap((table, at) => {
      const rows = counts[at];
      return rows && rows.added + rows.changed + rows.removed > 0 ? [[table, rows] as const] : [];
    });
    return new Map(all);
  }

  /** Takes everything back; false: the connection is broken, and the database has done so. */
  async end(): Promise<boolean> {
    this.#over = true;
    await this.#turn;
    return this.#run('ROLLBACK').then(
      () => true,
      () => false,
    );
  }

  next<T>(work: () => Promise<T>): Promise<T> {
    if (this.#over) return Promise.reject(new Error('a call asked the database after its dry run had ended'));
    const turn = this.#turn.then(work);
    this.#turn = turn.catch(() => undefined);
    return turn;
  }

  ask<R>(text: string, values: readonly unknown[]): Promise<PostgresQueryResult<R>> {
    return this.#client.query<R>(text, values);
  }

  async openTransaction(): Promise<Savepoint> {
    this.#names += 1;
    const name = `dry_${this.#names}`;
    const savepoint = { name, before: await this.#counted(`SAVEPOINT ${name}`), takenBack: this.#takenBack };
    this.#open = [...this.#open, savepoint];
    return savepoint;
  }

  async endTransaction(savepoint: Savepoint, keep: boolean): Promise<'COMMIT' | 'ROLLBACK'> {
    const place = this.#open.indexOf(savepoint);
    // One that began before it has ended, and took it along.
    if (place === -1) return keep ? 'COMMIT' : 'ROLLBACK';
    this.#open = this.#open.slice(0, place);
    if (keep && (await this.#released(savepoint.name))) return 'COMMIT';
    await this.#run(`ROLLBACK TO SAVEPOINT ${savepoint.name}`);
    const after = await this.#counted(`RELEASE SAVEPOINT ${savepoint.name}`);
    this.#takenBack = difference(savepoint.takenBack, difference(after, savepoint.before, -1), 1);
    return 'ROLLBACK';
  }

  /** A statement outside a transaction is one by itself. */
  async alone<R>(text: string, values: readonly unknown[]): Promise<PostgresQueryResult<R>> {
    const own = await this.openTransaction();
    try {
      const result = await this.ask<R>(text, values);
      await this.endTransaction(own, true);
      return result;
    } catch (thrown) {
      await this.endTransaction(own, false);
      throw thrown;
    }
  }

  /** A transaction in which a statement failed is taken back when it is committed. */
  async #released(name: string): Promise<boolean> {
    try {
      await this.#run(`RELEASE SAVEPOINT ${name}`);
      return true;
    } catch (thrown) {
      if (codeOf(thrown) !== '25P02') throw thrown;
      return false;
    }
  }

  async #run(statements: string): Promise<void> {
    await this.#client.query(statements, []);
  }

  /** Runs statements and reads the counts, on one way to the database and back. */
  async #counted(first?: string): Promise<Counts> {
    return lastOf(
      await this.#client.query<RowsWritten>(first === undefined ? this.#counting : `${first}; ${this.#counting}`, []),
    ).map(({ added, changed, removed }) => ({ added, changed, removed }));
  }
}

/** Of several statements sent as one text each has its own result. */
const lastOf = <R>(results: PostgresQueryResult<R> | readonly PostgresQueryResult<R>[]): readonly R[] =>
  'rows' in results ? results.rows : (results.at(-1)?.rows ?? []);

/** What a pool hands out within a dry run. */
class DryClient implements PostgresPoolClient {
  readonly #run: DryConnection;
  #savepoint: Savepoint | undefined;

  constructor(run: DryConnection) {
    this.#run = run;
  }

  query<R>(text: string, values: readonly unknown[]): Promise<PostgresQueryResult<R>>;
  query<R>(cursor: PostgresCursor<R>): PostgresCursor<R>;
  query<R>(
    asked: string | PostgresCursor<R>,
    values: readonly unknown[] = [],
  ): Promise<PostgresQueryResult<R>> | PostgresCursor<R> {
    if (typeof asked !== 'string') throw new Error('a dry run reads no cursors');
    return this.#run.next(() => this.#statement<R>(asked, values));
  }

  async #statement<R>(text: string, values: readonly unknown[]): Promise<PostgresQueryResult<R>> {
    if (/^(?:begin|start transaction)\b/i.test(text)) {
      this.#savepoint = await this.#run.openTransaction();
      return nothing('COMMIT');
    }
    const own = this.#savepoint;
    if (/^(?:commit|rollback)$/i.test(text)) {
      this.#savepoint = undefined;
      // The end of a transaction that has ended must not end the run.
      return nothing(own ? await this.#run.endTransaction(own, text.toLowerCase() === 'commit') : 'ROLLBACK');
    }
    return own ? this.#run.ask<R>(text, values) : this.#run.alone<R>(text, values);
  }

  release(): void {
    // The run keeps the connection until its end.
  }
}

const nothing = <R>(command: 'COMMIT' | 'ROLLBACK'): PostgresQueryResult<R> => ({ command, rowCount: 0, rows: [] });
