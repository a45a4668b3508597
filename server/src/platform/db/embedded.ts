import { spawn } from 'node:child_process';
import { closeSync, fchownSync, openSync, readFileSync, statfsSync, statSync } from 'node:fs';
import { totalmem } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Log } from '../log.ts';
import { StartError, codeOf, reasonOf } from '../start-error.ts';
import { dropStalePidFile, environmentOf, isAlive, prepareCluster, runningPostmaster, type Cluster } from './cluster.ts';

/** The embedded database, running. */
export interface EmbeddedDatabase {
  readonly connection: pg.ClientConfig;
  /** How it came to be ours: started now, found alive after its program was killed, or (`share`) in use beside its owner. */
  readonly how: 'started' | 'adopted' | 'shared';
  /** Ends the database process, unless it is only shared. */
  stop(): Promise<void>;
}

export interface EmbeddedOptions {
  readonly dataDir: string;
  readonly baseDir?: string;
  /** What a refused second program is told about us. */
  readonly role: string;
  readonly log: Log;
  /** Use the database beside a program that owns it, instead of being refused. */
  readonly share?: boolean;
  /** Further PostgreSQL settings, `name=value`. */
  readonly settings?: readonly string[];
}

// "LAMP", read as a number: the one lock that says whose database this is.
const ownershipLock = 0x4c414d50;
const databaseName = 'lampyris';
const startDeadlineMs = 300_000;

