import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { readSheet } from 'read-excel-file/node';
import { describe, expect, test } from 'vitest';
import { createLog } from '../../platform/log.ts';
import * as sheetKinds from '../../testing/sheet-kinds.ts';
import { testSheets } from '../../testing/sheets.ts';
import { startTaskRunner, type TaskKind } from './index.ts';
import { taskOffice } from './testing/task-office.ts';

const {
  folder,
  files,
  clock,
  gate,
  reset,
  slow,
  kindsOf,
  app,
  stops,
  started,
  token,
  accountId,
  days,
  begin,
  get,
  act,
  reached,
} = await taskOffice();

describe('an export as a task', () => {
  test('waits, runs, and gives a file that another library reads', async () => {
    const { status, body } = await begin('export.operation-log', {
      headers: { 'accept-language': 'en-US', timezoneoffset: '60' },
    });
    expect([status, body]).toEqual([
      201,
      expect.objectContaining({
        kind: 'export.operation-log',
        state: 'queued',
        done: 0,
        total: 30,
        params: days,
        error: null,
        file: null,
      }),
    ]);
    started();
    const ended = await reached(body.id, 'done');
    expect(ended).toMatchObject({
      done: 30,
      total: 30,
      file: { name: 'Operation log_2026-11-01_2026-11-01.xlsx' },
      endedAt: clock.now().toISOString(),
    });
    const file = await app.call(`/api/v1/tasks/${body.id}/file`, { token });
    expect([file.status, Number(file.headers['content-length']), file.headers['content-disposition']]).toEqual([
      200,
      ended.file?.bytes,
      expect.stringContaining(encodeURIComponent('Operation log_')),
    ]);
    const [head, newest] = await readSheet(file.bytes);
    expect([head?.[0], newest?.[1], newest?.[4]]).toEqual(['Time', 'u30', 'Role created']);
    // A cell's time is a fraction of days.
    expect(Math.round(Number(newest?.[0]) / 1000)).toBe(Date.parse('2026-11-01T09:30:00Z') / 1000);
  });

  test.each([
    ['reversed days', { beginTime: '2026-11-02', endTime: '2026-11-01' }, ['params.endTime']],
    ['days to come', { beginTime: '2026-11-21', endTime: '2026-11-22' }, ['params.endTime']],
    ['no days', {}, ['params.beginTime', 'params.endTime']],
    ['something else', { ...days, table: 'account' }, ['params.table']],
  ])('%s are refused before anything is begun', async (_what, params, fields) => {
    const reply = await app.call<{ params: { field: string }[] }>('/api/v1/tasks', {
      token,
      body: { kind: 'export.operation-log', params },
    });
    expect([reply.status, reply.body.params.map(({ field }) => field)]).toEqual([400, fields]);
    expect(await app.db.selectFrom('task').selectAll().execute()).toEqual([]);
  });

  test('too many rows are refused with their count', async () => {
    await app.database.pool.query(
      `INSERT INTO operation_log (username, uri, ip, at, message, status)
        SELECT 'm', '-', '-', timestamptz '2026-10-01T00:00:00Z', 'x', 200 FROM generate_series(1, 51)`,
    );
    const reply = await begin('export.operation-log', { params: { beginTime: '2026-10-01', endTime: '2026-10-01' } });
    expect([reply.status, reply.body]).toEqual([
      400,
      expect.objectContaining({ message: '共 51 条，超过一次最多导出的 50 条，请缩短日期范围。' }),
    ]);
  });

  test('beginning stands in the operation log: who takes what', async () => {
    await begin('export.operation-log');
    const row = await app.db
      .selectFrom('operation_log')
      .select(['username', 'message', 'params'])
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirstOrThrow();
    expect(row).toEqual({
      username: 'exporter',
      message: 'log.exportOperations',
      params: '{"beginTime":"2026-11-01","endTime":"2026-11-01","rows":30}',
    });
  });
});

