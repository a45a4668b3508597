import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { testClock } from '../../testing/clock.ts';
import { testDatabase } from '../../testing/database.ts';
import * as sheetKinds from '../../testing/sheet-kinds.ts';
import { testSheets } from '../../testing/sheets.ts';
import { createLog } from '../log.ts';

const database = await testDatabase();
const clock = testClock();
const sheetsOfTest = () => testSheets({ database, clock, log: createLog('silent') });
const sheets = sheetsOfTest();
/** How many connections of workers the database knows. */
const connections = async () =>
  (
    await database.pool.query<{ n: number }>(
      `SELECT count(*) AS n FROM pg_stat_activity WHERE application_name = 'lampyris sheet'
        AND datname = current_database()`,
    )
  ).rows[0]?.n;
const queries = async () =>
  (
    await database.pool.query<{ query: string }>(
      `SELECT query FROM pg_stat_activity WHERE application_name = 'lampyris sheet' AND state = 'active'
        AND datname = current_database()`,
    )
  ).rows.map(({ query }) => query);
const patient = { timeout: 10_000 };
const errorOf = async (stream: Readable): Promise<unknown> => ((await once(stream.resume(), 'error')) as [unknown])[0];

describe('a reader that goes away', () => {
  test('ends the rows and the connection', async () => {
    const stream = sheets.stream(sheetKinds.endless, null);
    await once(stream, 'readable');
    stream.destroy();
    await once(stream, 'close');
    await expect.poll(connections, patient).toBe(0);
  });

  test('ends a query that has not answered', async () => {
    const stream = sheets.stream(sheetKinds.waiting, null);
    await expect.poll(queries, patient).toEqual([expect.stringContaining('pg_sleep')]);
    stream.destroy();
    await expect.poll(queries, patient).toEqual([]);
  });

  test('and takes nothing is let go after two minutes', async () => {
    const stream = sheets.stream(sheetKinds.endless, null);
    const error = once(stream, 'error');
    await once(stream, 'readable');
    await expect.poll(() => stream.readableLength, patient).toBeGreaterThanOrEqual(stream.readableHighWaterMark);
    await clock.advance(120_000);
    expect(await error).toEqual([expect.objectContaining({ code: 'exportStopped' })]);
  });
});

test('no more is written than is taken', async () => {
  const rows: number[] = [];
  const stream = sheets.stream(sheetKinds.endless, null, (written) => rows.push(written));
  await once(stream, 'readable');
  await expect.poll(() => stream.readableLength, patient).toBeGreaterThanOrEqual(stream.readableHighWaterMark);
  const before = rows.length;
  for (let taken = 0; taken < 4_000_000;)
    taken += ((stream.read() as Buffer | null) ?? (await once(stream, 'readable'), Buffer.alloc(0))).length;
  expect(rows.length).toBeGreaterThan(before);
  expect(stream.readableLength).toBeLessThan(2 ** 20);
  stream.destroy();
});

describe('what goes wrong', () => {
  test('a refusal of the rows arrives as that refusal', async () => {
    expect(await errorOf(sheets.stream(sheetKinds.refusing, null))).toMatchObject({
      name: 'Refusal',
      code: 'exportTooLarge',
      values: { count: 7, limit: 5 },
    });
  });

  test('an error of the rows arrives with its cause', async () => {
    expect(await errorOf(sheets.stream(sheetKinds.broken, null))).toMatchObject({
      message: 'the rows of a sheet could not be read',
      cause: expect.stringContaining('no_such_column') as string,
    });
  });

  test.each([sheetKinds.crashing, sheetKinds.hungry])('a thread that dies is told as such: $name', async (kind) => {
    expect(await errorOf(sheets.stream(kind, null))).toMatchObject({ name: 'Refusal', code: 'exportStopped' });
    await expect.poll(connections, patient).toBe(0);
  });

  test('a sheet nobody knows', async () => {
    expect(await errorOf(sheets.stream({ ...sheetKinds.endless, name: 'unknown' }, null))).toMatchObject({
      cause: expect.stringContaining('there is no sheet named unknown') as string,
    });
  });
});

test('a stop ends what is under way and begins nothing more', async () => {
  const stopping = sheetsOfTest();
  const stream = stopping.stream(sheetKinds.endless, null);
  const error = errorOf(stream);
  await stopping.stop();
  expect(await error).toMatchObject({ code: 'notReady' });
  expect(() => stopping.stream(sheetKinds.endless, null)).toThrow('notReady');
});

test('a whole sheet comes out of the product’s own worker, as a workbook or as text', async () => {
  const own = testSheets({ database, clock, log: createLog('silent') });
  const { logSheet } = await import('../../people/logs/log-sheet.ts');
  const days = { from: new Date('2026-01-01'), until: new Date('2026-01-02') };
  const [book, text] = await Promise.all(
    (['xlsx', 'csv'] as const).map((format) =>
      buffer(
        own.stream(
          logSheet,
          { log: 'login_log', days, count: 0, most: 5, language: 'zh-CN', timezoneOffset: 0 },
          undefined,
          format,
        ),
      ),
    ),
  );
  expect(book?.subarray(0, 2).toString()).toBe('PK');
  expect(text?.toString()).toMatch(/^\ufeff[^,]+(,[^,]+){5}\r\n$/);
});
