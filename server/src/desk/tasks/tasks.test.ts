import { Readable } from 'node:stream';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readSheet } from 'read-excel-file/node';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { openFiles } from '../../platform/files/index.ts';
import { createLog } from '../../platform/log.ts';
import { testApp, type TestParts } from '../../testing/app.ts';
import { testClock } from '../../testing/clock.ts';
import * as sheetKinds from '../../testing/sheet-kinds.ts';
import { testSheets } from '../../testing/sheets.ts';
import { createLogs, logExportTasks } from '../../people/logs/index.ts';
import { createTasks, startTaskRunner, tasksRoutes, type TaskKind, type TaskKinds } from './index.ts';

const folder = mkdtempSync(join(tmpdir(), 'lampyris-tasks-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const files = openFiles(folder);
const clock = testClock(new Date('2026-11-21T04:00:00Z'));

/** Work that ends when the test lets it. */
const gate = { open: Promise.withResolvers<void>(), begun: Promise.withResolvers<void>() };
const reset = () => {
  gate.open = Promise.withResolvers();
  gate.begun = Promise.withResolvers();
};
const slow: TaskKind = {
  permission: 'cscp.logging.login',
  action: 'log.exportLogins',
  check: () => Promise.resolve({ total: 2 }),
  run: (_params, _reader, progress) =>
    Promise.resolve({
      name: 'slow.xlsx',
      content: Readable.from(
        (async function* () {
          progress(1);
          yield Buffer.from('half');
          gate.begun.resolve();
          await gate.open.promise;
          progress(2);
          yield Buffer.from('whole');
        })(),
      ),
    }),
};
/** Imports have their own tests. */
const imports = {
  'import.check': slow,
  'import.apply': slow,
  'import.undo': slow,
  'export.devices': slow,
  'export.history': slow,
  'export.command': slow,
  'export.connections': slow,
  'export.expiries': slow,
  'export.failed-rows': slow,
};
const kindsOf = (parts: Pick<TestParts, 'db' | 'clock' | 'log' | 'database'>): TaskKinds => ({
  ...imports,
  'export.operation-log': logExportTasks(createLogs({ ...parts, sheets: testSheets(parts), mostRows: 50 }))[
    'export.operation-log'
  ],
  'export.login-log': slow,
});
const app = await testApp({
  clock,
  routes: (parts) => tasksRoutes(createTasks({ ...parts, files, kinds: kindsOf(parts) })),
});
const runner = () =>
  startTaskRunner({
    db: app.db,
    connection: app.database.connection,
    bus: app.bus,
    clock,
    files,
    log: app.log,
    kinds: kindsOf(app),
  });
const stops: (() => Promise<void>)[] = [];
const started = () => {
  const stop = runner();
  stops.push(stop);
  return stop;
};
afterEach(async () => {
  gate.open.resolve();
  await Promise.all(stops.splice(0).map((stop) => stop()));
  await app.db.deleteFrom('task').execute();
  reset();
});
const { token, accountId } = await app.signIn({
  username: 'exporter',
  permissions: ['cscp.logging.operation', 'cscp.logging.login'],
});
const stranger = await app.signIn({
  username: 'stranger',
  permissions: ['cscp.logging.operation', 'cscp.logging.login'],
});
await app.database.pool.query(
  `INSERT INTO operation_log (username, uri, ip, at, message, status)
    SELECT 'u' || i, 'POST /x', '-', timestamptz '2026-11-01T00:00:00Z' + i * interval '1 minute', 'role.create', 200
    FROM generate_series(1, 30) i`,
);

interface Task {
  id: number;
  kind: string;
  state: string;
  done: number;
  total: number | null;
  error: string | null;
  file: { name: string; bytes: number } | null;
  params: object;
  title: string;
  endedAt: string | null;
}
const days = { beginTime: '2026-11-01', endTime: '2026-11-01' };
const begin = (
  kind = 'export.login-log',
  more: { params?: object; token?: string; headers?: Record<string, string> } = {},
) => app.call<Task>('/api/v1/tasks', { token, ...more, body: { kind, params: more.params ?? days } });
const get = async (id: number) => (await app.call<Task>(`/api/v1/tasks/${id}`, { token })).body;
const act = (id: number, verb: 'cancel' | 'repeat', as = token) =>
  app.call<Task>(`/api/v1/tasks/${id}/${verb}`, { method: 'POST', token: as });

/** Waits for the task to be in a state, by what the bus says of it. */
async function reached(id: number, state: string, as = token): Promise<Task> {
  const { promise, resolve, reject } = Promise.withResolvers<Task>();
  const look = () =>
    app
      .call<Task>(`/api/v1/tasks/${id}`, { token: as })
      .then(({ body }) => (body.state === state ? resolve(body) : undefined), reject);
  const stop = app.bus.subscribe('tasks.changed', () => void look());
  await look();
  return promise.finally(stop);
}

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

describe('whose they are', () => {
  test('everybody has his own, newest first, and nobody else’s', async () => {
    const ids = [(await begin()).body.id, (await begin()).body.id];
    const list = async (as: string) =>
      (await app.call<{ data: Task[]; recordsTotal: number }>('/api/v1/tasks?size=10', { token: as })).body;
    expect((await list(token)).data.map(({ id }) => id)).toEqual(ids.toReversed());
    expect(await list(stranger.token)).toEqual({ data: [], recordsTotal: 0 });
    const id = ids[0] ?? 0;
    const statuses = [
      (await app.call(`/api/v1/tasks/${id}`, { token: stranger.token })).status,
      (await act(id, 'cancel', stranger.token)).status,
      (await act(id, 'repeat', stranger.token)).status,
      (await app.call(`/api/v1/tasks/${id}`, { method: 'DELETE', token: stranger.token })).status,
      (await app.call(`/api/v1/tasks/${id}/file`, { token: stranger.token })).status,
    ];
    expect(statuses).toEqual([404, 404, 404, 404, 404]);
  });

  test('the code of the call is needed to begin, and still to take the file', async () => {
    const weak = await app.signIn({ username: 'weak', permissions: ['cscp.logging.operation'] });
    expect((await begin('export.login-log', { token: weak.token })).status).toBe(403);
    const {
      body: { id },
    } = await begin('export.operation-log', { token: weak.token });
    started();
    await reached(id, 'done', weak.token);
    await app.database.pool.query('DELETE FROM account_role WHERE account_id = $1', [weak.accountId]);
    expect((await app.call(`/api/v1/tasks/${id}/file`, { token: weak.token })).status).toBe(403);
  });

  test('at most five are open at once', async () => {
    for (let count = 0; count < 5; count += 1) await begin();
    const sixth = await begin();
    expect([sixth.status, sixth.body.title]).toEqual([400, '未结束的任务过多']);
    expect((await begin('export.login-log', { token: stranger.token })).status).toBe(201);
  });
});

describe('files', () => {
  const made = async () => {
    gate.open.resolve();
    started();
    return (await reached((await begin()).body.id, 'done')).id;
  };

  test('removing an ended task removes its file, but not one that another task shares', async () => {
    const kept = () =>
      readdirSync(folder, { recursive: true })
        .map(String)
        .filter((name) => /[0-9a-f]{64}$/.test(name)).length;
    const [one, two] = [await made(), await made()];
    const both = kept();
    const remove = (id: number) => app.call(`/api/v1/tasks/${id}`, { method: 'DELETE', token });
    expect((await remove(one)).status).toBe(204);
    expect((await app.call(`/api/v1/tasks/${two}/file`, { token })).status).toBe(200);
    await remove(two);
    expect(kept()).toBe(both - 1);
  });

  test('what still runs is neither removed nor repeated, and has no file yet', async () => {
    const {
      body: { id },
    } = await begin();
    expect([
      (await app.call(`/api/v1/tasks/${id}`, { method: 'DELETE', token })).status,
      (await act(id, 'repeat')).status,
      (await app.call(`/api/v1/tasks/${id}/file`, { token })).status,
    ]).toEqual([400, 400, 400]);
  });

  test('after 7 days task and file are gone', async () => {
    const id = await made();
    await clock.advance(6 * 86_400_000);
    expect((await get(id)).state).toBe('done');
    await clock.advance(2 * 86_400_000);
    await expect.poll(async () => (await app.call(`/api/v1/tasks/${id}`, { token })).status).toBe(404);
  });

  test('a file that is lost is told as such', async () => {
    const id = await made();
    for (const name of readdirSync(folder, { recursive: true })
      .map(String)
      .filter((entry) => /[0-9a-f]{64}$/.test(entry)))
      rmSync(join(folder, name));
    const reply = await app.call<Task>(`/api/v1/tasks/${id}/file`, { token });
    expect([reply.status, reply.body.title]).toEqual([404, '任务文件已过期或不存在，请重新执行任务']);
  });
});
