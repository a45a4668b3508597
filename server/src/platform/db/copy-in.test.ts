import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { expect, test } from 'vitest';
import { testDatabase } from '../../testing/database.ts';
import { copyRows } from './copy-in.ts';

const database = await testDatabase();

async function withClient(work: (client: pg.Client, pid: number) => Promise<void>): Promise<void> {
  const client = new pg.Client({ connectionString: database.url });
  client.on('error', () => undefined);
  await client.connect();
  try {
    await client.query('BEGIN; CREATE TEMPORARY TABLE copied (number integer, text text)');
    const {
      rows: [own],
    } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    await work(client, own?.pid ?? 0);
  } finally {
    await client.end();
  }
}

const statement = 'COPY copied (number, text) FROM STDIN';
const lines = (from: number, count: number) =>
  Buffer.from(Array.from({ length: count }, (_, index) => `${from + index}\t${'x'.repeat(1000)}\n`).join(''));

test('rows come in, in pieces that end anywhere, and are counted', async () => {
  await withClient(async (client) => {
    const rows = copyRows(client, statement);
    const bytes = lines(1, 3000);
    for (let at = 0; at < bytes.length; at += 16_411) await rows.write(bytes.subarray(at, at + 16_411));
    expect(await rows.end()).toBe(3000);
    expect((await client.query('SELECT count(*)::integer AS count, max(number) AS last FROM copied')).rows).toEqual([
      { count: 3000, last: 3000 },
    ]);
    expect(await copyRows(client, statement).end()).toBe(0);
  });
});

test('what is given up in the middle is taken back, and the connection answers', async () => {
  await withClient(async (client) => {
    await client.query('SAVEPOINT before');
    const rows = copyRows(client, statement);
    for (let from = 1; from < 3000; from += 100) await rows.write(lines(from, 100));
    await rows.giveUp('the source is torn');
    await rows.giveUp('twice');
    await expect(rows.write(lines(1, 1))).rejects.toThrow('the source is torn');
    await expect(rows.end()).rejects.toThrow('the source is torn');
    await client.query('ROLLBACK TO before');
    expect((await client.query('SELECT count(*)::integer AS count FROM copied')).rows).toEqual([{ count: 0 }]);
  });
});

test('given up before the database is ready for rows', async () => {
  await withClient(async (client) => {
    await client.query('SAVEPOINT before');
    await copyRows(client, statement).giveUp('at once');
    await client.query('ROLLBACK TO before');
    expect((await client.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
  });
});

test('a row that the database refuses, a table that is not there: thrown once, by a write or the end; nothing is written afterwards', async () => {
  await withClient(async (client) => {
    for (const [bad, said] of [
      ['COPY nowhere FROM STDIN', /"nowhere" does not exist/],
      [statement, /invalid input syntax for type integer/],
    ] as const) {
      await client.query('SAVEPOINT before');
      const rows = copyRows(client, bad);
      const filled = (async () => {
        await rows.write(Buffer.from('none\tx\n'));
        for (let from = 1; from < 20_000; from += 100) await rows.write(lines(from, 100));
        return rows.end();
      })();
      await expect(filled).rejects.toThrow(said);
      await rows.giveUp('it failed already');
      await expect(rows.write(lines(1, 1))).rejects.toThrow(said);
      await client.query('ROLLBACK TO before');
    }
  });
});

test('a connection that is lost in the middle ends the write, and giving up does not wait for it', async () => {
  await withClient(async (client, pid) => {
    const rows = copyRows(client, statement);
    await rows.write(lines(1, 100));
    const filled = (async () => {
      for (;;) {
        await rows.write(lines(1, 100));
        await sleep(0);
      }
    })();
    const ended = expect(filled).rejects.toThrow(/terminat|ECONNRESET|EPIPE/i);
    await database.pool.query('SELECT pg_terminate_backend($1)', [pid]);
    await ended;
    await rows.giveUp('the connection is lost');
  });
});
