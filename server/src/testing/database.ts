import { AsyncLocalStorage } from 'node:async_hooks';
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { afterAll, inject } from 'vitest';
import { connect, type Database, type Db } from '../platform/db/index.ts';
import { createLog } from '../platform/log.ts';
import './global-setup.ts';

export interface TestDatabase extends Database {
  /** For a child process: what DATABASE_URL takes. */
  readonly url: string;
}

/** A database that others are cloned from, made by the first who asks for it. */
export interface Template {
  /** As a name in SQL; one for all test files of a run. */
  readonly name: string;
  /** Fills a migrated, empty database. */
  readonly fill: (db: Db) => Promise<void>;
}

/**
 * A database of this test file's own, cloned in about 0.1 s: migrated and empty unless a template is given. Call it at
 * the top of the file (`const database = await testDatabase()`): it is dropped after the file's tests.
 */
export async function testDatabase(template?: Template): Promise<TestDatabase> {
  const server = inject('testServer');
  if (template) await makeOnce(template);
  const name = await create(`TEMPLATE ${template?.name ?? 'lampyris'}`);
  const database = guarded(connect({ ...server, database: name, max: 8 } as pg.ClientConfig, createLog('warn')));
  afterAll(async () => {
    await database.stop();
    await drop(name);
  });
  return { ...database, url: urlOf(name) };
}

/** A database without a table, as `createdb` makes it; whoever calls it within a test drops it with that. */
export async function emptyDatabase(): Promise<{ readonly url: string; readonly drop: () => Promise<unknown> }> {
  const name = await create('TEMPLATE template0');
  return { url: urlOf(name), drop: () => drop(name) };
}

// "TMPL", read as a number: one test file makes a template, others wait.
const templateLock = 0x544d504c;

async function makeOnce({ name, fill }: Template): Promise<void> {
  const server = inject('testServer');
  await asAdministrator(async (administrator) => {
    await administrator.query('SELECT pg_advisory_lock($1)', [templateLock]);
    if ((await administrator.query('SELECT FROM pg_database WHERE datname = $1', [name])).rowCount !== 0) return;
    const half = await create('TEMPLATE lampyris');
    try {
      const database = connect({ ...server, database: half, max: 1 }, createLog('warn'));
      try {
        await fill(database.db);
      } finally {
        await database.stop();
      }
      // Whole before it has its name.
      await administrator.query(`ALTER DATABASE ${half} RENAME TO ${name}`);
    } finally {
      await drop(half);
    }
  });
}

async function create(from: string): Promise<string> {
  const name = `test_${randomBytes(6).toString('hex')}`;
  await asAdministrator((client) => client.query(`CREATE DATABASE ${name} ${from}`));
  return name;
}

const drop = (name: string): Promise<unknown> =>
  asAdministrator((client) => client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`));

function urlOf(name: string): string {
  const { host, port, user } = inject('testServer');
  return `postgres://${user}@localhost/${name}?host=${encodeURIComponent(host)}&port=${port}`;
}

async function asAdministrator<T>(work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ ...inject('testServer'), database: 'postgres' });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

const transactions = new AsyncLocalStorage<{ open: boolean }>();

/** Marks what goes on inside the transactions that the product begins; tests may hold one open beside it. */
function guarded(database: Database): Database {
  for (const db of [database.db, database.answering]) {
    const begin = db.transaction.bind(db);
    db.transaction = () => {
      const builder = begin();
      if (/\/testing\/|\.test\.ts|\.soak\.ts/.test(new Error().stack?.split('\n')[2] ?? '')) return builder;
      const execute = builder.execute.bind(builder);
      builder.execute = (work) => {
        const state = { open: true };
        return execute((tx) => transactions.run(state, () => work(tx))).finally(() => {
          state.open = false;
        });
      };
      return builder;
    };
  }
  return database;
}

/**
 * Work inside a transaction of the product that asks a pool for another connection fails: as many such transactions as
 * the pool has connections would wait for each other for ever, and what is locked stays so meanwhile.
 */
const connectOne = pg.Pool.prototype.connect as (...args: unknown[]) => unknown;
pg.Pool.prototype.connect = function guardedConnect(this: pg.Pool, ...args: unknown[]) {
  if (transactions.getStore()?.open)
    throw new Error('A transaction asks the pool for another connection: hand its own down, or ask before it begins.');
  return connectOne.apply(this, args);
} as typeof pg.Pool.prototype.connect;
