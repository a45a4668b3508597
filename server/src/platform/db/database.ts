import { setTimeout as sleep } from 'node:timers/promises';
import { Kysely, PostgresDialect, type PostgresPool, type Transaction as KyselyTransaction } from 'kysely';
import pg from 'pg';
import type { Log } from '../log.ts';
import { StartError, codeOf, reasonOf } from '../start-error.ts';
import { createDryRuns, withDryRuns, type DryRuns } from './dry-run.ts';
import { startEmbedded } from './embedded.ts';
import { migrate } from './migrate.ts';
import { keepPrepared } from './prepared.ts';
import type { DB } from './tables.ts';

export type Db = Kysely<DB>;
export type Transaction = KyselyTransaction<DB>;

export interface Database {
  /**
   * For work that nobody waits for: it may take as long as it takes, and wait for a connection as long as it has to.
   */
  readonly db: Db;
  /**
   * For requests: a statement that takes longer than 20 s is ended (57014), and who finds no free connection for 10 s
   * gets none (ETIMEDOUT). Connections of their own, so that neither waits for the other's.
   */
  readonly answering: Db;
  /** Requests that are only tried, over connections of the requests; every pool hands them out within the work. */
  readonly dryRun: DryRuns;
  readonly pool: pg.Pool;
  /** Of both: connections, and who waits for one. */
  usage(): { readonly connections: number; readonly waiting: number };
  /** For connections that live long (LISTEN, COPY): they must not be taken from the pool. */
  readonly connection: pg.ClientConfig;
  /**
   * Ends the connections and, if it is ours, the database process, by force when `leftMs` milliseconds are nearly over.
   */
  stop(leftMs?: number): Promise<void>;
}

export interface DatabaseSettings {
  /** null: the embedded PostgreSQL in `dataDir`. */
  readonly databaseUrl: string | null;
  readonly dataDir: string;
  /** The folder of ours that `dataDir` is in, when that is ours to open too. */
  readonly baseDir?: string;
  readonly log: Log;
  /** The name of this program in the refusal of a second one. */
  readonly role?: string;
  /** Use an embedded database beside the program that owns it. */
  readonly share?: boolean;
  /** Migrates the database, on the first connection, and returns the number of migrations run; default: all of them. */
  readonly migrations?: (client: pg.Client) => Promise<number>;
  /** How long an unreachable database is tried, milliseconds; default 60,000. */
  readonly patienceMs?: number;
  /** Ends the trying. */
  readonly signal?: AbortSignal;
}

// int8 (20): ids and counts are far below 2^53.
const types = new pg.TypeOverrides();
types.setTypeParser(20, Number);

/**
 * Starts or reaches the database, brings it up to the newest migration and returns its connections. Throws StartError.
 */
export async function openDatabase(settings: DatabaseSettings): Promise<Database> {
  const embedded =
    settings.databaseUrl === null
      ? await startEmbedded({
          dataDir: settings.dataDir,
          baseDir: settings.baseDir ?? settings.dataDir,
          role: settings.role ?? 'lampyris',
          log: settings.log,
          ...(settings.share ? { share: true } : {}),
          ...(settings.signal ? { signal: settings.signal } : {}),
        })
      : undefined;
  try {
    const connection = embedded?.connection ?? { connectionString: settings.databaseUrl ?? '' };
    if (embedded?.how === 'adopted')
      settings.log.warn('the database process of a killed server was found alive and taken over');
    await prepare(connection, settings);
    return connect(connection, settings.log, (leftMs) => embedded?.stop(leftMs));
  } catch (thrown) {
    await embedded?.stop();
    throw thrown;
  }
}

interface Patience {
  readonly statementMs: number;
  readonly connectionMs: number;
}
const ofRequests: Patience = { statementMs: 20_000, connectionMs: 10_000 };

/** Opens the pools of a database that is ready and migrated; `afterwards` runs when they have been closed. */
export function connect(
  connection: pg.PoolConfig,
  log: Log,
  afterwards: (leftMs: number) => Promise<void> | undefined = () => undefined,
  { statementMs, connectionMs } = ofRequests,
): Database {
  const pool = openPool({ max: 8, ...connection }, log);
  const requests = openPool(
    { max: 12, ...connection, statement_timeout: statementMs, connectionTimeoutMillis: connectionMs },
    log,
  );
  const opened = (one: PostgresPool) => new Kysely<DB>({ dialect: new PostgresDialect({ pool: withDryRuns(one) }) });
  const told = tellingTimeouts(requests);
  let stopped: Promise<void> | undefined;
  const stop = async (leftMs: number) => {
    // A caller that was given up may still hold a connection and never return it.
    const impatience = new AbortController();
    const ended = Promise.all([pool.end(), requests.end()]).finally(() => impatience.abort());
    await (leftMs === Number.POSITIVE_INFINITY
      ? ended
      : Promise.race([ended, sleep(leftMs / 4, undefined, { signal: impatience.signal }).catch(() => undefined)]));
    await afterwards((leftMs * 3) / 4);
  };
  const sum = (of: 'totalCount' | 'waitingCount') => pool[of] + requests[of];
  const usage = () => ({ connections: sum('totalCount'), waiting: sum('waitingCount') });
  return {
    db: opened(pool),
    answering: opened(told),
    dryRun: createDryRuns(told),
    pool,
    usage,
    connection: { ...connection, types },
    stop: (leftMs = Number.POSITIVE_INFINITY) => (stopped ??= stop(leftMs)),
  };
}

