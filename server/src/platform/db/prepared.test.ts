import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { testDatabase } from '../../testing/database.ts';
import { prepared } from './prepared.ts';

const { db } = await testDatabase();
const twice = (value: number, tx = db) =>
  sql<{ n: number }>`${prepared('twice a number')} SELECT ${value}::int * 2 AS n`.execute(tx);

test('a marked statement is kept by its connection and planned there once, whatever its values; others are not kept', async () => {
  await db.connection().execute(async (one) => {
    for (const value of [1, 2, 3]) expect((await twice(value, one)).rows).toEqual([{ n: value * 2 }]);
    expect((await sql`SELECT ${1}::int AS n`.execute(one)).rows).toEqual([{ n: 1 }]);
    const { rows } = await sql<{ name: string }>`SELECT name FROM pg_prepared_statements`.execute(one);
    expect(rows).toEqual([{ name: 'twice a number' }]);
  });
});

test('many connections at once, and a change of the tables underneath, do it no harm', async () => {
  await sql`CREATE TABLE kept_plan (a int)`.execute(db);
  await sql`INSERT INTO kept_plan VALUES (1)`.execute(db);
  const ask = () => sql<{ a: number }>`${prepared('kept plan')} SELECT a FROM kept_plan WHERE a > ${0}`.execute(db);
  const all = await Promise.all(Array.from({ length: 20 }, ask));
  expect(all.every(({ rows }) => rows[0]?.a === 1)).toBe(true);
  await sql`ALTER TABLE kept_plan ADD COLUMN b text`.execute(db);
  await sql`CREATE INDEX ON kept_plan (a)`.execute(db);
  expect((await ask()).rows).toEqual([{ a: 1 }]);
});
