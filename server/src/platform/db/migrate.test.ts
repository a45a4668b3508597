import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { startScript } from '../../testing/child.ts';
import { testDatabase } from '../../testing/database.ts';
import { lockNumbers } from './locks.ts';
import { migrate, pendingMigrations, readMigrations } from './migrate.ts';

const { url, pool } = await testDatabase();
const script = 'server/src/testing/scripts/migrate.ts';
const folder = mkdtempSync(join(tmpdir(), 'lampyris-migrations-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const files: Record<string, string> = {
  '0001_first.sql': 'CREATE TABLE one (id integer)',
  // Says where it is and then takes its time: the place to be killed in.
  '0002_slow.sql': `CREATE TABLE two (id integer); DO $$ BEGIN RAISE NOTICE 'inside'; PERFORM pg_sleep(0.6); END $$;
    INSERT INTO two VALUES (1)`,
  '0003_third.sql': 'CREATE TABLE three (id integer); INSERT INTO three VALUES (1)',
};

beforeEach(async () => {
  await pool.query('DROP SCHEMA public CASCADE');
  await pool.query('CREATE SCHEMA public');
  for (const [name, sql] of Object.entries(files)) writeFileSync(join(folder, name), sql);
});

async function state(): Promise<{ migrations: number[]; tables: string[] }> {
  const migrations = await pool.query<{ number: number }>('SELECT number FROM schema_migration ORDER BY number');
  const tables = await pool.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'
      ORDER BY relname COLLATE "C"`,
  );
  return { migrations: migrations.rows.map((row) => row.number), tables: tables.rows.map((row) => row.name) };
}

const whole = { migrations: [1, 2, 3], tables: ['one', 'schema_migration', 'three', 'two'] };

test('a kill inside a migration leaves nothing of it, and the next start finishes', async () => {
  const killed = startScript(script, [url, folder]);
  await killed.line(/inside/);
  killed.process.kill('SIGKILL');
  expect(await killed.ended).toBe('SIGKILL');
  const again = startScript(script, [url, folder]);
  await again.line(/done/);
  expect(await again.ended).toBe(0);
  expect(await state()).toEqual(whole);
  expect((await pool.query('SELECT * FROM two')).rowCount).toBe(1);
});

test('two programs starting at once: each migration runs once', async () => {
  const both = [startScript(script, [url, folder]), startScript(script, [url, folder])];
  const said = await Promise.all(both.map((child) => child.line(/done/)));
  expect(said.toSorted()).toEqual(['done 0', 'done 3']);
  expect(await state()).toEqual(whole);
});

test('a database newer than the program, and an edited migration, are refused with one line', async () => {
  const client = new pg.Client(url);
  await client.connect();
  try {
    const migrations = readMigrations(folder);
    await migrate(client, migrations);
    await expect(migrate(client, migrations.slice(0, 2))).rejects.toThrow(
      'The database is newer than this program: it has migration 3 (0003_third.sql), the program knows 2. Start the newer program.',
    );
    const edited = migrations.map((migration) =>
      migration.number === 2 ? { ...migration, checksum: 'other' } : migration,
    );
    await expect(migrate(client, edited)).rejects.toThrow(/0002_slow\.sql was changed after it ran/);
    expect(await state()).toEqual(whole);
  } finally {
    await client.end();
  }
});

test('what a start would run is listed with its purpose, beside a running migration, and nothing is changed', async () => {
  writeFileSync(
    join(folder, '0003_third.sql'),
    '-- A third table.\n-- It has a row.\n\nCREATE TABLE three (id integer)',
  );
  const migrations = readMigrations(folder);
  const client = new pg.Client(url);
  await client.connect();
  try {
    const third = { name: '0003_third.sql', purpose: 'A third table. It has a row.' };
    const all = [{ name: '0001_first.sql', purpose: 'first' }, { name: '0002_slow.sql', purpose: 'slow' }, third];
    expect(await pendingMigrations(client, migrations)).toEqual({ applied: 0, newest: undefined, pending: all });
    expect((await pool.query(`SELECT to_regclass('schema_migration') AS made`)).rows).toEqual([{ made: null }]);
    await migrate(client, migrations.slice(0, 2));
    const holder = await pool.connect();
    try {
      // Another start is at work: nobody waits for it.
      await holder.query('SELECT pg_advisory_lock($1)', [lockNumbers.migrations]);
      expect(await pendingMigrations(client, migrations)).toEqual({
        applied: 2,
        newest: { name: '0002_slow.sql', appliedAt: expect.any(Date) as Date },
        pending: [third],
      });
    } finally {
      await holder.query('SELECT pg_advisory_unlock_all()');
      holder.release();
    }
    expect(await state()).toEqual({ migrations: [1, 2], tables: ['one', 'schema_migration', 'two'] });
    await expect(pendingMigrations(client, migrations.slice(0, 1))).rejects.toThrow(/newer than this program/);
  } finally {
    await client.end();
  }
});

test('a migration that fails names itself and leaves the ones before it', async () => {
  writeFileSync(join(folder, '0003_third.sql'), 'CREATE TABLE three (id integer); SELECT nonsense');
  const client = new pg.Client(url);
  await client.connect();
  await expect(migrate(client, readMigrations(folder))).rejects.toThrow(/0003_third\.sql failed: column "nonsense"/);
  await client.end();
  expect(await state()).toEqual({ migrations: [1, 2], tables: ['one', 'schema_migration', 'two'] });
});

test('numbers follow each other', () => {
  writeFileSync(join(folder, '0005_gap.sql'), 'SELECT 1');
  expect(() => readMigrations(folder)).toThrow(/expected number 0004/);
  rmSync(join(folder, '0005_gap.sql'));
});
