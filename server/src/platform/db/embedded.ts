import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Log } from '../log.ts';
import { StartError, codeOf, reasonOf } from '../start-error.ts';
import { isAlive, prepareCluster, type Cluster } from './cluster.ts';
import { lockNumbers } from './locks.ts';
import {
  refuseForeignPostmaster,
  runningPostmaster,
  startPostmaster,
  stopPostmaster,
  type Begun,
} from './postmaster.ts';

/** The embedded database, running. */
export interface EmbeddedDatabase {
  readonly connection: pg.ClientConfig;
  /**
   * How it came to be ours: started now, found alive after its program was killed, or (`share`) in use beside its
   * owner.
   */
  readonly how: 'started' | 'adopted' | 'shared';
  /** Ends the database process, unless it is only shared; by force when `leftMs` milliseconds are nearly over. */
  stop(leftMs?: number): Promise<void>;
}

export interface EmbeddedOptions {
  readonly dataDir: string;
  readonly baseDir?: string;
  /** The name of this program in the refusal of a second one. */
  readonly role: string;
  readonly log: Log;
  /** Use the database beside a program that owns it, instead of being refused. */
  readonly share?: boolean;
  /** Further PostgreSQL settings, `name=value`. */
  readonly settings?: readonly string[];
  /** Ends a start under way: it throws, and a database process that it began is ended. */
  readonly signal?: AbortSignal;
}

const databaseName = 'lampyris';
const startDeadlineMs = 300_000;
const goodbyeMs = 100;
/** A start that is ended has this long to end its database process, too. */
const giveUpMs = 6000;
/** No socket yet, or none any more. */
const noSocket = new Set(['ENOENT', 'ECONNREFUSED', 'ECONNRESET', 'EPIPE']);
/** A database process that lives and listens nowhere. */
const deafDeadlineMs = 30_000;

/**
 * Starts the embedded PostgreSQL of `dataDir`, or adopts one whose program was killed. Ownership is an advisory lock on
 * a connection held for life; throws StartError when another program holds it.
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedDatabase> {
  const cluster = await prepareCluster(options.dataDir, options.baseDir, options.signal);
  const base = { host: cluster.run, port: 5432, user: 'lampyris' };
  const owner = new Ownership(cluster, base, options);
  const how = await owner.take();
  return { connection: { ...base, database: databaseName }, how, stop: (leftMs) => owner.stop(leftMs) };
}

/** The life of the lock: taken, lost when the database dies, taken again. */
class Ownership {
  readonly #cluster: Cluster;
  readonly #base: pg.ClientConfig;
  readonly #options: EmbeddedOptions;
  #client: pg.Client | undefined;
  #stopping = false;
  #recovery: Promise<void> = Promise.resolve();

  constructor(cluster: Cluster, base: pg.ClientConfig, options: EmbeddedOptions) {
    this.#cluster = cluster;
    this.#base = base;
    this.#options = options;
  }

