import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import '../../testing/global-setup.ts';
import { countTables, fillTables } from '../../testing/rows-of-schema.ts';
import { migrate, readMigrations } from './migrate.ts';

/**
 * Every state that a database may have been left in, with rows in all its tables, comes to the newest and loses none.
 * Each migration is a transaction of its own: rows of one state go on with those of the states before it, a step at a
 * time.
 */
const migrations = readMigrations();
const server = inject('testServer');
const name = `upgrade_${randomBytes(4).toString('hex')}`;
const administrator = new pg.Client({ ...server, database: 'postgres' });
const states = Array.from({ length: migrations.length }, (_, index) => index + 1);
const rowsOfState = 3;

async function lostBy(client: pg.Client, before: Readonly<Record<string, number>>) {
  const after = await countTables(client);
  return Object.fromEntries(Object.entries(before).filter(([table, rows]) => (after[table] ?? 0) < rows));
}

beforeAll(async () => {
  await administrator.connect();
});
afterAll(async () => {
  await administrator.end();
});

async function emptyDatabase(): Promise<pg.Client> {
  await administrator.query(`CREATE DATABASE ${name} TEMPLATE template0`);
  const client = new pg.Client({ ...server, database: name });
  await client.connect();
  return client;
}
async function drop(client: pg.Client): Promise<void> {
  await client.end();
  await administrator.query(`DROP DATABASE ${name} WITH (FORCE)`);
}

describe('with rows of all states before it', () => {
  let client: pg.Client;
  beforeAll(async () => {
    client = await emptyDatabase();
  });
  afterAll(() => drop(client));

  test.each(states)('from the state after migration %i to the next', async (state) => {
    // Only the first one finds an empty database.
    expect(await migrate(client, migrations.slice(0, state))).toBe(state === 1 ? 1 : 0);
    const before = await fillTables(client, rowsOfState, rowsOfState * state);
    expect(await migrate(client, migrations.slice(0, state + 1))).toBe(state === migrations.length ? 0 : 1);
    expect(await lostBy(client, before)).toEqual({});
  });
});

test('from the first state to the newest in one go', async () => {
  const client = await emptyDatabase();
  try {
    await migrate(client, migrations.slice(0, 1));
    const before = await fillTables(client, rowsOfState);
    expect(await migrate(client, migrations)).toBe(migrations.length - 1);
    expect(await lostBy(client, before)).toEqual({});
  } finally {
    await drop(client);
  }
});
