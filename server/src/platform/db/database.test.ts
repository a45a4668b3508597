import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { testDatabase } from '../../testing/database.ts';

const { db, url } = await testDatabase();

test('ids and counts arrive as numbers', async () => {
  const area = await db.insertInto('work_area').values({ work_code: 'W1', work_name: '滨江新区' }).returning('id').executeTakeFirstOrThrow();
  const { count } = await db.selectFrom('work_area').select((expression) => expression.fn.countAll<number>().as('count')).executeTakeFirstOrThrow();
  expect(area.id).toBeTypeOf('number');
  expect(count).toBe(1);
});

test('codes are unique without regard to case and width, and sort naturally', async () => {
  await expect(db.insertInto('work_area').values({ work_code: 'ｗ1', work_name: 'again' }).execute()).rejects.toThrow(/work_area_code/);
  const { rows } = await sql<{ code: string }>`SELECT code FROM (VALUES ('P10'), ('P2')) v(code) ORDER BY code COLLATE natural_order`.execute(db);
  expect(rows.map((row) => row.code)).toEqual(['P2', 'P10']);
});

test('trigram search finds Chinese', async () => {
  const { rows } = await sql<{ found: boolean }>`SELECT show_trgm('滨江路') <> '{}' AS found`.execute(db);
  expect(rows).toEqual([{ found: true }]);
});

test('a child process reaches the same database by its address', () => {
  expect(url).toMatch(/^postgres:\/\/lampyris@localhost\/test_/);
});