/**
 * Starts the embedded PostgreSQL of `dataDir`, or adopts one whose program was killed. Ownership is an advisory lock on a
 * connection held for life; throws StartError when another program holds it.
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedDatabase> {
  const cluster = await prepareCluster(options.dataDir, options.baseDir);
  const base = { host: cluster.run, port: 5432, user: 'lampyris' };
  const owner = new Ownership(cluster, base, options);
  const how = await owner.take();
  return { connection: { ...base, database: databaseName }, how, stop: () => owner.stop() };
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
    let started = false;
    for (;;) {
      if (!runningPostmaster(this.#cluster)) {
        await startPostmaster(this.#cluster, this.#options.settings ?? []);
        started = true;
      }
      const client = await this.#connect(deadline);
      if (!client) continue;
      const holder = await lockOrHolder(client);
      if (holder === undefined) {
        await this.#keep(client);
        return started ? 'started' : 'adopted';
      }
      await client.end();
      if (this.#options.share) return 'shared';
      throw new StartError(`The database in ${this.#options.dataDir} is in use by another program (${holder}).`);
    }
  }

  /** A connection, or undefined when the postmaster went away meanwhile and must be started again. */
  async #connect(deadline: number): Promise<pg.Client | undefined> {
    // Each try leaves a line in the database's log while it recovers from a crash.
    for (let pause = 10; ; pause = Math.min(pause * 1.5, 250)) {
      const client = new pg.Client({ ...this.#base, database: 'postgres', application_name: `${this.#options.role}, process ${process.pid}` });
      client.on('error', () => undefined);
      try {
        await client.connect();
        return client;
      } catch (thrown) {
        await client.end().catch(() => undefined);
        if (Date.now() > deadline) throw new StartError(`The embedded database did not answer: ${reasonOf(thrown)} (its log: ${this.#cluster.logFile})`);
        // 57P03: starting up or shutting down. No socket yet: just started.
        if (!['57P03', 'ENOENT', 'ECONNREFUSED', 'ECONNRESET'].includes(codeOf(thrown) ?? '') && !/terminated/.test(reasonOf(thrown))) throw thrown;
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

  /** SIGINT is PostgreSQL's fast shutdown. The lock is held until the very end, so that nobody starts in between. */
  async stop(): Promise<void> {
    if (this.#stopping) return;
    this.#stopping = true;
    await this.#recovery;
    if (!this.#client) return;
    const pid = runningPostmaster(this.#cluster);
    if (pid) {
      process.kill(pid, 'SIGINT');
      while (runningPostmaster(this.#cluster) === pid) await sleep(10);
    }
    await this.#client.end().catch(() => undefined);
  }
}

/** Takes the lock (undefined), or tells who holds it. A holder that was killed frees it within moments. */
async function lockOrHolder(client: pg.Client): Promise<string | undefined> {
  const patience = Date.now() + 10_000;
  for (;;) {
    const { rows } = await client.query<{ won: boolean }>('SELECT pg_try_advisory_lock($1) AS won', [ownershipLock]);
    if (rows[0]?.won) return undefined;
    const holders = await client.query<{ name: string }>(
      `SELECT a.application_name AS name FROM pg_locks l JOIN pg_stat_activity a USING (pid)
       WHERE l.locktype = 'advisory' AND l.granted AND l.classid = 0 AND l.objid = $1 AND l.objsubid = 1`,
      [ownershipLock],
    );
    const name = holders.rows[0]?.name;
    const pid = Number(/process (\d+)/.exec(name ?? '')?.[1]);
    if (name && isAlive(pid)) return name;
    if (Date.now() > patience) return name ?? 'unknown';
    await sleep(10);
  }
}

/** Spawns the postmaster as a process that outlives us, its output in a file. Returns once it listens or has ended. */
async function startPostmaster(cluster: Cluster, extra: readonly string[]): Promise<void> {
  dropStalePidFile(cluster);
  const log = openLog(cluster);
  const settings = ['listen_addresses=', 'unix_socket_permissions=0700', 'log_checkpoints=off', 'jit=off', 'wal_keep_size=64MB', 'timezone=UTC', 'log_timezone=UTC', ...sizes(cluster.data), ...extra];
  const child = spawn(join(cluster.bin, 'postgres'), ['-D', cluster.data, '-k', cluster.run, ...settings.flatMap((setting) => ['-c', setting])], {
    ...cluster.user, cwd: cluster.data, env: environmentOf(cluster), detached: true, stdio: ['ignore', log, log],
  });
  closeSync(log);
  const failure = new Promise<string>((resolve) => {
    child.once('error', (thrown) => resolve(reasonOf(thrown)));
    child.once('exit', (code, signal) => resolve(`it ended with ${signal ?? code}`));
  });
  child.unref();
  for (;;) {
    const failed = await Promise.race([failure, sleep(5)]);
    if (runningPostmaster(cluster)) return;
    if (failed) throw new StartError(`The embedded database does not start: ${failed}. ${lastLogLine(cluster)} (its log: ${cluster.logFile})`);
  }
}

const mebibyte = 2 ** 20;

/**
 * What the database may take of this machine, which other programs share: a sixteenth of the memory for its own pages, at most 1 GiB; and
 * room between checkpoints, at most a twentieth of what is free on the disk: after each one every page is written whole once more, which
 * with a large register is most of what readings cost.
 */
function sizes(data: string): string[] {
  const memory = Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY) / mebibyte;
  const { bavail, bsize } = statfsSync(data);
  const between = (least: number, value: number, most: number): number => Math.round(Math.min(Math.max(value, least), most));
  return [
    `shared_buffers=${between(128, memory / 16, 1024)}MB`, `effective_cache_size=${between(512, memory / 2, 65_536)}MB`,
    `max_wal_size=${between(1024, bavail * bsize / mebibyte / 20, 4096)}MB`, 'checkpoint_timeout=15min',
  ];
}

function openLog(cluster: Cluster): number {
  const size = statSync(cluster.logFile, { throwIfNoEntry: false })?.size ?? 0;
  const log = openSync(cluster.logFile, size > 10_000_000 ? 'w' : 'a', 0o600);
  if (cluster.user) fchownSync(log, cluster.user.uid, cluster.user.gid);
  return log;
}

function lastLogLine(cluster: Cluster): string {
  return readFileSync(cluster.logFile, 'utf8').trimEnd().split('\n').at(-1) ?? '';
}
