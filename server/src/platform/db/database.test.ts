import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { testDatabase } from '../../testing/database.ts';
import { createLog } from '../log.ts';
import { connect, createUsability, prepared } from './index.ts';

const { db, url, connection } = await testDatabase();

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

test('a statement of a request is ended when it takes too long, prepared ones too; work beside requests takes its time', async () => {
  const database = connect(connection, createLog('silent'), () => undefined, 200);
  await expect(sql`SELECT pg_sleep(20)`.execute(database.answering)).rejects.toMatchObject({ code: '57014' });
  const name = prepared('a long one');
  await expect(sql`${name} SELECT pg_sleep(${20})`.execute(database.answering)).rejects.toMatchObject({ code: '57014' });
  await expect(sql`SELECT pg_sleep(0.4)`.execute(database.db)).resolves.toBeDefined();
  const limits = await Promise.all([database.db, database.answering].map(async (on) => (await sql<{ statement_timeout: string }>`SHOW statement_timeout`.execute(on)).rows[0]?.statement_timeout));
  expect(limits).toEqual(['0', '200ms']);
  await database.stop();
});

test('a database that says nothing is told of soon, and asked only once', async () => {
  let asked = 0;
  let answer: (() => void) | undefined;
  const silent = { query: (() => { asked += 1; return new Promise((resolve) => { answer = () => resolve({ rows: [] }); }); }) as never };
  const usability = createUsability(silent);
  expect(await Promise.all([usability(), usability()])).toEqual(Array(2).fill('the database does not answer'));
  expect(await usability()).toBe('the database does not answer');
  expect(asked).toBe(1);
  answer?.();
  await expect.poll(async () => { const now = usability(); answer?.(); return now; }).toBeUndefined();
});
