import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { openFiles } from '../../../platform/files/index.ts';
import { openKeys } from '../../../platform/keys/index.ts';
import { testApp } from '../../../testing/app.ts';
import { sheetsHere } from '../../../testing/sheets.ts';
import { createDevices, devicesRoutes } from '../../devices/index.ts';
import { createTasks, startTaskRunner, tasksRoutes, type TaskKinds } from '../../../desk/tasks/index.ts';
import { createImports, failedRowsTask, importsRoutes, importTasks } from '../index.ts';

interface Plan {
  fields: Record<string, { column?: number; value?: string }>;
  ignored: number[];
  system: string;
  words: Record<string, Record<string, string>>;
  existing: 'update' | 'refuse';
  createRoads: boolean;
  acceptFar: boolean;
  acceptPlace?: boolean;
  decimalCommas?: number[];
}
export interface Imported {
  id: number;
  state: string;
  columns: { title: string; samples: string[] }[];
  plan: Plan;
  remembered: boolean;
  counts: Record<'new' | 'update' | 'unchanged' | 'error', number> | null;
  format: { kind: string; encoding: string | null; sheets: string[] };
  unknownWords: Record<string, { word: string; rows: number }[]>;
  newRoads: { name: string; rows: number }[];
  task: { id: number; state: string; error: string | null } | null;
  notUndone: number | null;
  questions: { kind: string; rows: number; km: number | null }[];
}
interface Rows {
  data: {
    row: number;
    outcome: string;
    code: string | null;
    problems: { field: string; rule: string; message: string; text: string | null }[];
    changes: { field: string; from: unknown; to: unknown }[];
    undone: boolean | null;
  }[];
  recordsTotal: number;
  problems: { rule: string; rows: number }[];
}
export interface Problem {
  code: number;
  message: string;
  params: { field: string; rule: string }[];
}
export type Row = Record<string, unknown> & { id: number; version: number };

/** Imports with the runner of their steps, into a register of two work areas. Call it at the top of a test file. */
export async function importOffice() {
  const folder = mkdtempSync(join(tmpdir(), 'lampyris-imports-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const files = openFiles(join(folder, 'files'));
  const keys = openKeys(join(folder, 'secret.key'));
  let kinds!: TaskKinds;
  const app = await testApp({
    routes: (parts) => {
      const devices = createDevices({ ...parts, keys });
      const steps = importTasks({ ...parts, files, devices, areasOf: parts.sessions.workAreasOf });
      kinds = {
        ...steps,
        ...failedRowsTask({ ...parts, files, sheets: sheetsHere(parts), areasOf: parts.sessions.workAreasOf }),
        'export.login-log': steps['import.check'],
        'export.operation-log': steps['import.check'],
        'export.devices': steps['import.check'],
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

  const place = { north: 0, south: 0, road: 0 };
  beforeAll(async () => {
    const area = async (code: string, name: string) =>
      (
        await db
          .insertInto('work_area')
          .values({ work_code: code, work_name: name })
          .returning('id')
          .executeTakeFirstOrThrow()
      ).id;
    place.north = await area('N', '北区');
    place.south = await area('S', '南区');
    place.road = (
      await db
        .insertInto('road')
        .values({ work_area_id: place.north, road_code: 'R1', road_name: '滨江大道' })
        .returning('id')
        .executeTakeFirstOrThrow()
    ).id;
  });

  const upload = (
    content: string | Uint8Array,
    more: { family?: string; name?: string; token?: string; workAreaId?: number } = {},
  ) =>
    call<Imported & Problem>(
      `/api/v1/imports?family=${more.family ?? 'lamp-pole'}&name=${encodeURIComponent(more.name ?? '杆.csv')}`,
      {
        body: Buffer.from(content),
        headers: { 'content-type': 'application/octet-stream' },
        ...(more.token ? { token: more.token } : {}),
        ...(more.workAreaId ? { workAreaId: more.workAreaId } : {}),
      },
    );
  const get = async (id: number) => (await call<Imported>(`/api/v1/imports/${id}`)).body;
  /** Waits for the step that was begun; progress comes by the bus, here it is asked for. */
  async function ended(id: number): Promise<Imported> {
    for (;;) {
      const one = await get(id);
      if (one.task && !['queued', 'running'].includes(one.task.state)) return one;
      await new Promise((resolve) => {
        setImmediate(resolve);
      });
    }
  }
  async function begin(id: number, step: string, body: object = {}, token?: string) {
    const reply = await call<Imported & Problem>(`/api/v1/imports/${id}/${step}`, {
      method: 'POST',
      body,
      ...(token ? { token } : {}),
    });
    return reply.status === 201 ? { reply, one: await ended(id) } : { reply, one: reply.body };
  }
  const check = async (id: number, plan: Partial<Plan> = {}) =>
    (await begin(id, 'check', { ...(await get(id)).plan, ...plan })).one;
  const apply = (id: number, rows: 'valid' | 'all' = 'valid') => begin(id, 'apply', { rows });
  const rowsOf = async (id: number, query = '') => (await call<Rows>(`/api/v1/imports/${id}/rows?${query}`)).body;
  const pole = async (code: string) =>
    (await call<{ data: Row[] }>(`/api/v1/devices?family=lamp-pole&q=${code}&workArea=${place.north}`)).body.data.find(
      (row) => row['equipmentCode'] === code,
    );
  const head = '现场编号,equipmentName,项目,Longitude,纬度,道路,equipmentTypeId,rmark\n';
  const line = (
    code: string,
    more: Partial<Record<'name' | 'area' | 'x' | 'y' | 'road' | 'type' | 'note', string>> = {},
  ) =>
    [
      code,
      more.name ?? '杆',
      more.area ?? 'N',
      more.x ?? '120.2',
      more.y ?? '30.2',
      more.road ?? '',
      more.type ?? '普通灯杆',
      more.note ?? '',
    ]
      .map((cell) => `"${cell.replaceAll('"', '""')}"`)
      .join(',') + '\n';
  /** The first column's name is not one the program knows: a person says what it is. */
  async function checked(text: string, plan: Partial<Plan> = {}) {
    const { body } = await upload(head + text);
    return check(body.id, {
      ...body.plan,
      fields: { ...body.plan.fields, equipmentCode: { column: 0 } },
      system: 'WGS84',
      words: {},
      existing: 'update',
      createRoads: false,
      acceptFar: false,
      ...plan,
    });
  }

  return { files, app, db, call, place, upload, get, ended, begin, check, apply, rowsOf, pole, head, line, checked };
}
