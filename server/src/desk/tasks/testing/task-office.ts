import { Readable } from 'node:stream';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach } from 'vitest';
import { openFiles } from '../../../platform/files/index.ts';
import { testApp, type TestParts } from '../../../testing/app.ts';
import { testClock } from '../../../testing/clock.ts';
import { testSheets } from '../../../testing/sheets.ts';
import { createLogs, logExportTasks } from '../../../people/logs/index.ts';
import { createTasks, startTaskRunner, tasksRoutes, type TaskKind, type TaskKinds } from '../index.ts';

export interface Task {
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

/** Tasks with runners and a kind that waits. Call it at the top of a test file. */
export async function taskOffice() {
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
    'export.plan-simulation': slow,
    'export.publications': slow,
    'export.publication-lamps': slow,
    'export.plan-exceptions': slow,
    'export.plan-night': slow,
    'plan.simulation': slow,
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

  return {
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
    stranger,
    days,
    begin,
    get,
    act,
    reached,
  };
}
