import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql, type RawBuilder } from 'kysely';
import { readSheet } from 'read-excel-file/node';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ReplyOf } from '../../../../contract/route.ts';
import type { getHistorySeries, getHistoryStorage } from '../../../../contract/history/history.ts';
import { timeText } from '../../../../protocols/mqtt-json/codec.ts';
import { topicOf } from '../../../../protocols/mqtt-json/topics.ts';
import { createIngest } from '../../ingest/index.ts';
import { openFiles } from '../../platform/files/index.ts';
import { testApp, type TestParts } from '../../testing/app.ts';
import { testClock } from '../../testing/clock.ts';
import { givenArea, givenDevice } from '../../testing/devices.ts';
import { lockWaiters } from '../../testing/row-locks.ts';
import { sheetsHere } from '../../testing/sheets.ts';
import { createProofs } from '../../light/commands/index.ts';
import { createTasks, startTaskRunner, tasksRoutes, type TaskKinds } from '../../desk/tasks/index.ts';
import { cleanHistory } from './retention.ts';
import {
  createEnergy,
  createHistory,
  createHistoryStorage,
  createRoller,
  historyExportRoutes,
  historyExportTask,
  historyRoutes,
  startHistoryRetention,
} from './index.ts';
import { leavingNote } from './tables.store.ts';

type Storage = ReplyOf<typeof getHistoryStorage>;
const hour = 3_600_000;
const day = 24 * hour;
const start = Date.parse('2026-11-21T12:00:00Z');
const clock = testClock(new Date(start));
const folder = mkdtempSync(join(tmpdir(), 'lampyris-history-'));
const files = openFiles(folder);
const kindsOf = (parts: Pick<TestParts, 'db' | 'clock' | 'log' | 'database' | 'sessions'>) =>
  historyExportTask({
    db: parts.db,
    sheets: sheetsHere(parts),
    areasOf: parts.sessions.workAreasOf,
  }) as unknown as TaskKinds;
const app = await testApp({
  clock,
  logLevel: 'silent',
  routes: (parts) => {
    const tasks = createTasks({ ...parts, files, kinds: kindsOf(parts) });
    return [
      ...historyRoutes(createHistory(parts), createEnergy(parts), createHistoryStorage({ ...parts, dataDir: folder })),
      ...tasksRoutes(tasks),
      ...historyExportRoutes(tasks),
    ];
  },
});
const { db, log, bus, call, signIn } = app;
const ingest = createIngest({ db, bus, clock, log, proofs: createProofs({ bus }), stored: () => undefined });
const roller = createRoller({ db, clock, log });
const stopRetention = startHistoryRetention({ db, clock, log, patience: '50ms' });
const stopTasks = startTaskRunner({
  db,
  connection: app.database.connection,
  bus,
  clock,
  files,
  log,
  kinds: kindsOf(app),
});
let lamp = 0;

const send = (deviceId: number, readings: readonly (readonly [number, Record<string, unknown>])[]) =>
  ingest.take({
    topic: topicOf({ kind: 'readings', deviceId, viaId: null }),
    username: null,
    payload: Buffer.from(
      JSON.stringify({
        sentAt: timeText(clock.now().getTime()),
        readings: readings.map(([at, values]) => ({ at: timeText(at), values })),
      }),
    ),
  });
const hours = async () =>
  (
    await call<ReplyOf<typeof getHistorySeries>>(
      `/api/v1/history/series?deviceIds=${lamp}&quantities=level&from=${timeText(start - 70 * day)}&to=${timeText(start)}&resolution=hour`,
    )
  ).body.series[0]?.points.map(([, value]) => value);
const storage = async () => (await call<Storage>('/api/v1/history/storage')).body;
const put = (rawDays: number, hourYears = 5, before = { rawDays: 400, hourYears: 5 }) =>
  call<Storage>('/api/v1/history/storage', { method: 'PUT', body: { rawDays, hourYears, before } });
const tablesOf = async (part: string) => (await storage()).parts.find((one) => one.part === part)?.tables ?? [];

