import { AsyncLocalStorage } from 'node:async_hooks';
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { afterAll, inject } from 'vitest';
import { connect, type Database } from '../platform/db/index.ts';
import { createLog } from '../platform/log.ts';
import './global-setup.ts';

export interface TestDatabase extends Database {
  /** For a child process: what DATABASE_URL takes. */
  readonly url: string;
}

/**
 * A migrated, empty database of this test file's own, cloned from the template in about 0.1 s. Call it at the top of the file
 * (`const database = await testDatabase()`): it is dropped after the file's tests.
 */
export async function testDatabase(): Promise<TestDatabase> {
  const server = inject('testServer');
  const name = await create('TEMPLATE lampyris');
  const database = guarded(connect({ ...server, database: name, max: 8 } as pg.ClientConfig, createLog('warn')));
  afterAll(async () => {
    await database.stop();
    await drop(name);
  });
  return { ...database, url: urlOf(name) };
}

/** A database without a table, as `createdb` makes it; whoever calls it within a test drops it with that. */
export async function emptyDatabase(): Promise<{ readonly url: string; readonly drop: () => Promise<void> }> {
  const name = await create('TEMPLATE template0');
  return { url: urlOf(name), drop: () => drop(name) };
}

async function create(from: string): Promise<string> {
  const name = `test_${randomBytes(6).toString('hex')}`;
  await asAdministrator(inject('testServer'), `CREATE DATABASE ${name} ${from}`);
  return name;
}

const drop = (name: string): Promise<void> => asAdministrator(inject('testServer'), `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);

function urlOf(name: string): string {
  const { host, port, user } = inject('testServer');
  return `postgres://${user}@localhost/${name}?host=${encodeURIComponent(host)}&port=${port}`;
}

async function asAdministrator(server: pg.ClientConfig, statement: string): Promise<void> {
  const client = new pg.Client({ ...server, database: 'postgres' });
  await client.connect();
  try {
    await client.query(statement);
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
        return execute((tx) => transactions.run(state, () => work(tx))).finally(() => { state.open = false; });
      };
      return builder;
    };
  }
  return database;
}

/**
 * Work inside a transaction of the product that asks a pool for another connection fails: as many such transactions as the pool has connections
 * would wait for each other for ever, and what is locked stays so meanwhile.
 */
const connectOne = pg.Pool.prototype.connect as (...args: unknown[]) => unknown;
pg.Pool.prototype.connect = function guardedConnect(this: pg.Pool, ...args: unknown[]) {
  if (transactions.getStore()?.open) throw new Error('A transaction asks the pool for another connection: hand its own down, or ask before it begins.');
  return connectOne.apply(this, args);
} as typeof pg.Pool.prototype.connect;
