import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import '../../testing/global-setup.ts';
import { countTables, fillTables } from '../../testing/rows-of-schema.ts';
import { migrate, readMigrations } from './migrate.ts';

/**
 * Every state that a database may have been left in, with rows in all its tables, comes to the newest and loses none.
 */
const migrations = readMigrations();
const server = inject('testServer');
const prefix = `upgrade_${randomBytes(4).toString('hex')}`;
const administrator = new pg.Client({ ...server, database: 'postgres' });
const states = Array.from({ length: migrations.length }, (_, index) => index + 1);
const nameOf = (state: number): string => `${prefix}_${state}`;

async function within<T>(database: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ ...server, database });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

beforeAll(async () => {
  await administrator.connect();
  await administrator.query(`CREATE DATABASE ${prefix} TEMPLATE template0`);
  for (const state of states) {
    await within(prefix, (client) => migrate(client, migrations.slice(0, state)));
    await administrator.query(`CREATE DATABASE ${nameOf(state)} TEMPLATE ${prefix} STRATEGY file_copy`);
  }
});
afterAll(async () => {
  for (const name of [prefix, ...states.map(nameOf)])
    await administrator.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
  await administrator.end();
});

test.each(states)('from the state after migration %i', async (state) => {
  await within(nameOf(state), async (client) => {
    const before = await fillTables(client, 3);
    expect(await migrate(client, migrations)).toBe(migrations.length - state);
    const after = await countTables(client);
    const lost = Object.entries(before).filter(([name, rows]) => (after[name] ?? 0) < rows);
    expect(Object.fromEntries(lost)).toEqual({});
  });
});