beforeAll(async () => {
  await givenArea(db);
  lamp = await givenDevice(db);
  await send(
    lamp,
    [60, 50, 40, 30, 20, 3, 2, 1].flatMap((days): [number, Record<string, unknown>][] => [
      [start - days * day, { level: days, relay: true, power: 55.55 }],
      [start - days * day + 600_000, { level: days, relay: false, power: 44.44 }],
    ]),
  );
  await roller.roll();
});
afterAll(async () => {
  stopRetention();
  await stopTasks();
  await ingest.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** A file that is being written reads what others want to take away. */
const isDone = (id: number) =>
  expect
    .poll(async () => (await call<{ state: string }>(`/api/v1/tasks/${id}`)).body.state, { timeout: 20_000 })
    .toBe('done');

describe('a file of curves', () => {
  const begin = async (body: Record<string, unknown>) => {
    const { status, body: task } = await call<{ id: number }>('/api/v1/history-exports', {
      body: {
        deviceIds: [lamp],
        quantities: ['level', 'relay', 'power'],
        from: timeText(start - 4 * day),
        to: timeText(start),
        ...body,
      },
    });
    expect(status).toBe(201);
    await isDone(task.id);
    return call(`/api/v1/tasks/${task.id}/file`);
  };

  it('with commas, of every reading', async () => {
    const { bytes, headers } = await begin({
      resolution: 'raw',
      format: 'csv',
      from: timeText(start - 2 * day),
      to: timeText(start - day),
    });
    expect(headers['content-type']).toContain('text/csv');
    const lines = bytes
      .toString()
      .replace('\ufeff', '')
      .trim()
      .split('\r\n')
      .map((line) => line.split(','));
    expect(lines[0]).toEqual([
      '时间',
      '设备编号',
      '设备名称',
      expect.stringContaining('%') as string,
      expect.any(String) as string,
      expect.stringContaining('W') as string,
      '数据质量',
    ]);
    expect(lines.slice(1).map((line) => [line[0], line[3], line[4], line[5], line[6]])).toEqual([
      ['2026-11-19 20:00:00', '2', '闭合', '55.55', '实测'],
      ['2026-11-19 20:10:00', '2', '断开', '44.44', '实测'],
    ]);
  });

  it('has a line for each of two readings that differ by microseconds alone, as those of corrected clocks do', async () => {
    const other = await givenDevice(db);
    await counted(
      sql`INSERT INTO reading (device_id, at, received_at, values)
        SELECT ${other}, ${timeText(start - day)}::timestamptz + x * interval '1 microsecond', now(),
        jsonb_build_object('level', x) FROM unnest('{1,99}'::int[]) AS x`,
    );
    const { bytes } = await begin({ deviceIds: [other], quantities: ['level'], resolution: 'raw', format: 'csv' });
    expect(
      bytes
        .toString()
        .trim()
        .split('\r\n')
        .slice(1)
        .map((line) => line.split(',')[3]),
    ).toEqual(['1', '99']);
    await counted(sql`DELETE FROM reading WHERE device_id = ${other}`);
  });

  it('as a sheet, of hours with their least and greatest', async () => {
    const rows = await readSheet((await begin({ resolution: 'hour', format: 'xlsx' })).bytes);
    expect(rows.map((row) => row.length)).toEqual([12, 12, 12, 12]);
    expect(rows[1]?.slice(3)).toEqual([3, 3, 3, '断开', 49.995, 44.44, 55.55, 2, '实测']);
  });

  it('is refused for what the caller does not see, and for more than a million rows, before any work', async () => {
    const { token } = await signIn({ username: 'elsewhere', permissions: ['device.export'] });
    const body = {
      deviceIds: [lamp],
      quantities: ['level'],
      from: timeText(start - day),
      to: timeText(start),
      resolution: 'raw',
      format: 'csv',
    };
    expect((await call('/api/v1/history-exports', { token, body })).status).toBe(403);
    expect((await call('/api/v1/history-exports', { body: { ...body, quantities: ['nothing'] } })).body).toMatchObject({
      code: 4203,
    });
    expect((await call('/api/v1/history-exports', { body: { ...body, format: 'pdf' } })).status).toBe(400);
    // A device that says more than anybody reads, on one whole day.
    await sql`UPDATE reading_day SET readings = 1000001 WHERE device_id = ${lamp} AND day = '2026-11-19'`.execute(db);
    expect(
      (await call('/api/v1/history-exports', { body: { ...body, from: timeText(start - 3 * day) } })).body,
    ).toMatchObject({ code: 3601, detail: expect.stringContaining('1000000') as string });
    const { body: task } = await call<{ id: number; total: number }>('/api/v1/history-exports', {
      body: { ...body, from: timeText(start - 2 * day + 3 * hour) },
    });
    expect(task.total).toBe(41_669);
    await isDone(task.id);
    await sql`UPDATE reading_day SET readings = 2 WHERE device_id = ${lamp} AND day = '2026-11-19'`.execute(db);
  });

  it('of hours is reckoned by days where they are many, and counted where they are few', async () => {
    const { rows } = await sql<{
      id: number;
    }>`INSERT INTO device (family, work_area_id, equipment_code) SELECT family, work_area_id, 'many ' || n
      FROM device, generate_series(1, 8) AS n WHERE id = ${lamp} RETURNING id`.execute(db);
    const ids = rows.map(({ id }) => id);
    await counted(
      sql`INSERT INTO reading_day (device_id, day, readings, keys, means, last_keys, lasts)
        SELECT id, '2026-01-01'::date + n, 96, '{}', '{}', '{}', '{}'
        FROM unnest(${ids}::bigint[]) AS id, generate_series(0, 299) AS n`,
    );
    const totalOf = async (days: number) => {
      const { body: task } = await call<{ id: number; total: number }>('/api/v1/history-exports', {
        body: {
          deviceIds: ids,
          quantities: ['level'],
          from: timeText(start - days * day),
          to: timeText(start),
          resolution: 'hour',
          format: 'csv',
        },
      });
      await isDone(task.id);
      return task.total;
    };
    expect(await totalOf(330)).toBe(8 * 300 * 24);
    // No hour of them is there: one a device for the one that is open.
    expect(await totalOf(200)).toBe(8);
    await counted(sql`DELETE FROM reading_day WHERE device_id = ANY(${ids}::bigint[])`);
  });

  it('of readings and quarters of an hour is of at most 93 days, which is said with how many were asked for', async () => {
    const ask = (days: number, resolution: string) =>
      call<{ id: number; code: number; detail: string }>('/api/v1/history-exports', {
        body: {
          deviceIds: [lamp],
          quantities: ['level'],
          from: timeText(start - days * day),
          to: timeText(start),
          resolution,
          format: 'csv',
        },
      });
    for (const resolution of ['raw', '15m'])
      expect((await ask(93.5, resolution)).body).toMatchObject({
        code: 4204,
        detail: expect.stringMatching(/93.*94/) as string,
      });
    for (const allowed of [await ask(93, '15m'), await ask(400, 'hour')]) {
      expect(allowed.status).toBe(201);
      await isDone(allowed.body.id);
    }
  });
});

/** Does it, and has the database's statistics know of it at once. */
const counted = (what: RawBuilder<unknown>) =>
  db.connection().execute(async (one) => {
    await what.execute(one);
    await sql`SELECT pg_stat_force_next_flush()`.execute(one);
  });

describe('storage', () => {
  it('is told table by table, with what would go', async () => {
    // What the database does by itself after a while: before, it cannot say how many rows there are. Rows that a
    // connection tells of only after this would be counted twice.
    await sql`ANALYZE reading`.execute(db);
    await sql`SELECT pg_stat_reset_single_table_counters(oid) FROM pg_class WHERE relname ~ '^reading_[0-9p]'`.execute(
      db,
    );
    const told = await storage();
    expect(told).toMatchObject({
      retention: { rawDays: 400, hourYears: 5 },
      rolledTo: '2026-11-21T11:00:00.000Z',
      lateWaiting: 0,
      daysWaiting: 0,
    });
    expect(told.parts.map(({ part, from, to }) => [part, from, to])).toEqual([
      ['raw', '2026-09-22', '2026-11-21'],
      ['hour', '2026-09-01', '2026-12-01'],
      ['day', '2026-01-01', '2027-01-01'],
      ['energyHour', '2026-09-01', '2026-12-01'],
      ['energyDay', '2026-01-01', '2027-01-01'],
      ['energyEvent', '2026-09-01', '2026-12-01'],
    ]);
    expect(told.parts.every(({ bytes }) => bytes > 0) && told.databaseBytes > 0 && (told.freeBytes ?? 0) > 0).toBe(
      true,
    );
    expect(told.growth).toMatchObject({ rowsPerDay: 2 });
  });

  it('keeping is set within its bounds, by who read what stood there, and who may', async () => {
    expect((await put(34)).status).toBe(400);
    expect((await put(100, 31)).status).toBe(400);
    expect((await put(100, 5, { rawDays: 399, hourYears: 5 })).body).toMatchObject({ code: 1401 });
    const { token } = await signIn({ username: 'nobody', permissions: ['device.query', 'cscp.sr'] });
    expect((await call('/api/v1/history/storage', { token })).status).toBe(403);
  });

  it('what is older goes, day by day; what was made of it stays, and nothing that comes late changes that', async () => {
    const before = await hours();
    expect((await put(35)).body.parts[0]?.tables.map(({ drops }) => drops)).toEqual([
      true,
      true,
      true,
      false,
      false,
      false,
      false,
      false,
    ]);
    // Somebody reads one of them: it waits.
    const { promise: done, resolve: end } = Promise.withResolvers<void>();
    const { promise: reading, resolve: read } = Promise.withResolvers<void>();
    const reader = db.transaction().execute(async (tx) => {
      await sql`SELECT count(*) FROM reading_20261002`.execute(tx);
      read();
      await done;
    });
    await reading;
    await clock.advance(hour);
    expect((await tablesOf('raw')).map(({ from }) => from)).toContain('2026-10-02');
    end();
    await reader;
    await clock.advance(hour);
    expect((await tablesOf('raw')).map(({ from }) => from)).toEqual([
      '2026-10-22',
      '2026-11-01',
      '2026-11-18',
      '2026-11-19',
      '2026-11-20',
    ]);
    expect(await hours()).toEqual(before);
    await send(lamp, [[start - 60 * day, { level: 99 }]]);
    await roller.roll();
    expect(await hours()).toEqual(before);
    expect(
      (await sql<{ message: string }>`SELECT message FROM operation_log WHERE message = 'history.clean'`.execute(db))
        .rows.length,
    ).toBeGreaterThan(0);
  });

  it('whoever reads for long holds up nobody who writes: the table is out of the way first, and goes later', async () => {
    const reading = async (work: () => Promise<void>) =>
      db.transaction().execute(async (tx) => {
        await sql`SELECT count(*) FROM reading WHERE at >= '2026-11-19Z'`.execute(tx);
        await work();
      });
    let cleaning: Promise<string[]> = Promise.resolve([]);
    await reading(async () => {
      cleaning = cleanHistory(db, new Date(start + 8 * day), log, '20s');
      await lockWaiters(db, 1);
      await send(lamp, [[start, { level: 5 }]]);
    });
    expect(await cleaning).toEqual(['reading_20261022']);
    await reading(async () => expect(await cleanHistory(db, new Date(start + 18 * day), log, '50ms')).toEqual([]));
    expect(await cleanHistory(db, new Date(start), log, '20s')).toEqual(['reading_20261101']);
  });

  it('what somebody takes out by hand stays; what the cleaning had begun, when it was killed, goes', async () => {
    await sql`ALTER TABLE reading DETACH PARTITION reading_20261118`.execute(db);
    await sql`ALTER TABLE reading DETACH PARTITION reading_20261119`.execute(db);
    await sql`COMMENT ON TABLE reading_20261119 IS ${sql.lit(leavingNote)}`.execute(db);
    expect(await cleanHistory(db, new Date(start), log)).toEqual(['reading_20261119']);
    expect((await sql<{ n: number }>`SELECT count(*)::int AS n FROM reading_20261118`.execute(db)).rows).toEqual([
      { n: 2 },
    ]);
  });

  it('hours go by months, and with them what happened to counters in them; days never', async () => {
    await sql`INSERT INTO energy_event
      VALUES (${lamp}, '2026-10-31T23:00:00Z', 'rollover', '2026-10-31T22:00:00Z', 9, 0, 1),
      (${lamp}, '2026-11-01T00:00:00Z', 'reset', '2026-10-31T23:00:00Z', 9, 0, 1)`.execute(db);
    await put(35, 1, { rawDays: 35, hourYears: 5 });
    await cleanHistory(db, new Date(start + 366 * day), log);
    for (const part of ['hour', 'energyHour', 'energyEvent'])
      expect((await tablesOf(part)).map(({ from }) => from)).toEqual(['2026-11-01']);
    expect((await sql`SELECT kind FROM energy_event WHERE device_id = ${lamp}`.execute(db)).rows).toEqual([
      { kind: 'reset' },
    ]);
    expect((await tablesOf('day')).map(({ from }) => from)).toContain('2026-01-01');
  });
});
