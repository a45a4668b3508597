import { once } from 'node:events';
import { connect as dial, createServer, type AddressInfo } from 'node:net';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { testDatabase } from '../../testing/database.ts';
import { createLog } from '../log.ts';
import { codeOf } from '../start-error.ts';
import { connect, createUsability, prepared } from './index.ts';

const { db, url, connection } = await testDatabase();

test('ids and counts arrive as numbers', async () => {
  const area = await db
    .insertInto('work_area')
    .values({ work_code: 'W1', work_name: '滨江新区' })
    .returning('id')
    .executeTakeFirstOrThrow();
  const { count } = await db
    .selectFrom('work_area')
    .select((expression) => expression.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  expect(area.id).toBeTypeOf('number');
  expect(count).toBe(1);
});

test('codes are unique without regard to case and width, and sort naturally', async () => {
  await expect(db.insertInto('work_area').values({ work_code: 'ｗ1', work_name: 'again' }).execute()).rejects.toThrow(
    /work_area_code/,
  );
  const { rows } = await sql<{
    code: string;
  }>`SELECT code FROM (VALUES ('P10'), ('P2')) v(code) ORDER BY code COLLATE natural_order`.execute(db);
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
  const database = connect(connection, createLog('silent'), () => undefined, {
    statementMs: 200,
    connectionMs: 10_000,
  });
  await expect(sql`SELECT pg_sleep(20)`.execute(database.answering)).rejects.toMatchObject({ code: '57014' });
  const name = prepared('a long one');
  await expect(sql`${name} SELECT pg_sleep(${20})`.execute(database.answering)).rejects.toMatchObject({
    code: '57014',
  });
  await expect(sql`SELECT pg_sleep(0.4)`.execute(database.db)).resolves.toBeDefined();
  const limits = await Promise.all(
    [database.db, database.answering].map(
      async (on) =>
        (await sql<{ statement_timeout: string }>`SHOW statement_timeout`.execute(on)).rows[0]?.statement_timeout,
    ),
  );
  expect(limits).toEqual(['0', '200ms']);
  await database.stop();
});

test('who waits for a connection too long is told so; work beside requests waits on', async () => {
  const database = connect({ ...connection, max: 1 }, createLog('silent'), () => undefined, {
    statementMs: 20_000,
    connectionMs: 50,
  });
  const { promise, resolve } = Promise.withResolvers<void>();
  // On a busy machine connecting alone may take longer than may be waited: who asked is refused, the connection stands and is free.
  let holding = 0;
  const hold = (on: typeof database.db): Promise<void> =>
    on
      .connection()
      .execute(() => {
        holding += 1;
        return promise;
      })
      .catch((thrown: unknown) => (codeOf(thrown) === 'ETIMEDOUT' ? hold(on) : Promise.reject(thrown)));
  const held = [database.db, database.answering].map(hold);
  await expect.poll(() => holding).toBe(2);
  const beside = sql`SELECT 1`.execute(database.db);
  await expect(sql`SELECT 1`.execute(database.answering)).rejects.toMatchObject({ code: 'ETIMEDOUT' });
  resolve();
  await Promise.all([...held, beside]);
  await database.stop();
});

test('a database that says nothing is told of in time, over a connection of its own, which is left; it is usable again as soon as it answers', async () => {
  let frozen = false;
  let opened = 0;
  const between = createServer((socket) => {
    opened += 1;
    const onward = dial({ path: `${connection.host}/.s.PGSQL.${connection.port}` });
    for (const [from, to] of [
      [socket, onward],
      [onward, socket],
    ] as const) {
      from.on('data', (chunk) => {
        if (!frozen) to.write(chunk);
      });
      from.on('error', () => undefined);
      from.on('close', () => to.destroy());
    }
  }).listen(0, '127.0.0.1');
  await once(between, 'listening');
  const { port } = between.address() as AddressInfo;
  const usability = createUsability({ ...connection, host: '127.0.0.1', port }, 2000);
  expect(await usability.ask()).toBeUndefined();
  frozen = true;
  expect(await Promise.all([usability.ask(), usability.ask()])).toEqual(
    Array(2).fill(expect.stringMatching(/^the database (does not answer|cannot be used)/)),
  );
  expect(opened).toBe(1);
  frozen = false;
  await expect.poll(() => usability.ask()).toBeUndefined();
  expect(opened).toBeGreaterThan(1);
  await usability.stop();
  between.close();
});