describe('progress and ends', () => {
  test('how far it is, told as it goes; everybody hears only of his own', async () => {
    started();
    const {
      body: { id },
    } = await begin();
    await gate.begun.promise;
    const heard: (number | null)[] = [];
    const stop = app.bus.subscribe('tasks.changed', (change) => heard.push(change.accountId));
    await clock.advance(1000);
    expect(await get(id)).toMatchObject({ state: 'running', done: 1, total: 2 });
    stop();
    expect(heard).toEqual([accountId]);
    gate.open.resolve();
    expect(await reached(id, 'done')).toMatchObject({ done: 2, file: { name: 'slow.xlsx', bytes: 9 } });
  });

  test('cancelled while it waits, cancelled while it runs: no file stays', async () => {
    const waiting = (await begin()).body.id;
    expect((await act(waiting, 'cancel')).body.state).toBe('cancelled');
    started();
    const running = (await begin()).body.id;
    await gate.begun.promise;
    expect((await act(running, 'cancel')).body).toMatchObject({ state: 'cancelled', error: null, file: null });
    const next = (await begin()).body.id;
    gate.open.resolve();
    await reached(next, 'done');
    expect([(await get(waiting)).state, (await get(running)).state, (await get(running)).file]).toEqual([
      'cancelled',
      'cancelled',
      null,
    ]);
    expect(readdirSync(join(folder, 'incoming'))).toEqual([]);
    expect((await act(running, 'cancel')).body.state).toBe('cancelled');
  });

  test('one at a time in a process, in the order they came', async () => {
    started();
    const [first, second] = [(await begin()).body.id, (await begin()).body.id];
    await gate.begun.promise;
    expect([(await get(first)).state, (await get(second)).state]).toEqual(['running', 'queued']);
    gate.open.resolve();
    await reached(second, 'done');
  });

  test('two processes share the work; none is done twice', async () => {
    const ids = [
      (await begin('export.operation-log')).body.id,
      (await begin('export.operation-log')).body.id,
      (await begin('export.operation-log')).body.id,
    ];
    started();
    started();
    for (const id of ids) expect((await reached(id, 'done')).error).toBeNull();
  });

  test('a process that stops marks what it ran as interrupted; it can be run again', async () => {
    const stop = started();
    const {
      body: { id },
    } = await begin();
    await gate.begun.promise;
    await stop();
    expect(await get(id)).toMatchObject({ state: 'failed', error: '服务重启，任务已中断', file: null });
    reset();
    gate.open.resolve();
    const again = await act(id, 'repeat');
    expect([again.status, again.body.state]).toEqual([201, 'queued']);
    started();
    expect((await reached(again.body.id, 'done')).file?.name).toBe('slow.xlsx');
  });

  test('a killed process cannot mark anything: the next one does, and leaves alone what another one runs', async () => {
    started();
    const alive = (await begin()).body.id;
    await gate.begun.promise;
    const {
      body: { id: dead },
    } = await begin();
    await app.db.updateTable('task').set({ state: 'running' }).where('id', '=', dead).execute();
    started();
    expect(await reached(dead, 'failed')).toMatchObject({ error: '服务重启，任务已中断' });
    expect((await get(alive)).state).toBe('running');
  });

  test('work that fails says so, without telling what it was', async () => {
    const broken: TaskKind = { ...slow, run: () => Promise.reject(new Error('secret detail')) };
    const stop = startTaskRunner({
      db: app.db,
      connection: app.database.connection,
      bus: app.bus,
      clock,
      files,
      log: { ...app.log, error: () => undefined } as typeof app.log,
      kinds: { ...kindsOf(app), 'export.login-log': broken },
    });
    stops.push(stop);
    const {
      body: { id },
    } = await begin();
    const { error } = await reached(id, 'failed');
    expect(error).not.toContain('secret');
    expect(error?.length).toBeGreaterThan(3);
  });
});

test('an export whose thread dies fails with that reason and can be run again', async () => {
  const sheets = testSheets({ ...app, log: createLog('silent') });
  const dying: TaskKind = {
    ...slow,
    run: () => Promise.resolve({ name: 'x.xlsx', content: sheets.stream(sheetKinds.crashing, null) }),
  };
  stops.push(
    startTaskRunner({
      db: app.db,
      connection: app.database.connection,
      bus: app.bus,
      clock,
      files,
      log: app.log,
      kinds: { ...kindsOf(app), 'export.login-log': dying },
    }),
  );
  const {
    body: { id },
  } = await begin();
  expect(await reached(id, 'failed')).toMatchObject({ error: '导出意外终止，请重试', file: null });
  expect(readdirSync(join(folder, 'incoming'))).toEqual([]);
});