/** A timeout gets the error code of a database that cannot be reached. */
const tellingTimeouts = (pool: pg.Pool): PostgresPool => ({
  connect: () =>
    pool.connect().catch((thrown: unknown) => {
      throw thrown instanceof Error && codeOf(thrown) === undefined
        ? Object.assign(thrown, { code: 'ETIMEDOUT' })
        : thrown;
    }),
  end: () => pool.end(),
  options: pool.options,
});

function openPool(settings: pg.PoolConfig, log: Log): pg.Pool {
  // With keep-alive the system detects a silently lost connection, and its queries fail instead of waiting without end.
  const pool = new pg.Pool({
    application_name: 'lampyris',
    idleTimeoutMillis: 30_000,
    keepAlive: true,
    ...settings,
    types,
  });
  // An idle connection that breaks is replaced at the next use; unheard, it would end the process.
  pool.on('error', (thrown) => log.warn({ reason: reasonOf(thrown) }, 'a database connection broke'));
  // One that breaks between two statements of a transaction fails the next of them; unheard, it would end the process
  // as well.
  pool.on('connect', (client) => void client.on('error', () => undefined));
  keepPrepared(pool);
  return pool;
}

async function prepare(connection: pg.ClientConfig, settings: DatabaseSettings): Promise<void> {
  const client = await reach(connection, settings);
  // A migration that is broken off is taken back whole.
  const giveUp = () => void client.connection.stream.destroy();
  settings.signal?.addEventListener('abort', giveUp, { once: true });
  try {
    settings.signal?.throwIfAborted();
    await refuseUnfit(client);
    const count = await (settings.migrations ?? migrate)(client);
    if (count > 0) settings.log.info({ count }, 'database migrations applied');
  } finally {
    settings.signal?.removeEventListener('abort', giveUp);
    await client.end().catch(() => undefined);
  }
}

/**
 * Connects, trying for the whole patience while nobody answers; a refusal (password, unknown database) ends it at once.
 */
async function reach(
  connection: pg.ClientConfig,
  { log, signal, patienceMs = 60_000 }: DatabaseSettings,
): Promise<pg.Client> {
  const deadline = Date.now() + patienceMs;
  for (let tries = 0; ; tries += 1) {
    const client = new pg.Client({ ...connection, application_name: 'lampyris', connectionTimeoutMillis: 5000 });
    client.on('error', () => undefined);
    try {
      await client.connect();
      return client;
    } catch (thrown) {
      await client.end().catch(() => undefined);
      const place = `${client.host}:${client.port}/${client.database ?? ''}`;
      if (isRefusal(thrown))
        throw new StartError(`The database at ${place} refuses the connection: ${reasonOf(thrown)}`);
      if (Date.now() >= deadline)
        throw new StartError(
          `The database at ${place} could not be reached for ${Math.round(patienceMs / 1000)} s: ${reasonOf(thrown)}`,
        );
      if (tries === 0) log.warn({ place, reason: reasonOf(thrown) }, 'the database does not answer yet; trying on');
      await sleep(Math.min(1000, Math.max(0, deadline - Date.now())), undefined, signal ? { signal } : {});
    }
  }
}

function isRefusal(thrown: unknown): boolean {
  const code = codeOf(thrown) ?? '';
  return code.startsWith('28') || code === '3D000';
}

async function refuseUnfit(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ version: string; name: string; encoding: string }>(
    `SELECT current_setting('server_version_num') AS version, current_setting('server_version') AS name,
      current_setting('server_encoding') AS encoding`,
  );
  const found = rows[0];
  if (!found || Number(found.version) < 150_000)
    throw new StartError(
      `PostgreSQL 15 or newer is needed; DATABASE_URL leads to ${found?.name ?? 'an unknown version'}.`,
    );
  if (found.encoding !== 'UTF8')
    throw new StartError(`The database must be encoded in UTF8; DATABASE_URL leads to one in ${found.encoding}.`);
}

/**
 * Says why the database cannot be used now, on one line; undefined when it can. Answers within 1.5 s, whatever the
 * database and those who ask it do: over a connection of its own, which is left when it does not answer. Who asks
 * meanwhile waits for the same question.
 */
export function createUsability(
  connection: pg.PoolConfig,
  patienceMs = 1500,
): { readonly ask: () => Promise<string | undefined>; readonly stop: () => Promise<void> } {
  const pool = new pg.Pool({
    ...connection,
    max: 1,
    application_name: 'lampyris readiness',
    connectionTimeoutMillis: patienceMs,
    query_timeout: patienceMs,
  });
  pool.on('error', () => undefined);
  let asked: Promise<string | undefined> | undefined;
  const ask = async () => {
    try {
      await pool.query('SELECT 1');
      return undefined;
    } catch (thrown) {
      return `the database cannot be used: ${reasonOf(thrown)}`;
    } finally {
      asked = undefined;
    }
  };
  return {
    ask: () => Promise.race([(asked ??= ask()), sleep(patienceMs, 'the database does not answer', { ref: false })]),
    stop: () => pool.end(),
  };
}