  async take(): Promise<EmbeddedDatabase['how']> {
    const deadline = Date.now() + startDeadlineMs;
    let begun: Begun | undefined;
    try {
      for (;;) {
        refuseForeignPostmaster(this.#cluster);
        if (!runningPostmaster(this.#cluster))
          begun = await startPostmaster(this.#cluster, this.#options.settings ?? []);
        const client = await this.#connect(deadline);
        if (!client) {
          const died = begun?.died();
          if (died)
            throw new StartError(
              `The embedded database ended at its start: ${died} (its log: ${this.#cluster.logFile})`,
            );
          continue;
        }
        const holder = await lockOrHolder(client);
        if (holder === undefined) {
          await this.#keep(client);
          return begun ? 'started' : 'adopted';
        }
        await client.end();
        if (this.#options.share) return 'shared';
        throw new StartError(`The database in ${this.#options.dataDir} is in use by another program (${holder}).`);
      }
    } catch (thrown) {
      if (begun && this.#options.signal?.aborted) await stopPostmaster(this.#cluster, begun.pid, giveUpMs);
      throw thrown;
    }
  }

  /** A connection, or undefined when the postmaster went away meanwhile and must be started again. */
  async #connect(deadline: number): Promise<pg.Client | undefined> {
    const deaf = Date.now() + deafDeadlineMs;
    // Each try leaves a line in the database's log while it recovers from a crash.
    for (let pause = 10; ; pause = Math.min(pause * 1.5, 250)) {
      this.#options.signal?.throwIfAborted();
      const client = new pg.Client({
        ...this.#base,
        database: 'postgres',
        application_name: `${this.#options.role}, process ${process.pid}`,
      });
      client.on('error', () => undefined);
      try {
        await client.connect();
        return client;
      } catch (thrown) {
        await client.end().catch(() => undefined);
        const code = codeOf(thrown) ?? '';
        const isDeaf = noSocket.has(code) && Date.now() > deaf && runningPostmaster(this.#cluster) !== undefined;
        if (isDeaf || Date.now() > deadline)
          throw new StartError(
            `The embedded database (process ${runningPostmaster(this.#cluster)}) did not answer: ${reasonOf(thrown)} (its log: ${this.#cluster.logFile})`,
          );
        // 57P03: starting up or shutting down.
        if (code !== '57P03' && !noSocket.has(code) && !/terminated/.test(reasonOf(thrown))) throw thrown;
      }
      await sleep(pause);
      if (!runningPostmaster(this.#cluster)) return undefined;
    }
  }

  async #keep(client: pg.Client): Promise<void> {
    const { rowCount } = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [databaseName]);
    if (rowCount === 0) await client.query(`CREATE DATABASE ${databaseName}`);
    this.#client = client;
    client.once('end', () => {
      if (!this.#stopping) this.#recovery = this.#recover();
    });
  }

  async #recover(): Promise<void> {
    this.#options.log.error('the embedded database ended; starting it again');
    while (!this.#stopping) {
      try {
        await this.take();
        this.#options.log.info('the embedded database runs again');
        return;
      } catch (thrown) {
        this.#options.log.error({ reason: reasonOf(thrown) }, 'the embedded database does not start yet');
        await sleep(250);
      }
    }
  }

  /** The lock is held until the very end, so that nobody starts in between. */
  async stop(leftMs = Number.POSITIVE_INFINITY): Promise<void> {
    if (this.#stopping) return;
    this.#stopping = true;
    const began = performance.now();
    await Promise.race([this.#recovery, ...(leftMs === Number.POSITIVE_INFINITY ? [] : [sleep(leftMs / 2)])]);
    if (!this.#client) return;
    const pid = runningPostmaster(this.#cluster);
    if (pid) await stopPostmaster(this.#cluster, pid, leftMs - (performance.now() - began));
    await Promise.race([this.#client.end().catch(() => undefined), sleep(goodbyeMs)]);
  }
}

/** Takes the lock (undefined), or tells who holds it. A holder that was killed frees it within moments. */
async function lockOrHolder(client: pg.Client): Promise<string | undefined> {
  const patience = Date.now() + 10_000;
  for (;;) {
    const { rows } = await client.query<{ won: boolean }>('SELECT pg_try_advisory_lock($1) AS won', [
      lockNumbers.ownership,
    ]);
    if (rows[0]?.won) return undefined;
    const holders = await client.query<{ name: string }>(
      `SELECT a.application_name AS name FROM pg_locks l JOIN pg_stat_activity a USING (pid)
       WHERE l.locktype = 'advisory' AND l.granted AND l.classid = 0 AND l.objid = $1 AND l.objsubid = 1`,
      [lockNumbers.ownership],
    );
    const name = holders.rows[0]?.name;
    const pid = Number(/process (\d+)/.exec(name ?? '')?.[1]);
    if (name && isAlive(pid)) return name;
    if (Date.now() > patience) return name ?? 'unknown';
    await sleep(10);
  }
}
