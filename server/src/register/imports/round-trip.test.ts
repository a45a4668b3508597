import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { families, type Family } from '../../../../catalogue/index.ts';
import { openFiles } from '../../platform/files/index.ts';
import { openKeys } from '../../platform/keys/index.ts';
import { testApp } from '../../testing/app.ts';
import { sheetsHere } from '../../testing/sheets.ts';
import { createDevices, deviceExportTask, devicesRoutes } from '../devices/index.ts';
import { prepareDictionaries } from '../dictionaries/index.ts';
import { createTasks, startTaskRunner, tasksRoutes, type TaskKinds } from '../../desk/tasks/index.ts';
import { createImports, importsRoutes, importTasks } from './index.ts';

const folder = mkdtempSync(join(tmpdir(), 'lampyris-round-trip-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const files = openFiles(join(folder, 'files'));
const keys = openKeys(join(folder, 'secret.key'));
let kinds!: TaskKinds;
const app = await testApp({
  routes: (parts) => {
    const devices = createDevices({ ...parts, keys });
    const areasOf = parts.sessions.workAreasOf;
    const steps = importTasks({ ...parts, files, devices, areasOf });
    kinds = {
      ...steps,
      ...deviceExportTask({ ...parts, sheets: sheetsHere(parts), areasOf }),
      'export.login-log': steps['import.check'],
      'export.operation-log': steps['import.check'],
    } as TaskKinds;
    const tasks = createTasks({ ...parts, files, kinds });
    return [
      ...devicesRoutes(devices),
      ...tasksRoutes(tasks),
      ...importsRoutes(createImports({ ...parts, files, tasks })),
    ];
  },
});
const { db, call } = app;
const stop = startTaskRunner({
  db,
  connection: app.database.connection,
  bus: app.bus,
  clock: app.clock,
  files,
  log: app.log,
  kinds,
});
afterAll(() => stop());

interface Task {
  id: number;
  state: string;
  error: string | null;
  done: number;
}
interface Imported {
  id: number;
  plan: object;
  counts: object;
  task: Task | null;
}
type Row = Record<string, unknown> & { id: number };

const place: Record<string, number> = {};
beforeAll(async () => {
  await prepareDictionaries(db);
  place['work-area'] = (
    await db
      .insertInto('work_area')
      .values({ work_code: '007', work_name: '北区 [旧]' })
      .returning('id')
      .executeTakeFirstOrThrow()
  ).id;
  for (const code of ['R1', 'R2'])
    place['road'] = (
      await db
        .insertInto('road')
        .values({ work_area_id: place['work-area'], road_code: code, road_name: '同名路' })
        .returning('id')
        .executeTakeFirstOrThrow()
    ).id;
  place['channel'] = (
    await db
      .insertInto('channel')
      .values({ work_area_id: place['work-area'], channel_code: 'C1', channel_name: '通道一', protocol: 'mqtt' })
      .returning('id')
      .executeTakeFirstOrThrow()
  ).id;
  // Two boxes with a loop of the same code: only both together say which.
  for (const code of ['BX-1', 'BX-2']) {
    const box = await db
      .insertInto('device')
      .values({ family: 'control-box', work_area_id: place['work-area'], equipment_code: code })
      .returning('id')
      .executeTakeFirstOrThrow();
    place['loop'] = (
      await db
        .insertInto('loop')
        .values({ control_box_id: box.id, work_area_id: place['work-area'], loop_code: 'L1', loop_name: '同名回路' })
        .returning('id')
        .executeTakeFirstOrThrow()
    ).id;
  }
});

async function ended<T>(ask: () => Promise<T>, task: (got: T) => Task | null): Promise<T> {
  for (;;) {
    const got = await ask();
    const state = task(got)?.state;
    if (state !== undefined && state !== 'queued' && state !== 'running') return got;
    await new Promise((resolve) => {
      setTimeout(resolve, 20);
    });
  }
}

let serial = 0;
/** A device with every field filled that its first example fills, and what is hard in a spreadsheet. */
async function make(family: Family): Promise<Row> {
  const values: Record<string, unknown> = { ...family.examples[0] };
  for (const field of family.fields) {
    if (field.kind !== 'reference') continue;
    if ('record' in field.to) {
      if (values[field.key] !== undefined || field.to.record === 'loop')
        values[field.key] = place[field.to.record] ?? null;
    } else if (values[field.key] !== undefined) {
      const target = field.to.family;
      const needed = families.find(({ key }) => key === target);
      values[field.key] = needed ? (await create(needed, {})).id : null;
    }
  }
  return create(family, {
    ...values,
    rmark: '=1+1\n第二行 "引号", 逗号;\t',
    equipmentNum: '000123',
    equipmentName: '+首行',
  });
}
async function create(family: Family, values: object): Promise<Row> {
  serial += 1;
  const required = Object.fromEntries(
    family.fields.flatMap((field) =>
      field.required && field.kind === 'select' ? [[field.key, field.options[0]]] : [],
    ),
  );
  const { status, body } = await call<Row>('/api/v1/devices', {
    body: {
      family: family.key,
      ...required,
      equipmentName: '名',
      workId: place['work-area'],
      ...values,
      equipmentCode: `0${serial}`,
    },
  });
  expect([status, body]).toEqual([201, body]);
  return body;
}

test.each(families.map((family) => [family.key, family] as const))(
  '%s: what is exported imports unchanged, in any language',
  async (_key, family) => {
    const made = await make(family);
    const language = { headers: { 'accept-language': serial % 2 === 0 ? 'fr_FR' : 'zh_CN' } };
    const begun = await call<Task>('/api/v1/device-exports', {
      ...language,
      body: { family: family.key, query: { ids: String(made.id) } },
    });
    expect(begun.status).toBe(201);
    const task = await ended(
      async () => (await call<Task>(`/api/v1/tasks/${begun.body.id}`)).body,
      (got) => got,
    );
    expect(task).toMatchObject({ state: 'done', done: 1, error: null });
    const sheet = (await call(`/api/v1/tasks/${task.id}/file`)).bytes;

    const { body: one } = await call<Imported>(`/api/v1/imports?family=${family.key}&name=x.xlsx`, {
      body: sheet,
      headers: { 'content-type': 'application/octet-stream' },
    });
    expect((await call(`/api/v1/imports/${one.id}/check`, { body: one.plan })).status).toBe(201);
    const checked = await ended(
      async () => (await call<Imported>(`/api/v1/imports/${one.id}`)).body,
      (got) => got.task,
    );
    const rows = (await call<{ data: unknown[] }>(`/api/v1/imports/${one.id}/rows`)).body.data;
    expect([checked.task?.error, rows]).toEqual([
      null,
      [expect.objectContaining({ outcome: 'unchanged', problems: [], changes: [] })],
    ]);
  },
);

test('filters that make no sense are refused by name, and who may not export does not', async () => {
  const body = { family: 'lamp-pole', query: { roadId: 'x', online: 'maybe', nonsense: '1' } };
  const refused = await call<{ params: { field: string }[] }>('/api/v1/device-exports', { body });
  expect([refused.status, refused.body.params.map(({ field }) => field)]).toEqual([
    400,
    ['query.roadId', 'query.online', 'query.nonsense'],
  ]);
  const { token } = await app.signIn({
    username: 'looker',
    level: 3,
    permissions: ['device.query'],
    workAreas: [place['work-area'] ?? 0],
  });
  expect((await call('/api/v1/device-exports', { token, body: { ...body, query: {} } })).status).toBe(403);
});
