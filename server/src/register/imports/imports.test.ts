import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync, deflateRawSync } from 'node:zlib';
import { writeXlsx } from 'hucre/xlsx';
import { readSheet } from 'read-excel-file/node';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openFiles } from '../../platform/files/index.ts';
import { openKeys } from '../../platform/keys/index.ts';
import { testApp } from '../../testing/app.ts';
import { loseOnce, whileWaiting } from '../../testing/row-locks.ts';
import { sheetsHere } from '../../testing/sheets.ts';
import { createDevices, devicesRoutes } from '../devices/index.ts';
import { createTasks, startTaskRunner, tasksRoutes, type TaskKinds } from '../../desk/tasks/index.ts';
import { createImports, failedRowsTask, importsRoutes, importTasks, pruneImportRows } from './index.ts';

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
interface Imported {
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
interface Problem {
  code: number;
  message: string;
  params: { field: string; rule: string }[];
}
type Row = Record<string, unknown> & { id: number; version: number };

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

describe('a file', () => {
  test('is looked into: encoding, columns, samples, and what its headings suggest', async () => {
    const { status, body } = await upload(`\ufeff${head}${line('A1', { note: '两\n行' })}`);
    expect(status).toBe(201);
    expect(body).toMatchObject({
      state: 'uploaded',
      remembered: false,
      format: { kind: 'csv', encoding: 'utf-8' },
      task: null,
    });
    expect(body.columns[7]).toEqual({ title: 'rmark', samples: ['两\n行'] });
    expect(body.plan.fields).toMatchObject({
      equipmentName: { column: 1 },
      workId: { column: 2 },
      longitude: { column: 3 },
      latitude: { column: 4 },
      roadId: { column: 5 },
      equipmentTypeId: { column: 6 },
      rmark: { column: 7 },
    });
  });

  test('may be written in GB18030, as Excel in Chinese does, or be a workbook', async () => {
    const gb = await upload(Buffer.from('b1e0bac52cc3fbb3c60d0a412c310d0a', 'hex'));
    expect(gb.body).toMatchObject({ format: { encoding: 'gb18030' }, columns: [{ title: '编号' }, { title: '名称' }] });
    const book = await writeXlsx({
      sheets: [
        { name: '说明', rows: [['看第二张']] },
        {
          name: '数据',
          rows: [
            ['equipmentCode', 'installTime'],
            ['007', new Date('2024-03-05')],
          ],
        },
      ],
    } as Parameters<typeof writeXlsx>[0]);
    const first = (await upload(book, { name: '杆.xlsx' })).body;
    expect(first.format.sheets).toEqual(['说明', '数据']);
    const second = await call<Imported>(`/api/v1/imports/${first.id}/sheet`, {
      method: 'PUT',
      body: { sheet: '数据' },
    });
    expect(second.body.columns).toEqual([
      { title: 'equipmentCode', samples: ['007'] },
      { title: 'installTime', samples: ['2024-03-05'] },
    ]);
  });

  test.each([
    ['nothing', Buffer.alloc(0), 3805],
    ['a picture', Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'), 3801],
    ['an old .xls', Buffer.from('d0cf11e0a1b11ae1', 'hex'), 3806],
    ['half a zip', Buffer.from('504b0304140000000800', 'hex'), 3802],
    ['packed text', gzipSync('a,b'), 3801],
  ])('that is %s is refused with the reason', async (_what, bytes, code) => {
    const { status, body } = await upload(bytes, { name: 'x' });
    expect([status, body.code]).toEqual([400, code]);
  });

  test('that unpacks to too much, or declares entities of its own, is refused before it is unpacked', async () => {
    const bomb = zip({
      '[Content_Types].xml': Buffer.from('<Types/>'),
      'xl/worksheets/sheet1.xml': Buffer.alloc(40_000_000),
    });
    expect((await upload(bomb, { name: 'bomb.xlsx' })).body.code).toBe(3804);
    const entities = zip({
      '[Content_Types].xml': Buffer.from(
        '<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]><Types>&a;</Types>',
      ),
    });
    expect((await upload(entities, { name: 'x.xlsx' })).body.code).toBe(3802);
  });
});

describe('a plan', () => {
  test('names every column that has no word, every unknown field, option and system, all at once', async () => {
    const { body } = await upload(`名,谁知道,另一列\n${line('A1')}`);
    const { reply } = await begin(body.id, 'check', {
      ...body.plan,
      fields: { nonsense: { column: 0 }, equipmentCode: { column: 99 }, longitude: { column: 1 } },
      ignored: [0],
      system: 'EPSG:99999',
      words: { equipmentTypeId: { 铁: 'nope' }, rmark: { a: 'b' } },
    });
    expect(reply.status).toBe(400);
    expect(reply.body.params.map(({ field, rule }) => `${field}:${rule}`).toSorted()).toEqual([
      'columns.2:unknownField',
      'fields.equipmentCode:notFound',
      'fields.latitude:required',
      'fields.nonsense:unknownField',
      'fields.workId:required',
      'system:enum',
      'words.equipmentTypeId.铁:enum',
      'words.rmark:unknownField',
    ]);
  });

  test('is remembered for the next file with the same headings', async () => {
    const one = await checked(line('M1'), { existing: 'refuse' });
    const next = (await upload(head + line('M2'))).body;
    expect(next).toMatchObject({
      remembered: true,
      plan: { existing: 'refuse', fields: { equipmentCode: { column: 0 } } },
    });
    expect(one.id).not.toBe(next.id);
    // So do the failed rows of that file, whose workbook has one column more.
    const width = head.trim().split(',').length;
    const back = (await upload(`${head.trim()},Erreurs\r\n${line('M3').trim()},trop loin\r\n`)).body;
    expect(back).toMatchObject({
      remembered: true,
      plan: { existing: 'refuse', fields: { equipmentCode: { column: 0 } } },
    });
    expect(back.plan.ignored).toContain(width);
  });
});

describe('the look', () => {
  test('counts new, update, unchanged and error, tells every problem of every row, and writes nothing', async () => {
    const begun = await checked(line('C1') + line('C2', { note: '旧' }));
    await apply(begun.id);
    const one = await checked(
      line('C1') +
        line('C2', { note: '新' }) +
        line('C3') +
        line('C4', { name: '', x: 'abc', type: '木头' }) +
        line('C4', { area: '没有这个区' }) +
        line('坏\t码') +
        line('C5', { x: '0', y: '0' }) +
        line('c1'),
    );
    expect(one).toMatchObject({
      state: 'checked',
      counts: { new: 1, update: 1, unchanged: 1, error: 5 },
      task: { state: 'done' },
      unknownWords: { equipmentTypeId: [{ word: '木头', rows: 1 }] },
    });
    const { data } = await rowsOf(one.id, 'outcome=error');
    const found = data.map(({ row, problems }) => [
      row,
      ...problems.map(({ field, rule }) => `${field}:${rule}`).toSorted(),
    ]);
    expect(found).toEqual([
      [5, 'equipmentName:required', 'equipmentTypeId:option', 'longitude:type'],
      [6, 'workId:notFound'],
      [7, 'equipmentCode:code'],
      [8, 'longitude:zeroPosition'],
      [9, 'equipmentCode:sameAsRow'],
    ]);
    expect(data[4]?.problems[0]?.message).toBe('编号与第 2 行重复');
    const broken = async (field: string, rule: string) =>
      (await rowsOf(one.id, `outcome=error&rule=${rule}&field=${field}`)).data.map(({ row }) => row);
    expect([await broken('workId', 'notFound'), await broken('equipmentName', 'notFound')]).toEqual([[6], []]);
    expect((await rowsOf(one.id, 'outcome=update')).data[0]?.changes).toEqual([
      { field: 'rmark', from: '旧', to: '新' },
    ]);
    expect(await pole('C3')).toBeUndefined();
    expect((await pole('C2'))?.['rmark']).toBe('旧');
  });

  test('a missing column leaves a field as it is, an empty cell empties it', async () => {
    await apply(
      (await checked(line('K1', { note: '留', road: '滨江大道' }) + line('K2', { note: '去', road: 'R1' }))).id,
    );
    const { body } = await upload('equipmentCode,workId,rmark\nK1,N,留\nK2,北区,\n');
    await apply((await check(body.id)).id);
    expect([await pole('K1'), await pole('K2')]).toMatchObject([
      { rmark: '留', roadId: place.road, equipmentName: '杆' },
      { rmark: null, roadId: place.road, equipmentName: '杆' },
    ]);
  });

  test('positions in other systems become WGS-84; strays are asked about, and believed when somebody says so', async () => {
    const at = (code: string, x: number, y: number) => line(code, { x: String(x), y: String(y) });
    const twd =
      [1, 2, 3, 4, 5].map((n) => at(`T${n}`, 275_170 + n, 2_759_430)).join('') +
      at('T6', 27_517, 2_759_430) +
      at('T7', 1e12, 5);
    const one = await checked(twd, { system: 'EPSG:3826' });
    expect(one.counts).toMatchObject({ new: 5, error: 2 });
    expect((await rowsOf(one.id, 'outcome=error')).data.map(({ problems }) => problems[0]?.rule)).toEqual([
      'farAway',
      'outsideSystem',
    ]);
    // The other devices of this register stand 500 km away: that is asked about too, and nothing is written before it
    // is answered.
    const asked = await check(one.id, { acceptFar: true });
    expect(asked.questions).toEqual([{ kind: 'farFromRegister', rows: 6, km: expect.any(Number) as number }]);
    expect((await begin(one.id, 'apply', { rows: 'valid' })).reply.body.code).toBe(3811);
    expect((await check(one.id, { acceptFar: true, acceptPlace: true })).counts).toMatchObject({ new: 6, error: 1 });
    await apply(one.id);
    expect(await pole('T1')).toMatchObject({
      longitude: expect.closeTo(121.24926, 4) as number,
      latitude: expect.closeTo(24.94249, 4) as number,
    });
    const pins = await call<{ pins: { row: number; longitude: number }[] }>(
      `/api/v1/imports/${one.id}/pins?system=EPSG:3826&x=3&y=4`,
    );
    expect(pins.body.pins.map(({ row }) => row)).toEqual([2, 5, 8]);
  });

  test('words of the file can be given a meaning; roads that are missing can be made with it', async () => {
    const text =
      line('W1', { type: '木头', road: '新路' }) +
      line('W2', { type: '不知', road: '新路' }) +
      line('W3', { road: '没有' });
    const one = await checked(text, {
      words: { equipmentTypeId: { 木头: 'equipment_type_13', 不知: 'equipment_type_24' } },
      createRoads: true,
    });
    expect(one).toMatchObject({
      counts: { new: 3, error: 0 },
      newRoads: [
        { name: '新路', rows: 2 },
        { name: '没有', rows: 1 },
      ],
    });
    await apply(one.id);
    const made = await db
      .selectFrom('road')
      .select(['id', 'road_name'])
      .where('road_name', 'in', ['新路', '没有'])
      .execute();
    expect(made.length).toBe(2);
    expect((await pole('W2'))?.['roadId']).toBe(made.find((road) => road.road_name === '新路')?.id);
    expect((await checked(text.replaceAll('W', 'V'))).counts).toMatchObject({ new: 1, error: 2 });
  });
});

describe('writing', () => {
  test('all or nothing writes nothing when one row is wrong; valid rows only writes the others', async () => {
    const one = await checked(line('D1') + line('D2', { type: '木头' }));
    const all = await apply(one.id, 'all');
    expect(all.one).toMatchObject({
      state: 'checked',
      task: { state: 'failed', error: '共 1 行有错误，按“全部或不导入”没有写入任何数据。' },
    });
    expect(await pole('D1')).toBeUndefined();
    expect((await apply(one.id)).one).toMatchObject({ state: 'applied', task: { state: 'done' } });
    expect(await pole('D1')).toMatchObject({ version: 1 });
    // Once is enough.
    expect((await apply(one.id)).reply.body.code).toBe(3807);
  });

  test('a device changed since the look, or registered meanwhile, is not overwritten', async () => {
    await apply((await checked(line('E1'))).id);
    const one = await checked(line('E1', { note: '改' }) + line('E2') + line('E3'));
    const before = await pole('E1');
    await call(`/api/v1/devices/${before?.id ?? 0}`, {
      method: 'PUT',
      body: { version: before?.version, rmark: '别人' },
    });
    await call('/api/v1/devices', {
      body: {
        family: 'lamp-pole',
        equipmentCode: 'e2',
        equipmentName: '别人的',
        workId: place.north,
        equipmentTypeId: 'equipment_type_13',
      },
    });
    expect((await apply(one.id)).one).toMatchObject({ state: 'applied', counts: { new: 1, update: 0, error: 2 } });
    expect((await rowsOf(one.id, 'outcome=error')).problems).toEqual([
      expect.objectContaining({ rule: 'changedMeanwhile', rows: 2 }),
    ]);
    expect((await pole('E1'))?.['rmark']).toBe('别人');
  });

  test('two imports of the same rows at once: one writes, the other says what it found', async () => {
    const [a, b] = [await checked(line('F1')), await checked(line('F1'))];
    const [first, second] = await Promise.all([apply(a.id), apply(b.id)]);
    expect([first.one.state, second.one.state].toSorted()).toEqual(['applied', 'checked']);
    expect(await pole('F1')).toMatchObject({ version: 1 });
  });
});

test('rows of old imports go; what was imported stays, undoing says why it is too late, and what was only checked is checked again', async () => {
  const written = await checked(line('OLD1') + line('OLD2', { x: '' }));
  await apply(written.id);
  const looked = await checked(line('OLD3'));
  const now = (days: number) => new Date(app.clock.now().getTime() + days * 86_400_000);
  expect(await pruneImportRows(db, now(89))).toBe(0);
  expect((await rowsOf(written.id)).recordsTotal).toBe(2);
  expect(await pruneImportRows(db, now(91))).toBeGreaterThanOrEqual(2);
  expect(await pruneImportRows(db, now(91))).toBe(0);
  expect(await get(written.id)).toMatchObject({ state: 'applied', rowsRemovedAt: now(91).toISOString() });
  expect((await rowsOf(written.id)).recordsTotal).toBe(0);
  for (const [path, body] of [
    [`/api/v1/imports/${written.id}/undo`, {}],
    ['/api/v1/failed-row-exports', { importId: written.id }],
  ] as const) {
    expect(
      (await call<Problem>(path, { method: 'POST', body, headers: { 'accept-language': 'en-US' } })).body,
      path,
    ).toMatchObject({ code: 3810, message: expect.stringContaining('90 days') });
  }
  expect(await pole('OLD1')).toBeDefined();
  expect(await get(looked.id)).toMatchObject({ state: 'uploaded', counts: null });
  expect(await check(looked.id)).toMatchObject({ state: 'checked', counts: { new: 1 } });
  expect(await get(looked.id)).not.toHaveProperty('rowsRemovedAt');
});

describe('undoing', () => {
  test('restores what nobody touched since, removes what was new, and lists the others', async () => {
    await apply((await checked(line('U1', { note: '前', road: '滨江大道' }) + line('U2', { note: '前' }))).id);
    const one = await checked(
      line('U1', { note: '后' }) + line('U2', { note: '后' }) + line('U3') + line('U4') + line('U5'),
    );
    await apply(one.id);
    const [touched, carrier, pictured] = [await pole('U2'), await pole('U4'), await pole('U5')];
    await db
      .insertInto('attachment')
      .values({
        device_id: pictured?.id ?? 0,
        kind: 'photo',
        type: 'image/png',
        file: 'x',
        file_name: 'x.png',
        bytes: 1,
        account_name: 'admin',
        created_at: app.clock.now(),
      })
      .execute();
    await call(`/api/v1/devices/${touched?.id ?? 0}`, {
      method: 'PUT',
      body: { version: touched?.version, equipmentName: '后来' },
    });
    await call('/api/v1/devices', {
      body: {
        family: 'single-lamp-controller',
        equipmentCode: 'U-L',
        equipmentName: '灯',
        workId: place.north,
        lamppostId: carrier?.id,
      },
    });
    const undone = (await begin(one.id, 'undo')).one;
    expect(undone).toMatchObject({ state: 'undone', notUndone: 3 });
    expect(await pole('U1')).toMatchObject({ rmark: '前', roadId: place.road });
    expect(await pole('U2')).toMatchObject({ rmark: '后', equipmentName: '后来' });
    expect(await pole('U3')).toBeUndefined();
    expect((await rowsOf(one.id, 'notUndone=true')).data.map(({ code }) => code)).toEqual(['U2', 'U4', 'U5']);
    expect(
      await db
        .selectFrom('attachment')
        .select('file_name')
        .where('device_id', '=', pictured?.id ?? 0)
        .execute(),
    ).toEqual([{ file_name: 'x.png' }]);
  });
});

describe('the history of the devices', () => {
  test('tells what an import and its undoing did, by whom and through which file, references by name', async () => {
    await apply((await checked(line('H1', { note: '前' }))).id);
    const one = await checked(line('H1', { note: '后', road: '滨江大道' }) + line('H2'));
    await apply(one.id);
    const { id = 0 } = (await pole('H1')) ?? {};
    await begin(one.id, 'undo');
    const told = await db
      .selectFrom('device_change')
      .selectAll()
      .where('equipment_code', 'in', ['H1', 'H2'])
      .orderBy('id')
      .execute();
    expect(
      told
        .map(({ equipment_code, kind, source, note, actor_name }) =>
          [equipment_code, kind, source, note, actor_name].join(' '),
        )
        .sort(),
    ).toEqual([
      'H1 created import 杆.csv admin',
      'H1 updated import 杆.csv admin',
      'H1 updated import.undo 杆.csv admin',
      'H2 created import 杆.csv admin',
      'H2 deleted import.undo 杆.csv admin',
    ]);
    const fields = (source: string) =>
      (
        JSON.parse(
          JSON.stringify(
            told.find((row) => row.device_id === id && row.source === source && row.kind === 'updated')?.fields,
          ),
        ) as { field: string }[]
      ).toSorted((a, b) => a.field.localeCompare(b.field));
    expect(fields('import')).toEqual([
      { field: 'rmark', from: '前', to: '后', fromLabel: null, toLabel: null, masked: false },
      { field: 'roadId', from: null, to: place.road, fromLabel: null, toLabel: '滨江大道', masked: false },
    ]);
    expect(fields('import.undo')).toEqual([
      { field: 'rmark', from: '后', to: '前', fromLabel: null, toLabel: null, masked: false },
      { field: 'roadId', from: place.road, to: null, fromLabel: '滨江大道', toLabel: null, masked: false },
    ]);
  });
});

/** The sheet that the export of an import's failed rows comes to. */
async function failedRowsOf(importId: number) {
  const begun = await call<{ id: number }>('/api/v1/failed-row-exports', { body: { importId } });
  expect(begun.status).toBe(201);
  const path = `/api/v1/tasks/${begun.body.id}`;
  await expect.poll(async () => (await call<{ state: string }>(path)).body.state, { timeout: 20_000 }).toBe('done');
  return call(`${path}/file`);
}

describe('failed rows', () => {
  test('come back as a workbook with every reason; repaired, it can be imported again', async () => {
    const one = await checked(line('G1') + line('007', { type: '木头', note: '=1+1' }) + line('G3', { x: '' }));
    const reply = await failedRowsOf(one.id);
    const sheet = await readSheet(reply.bytes);
    expect(sheet.map((row) => row.map((cell) => cell ?? '').join('|'))).toEqual([
      '现场编号|equipmentName|项目|Longitude|纬度|道路|equipmentTypeId|rmark|错误',
      expect.stringMatching(/^007\|杆\|N\|120\.2\|30\.2\|\|木头\|=1\+1\|灯杆类型.*木头/) as string,
      expect.stringMatching(/^G3\|杆\|N\|\|30\.2\|\|普通灯杆\|\|经度/) as string,
    ]);
    const again = await upload(reply.bytes, { name: '失败.xlsx' });
    expect(again.body.plan.ignored).toEqual([8]);
    const repaired = await check(again.body.id, {
      fields: { ...again.body.plan.fields, equipmentCode: { column: 0 } },
      words: { equipmentTypeId: { 木头: 'equipment_type_13' } },
    });
    expect(repaired.counts).toMatchObject({ new: 1, error: 1 });
    await apply(repaired.id);
    expect(await pole('007')).toMatchObject({ rmark: '=1+1' });
  });

  test('a template has every column in the caller’s language, with its options', async () => {
    const reply = await call('/api/v1/import-templates/lamp-pole');
    const [headings] = await readSheet(reply.bytes);
    expect(headings?.slice(0, 2)).toEqual(['灯杆编号 *', '灯杆名称 *']);
    expect((await upload(reply.bytes, { name: 't.xlsx' })).body.plan.fields).toMatchObject({
      equipmentCode: { column: 0 },
      equipmentName: { column: 1 },
    });
  });
});

describe('who may', () => {
  test('rows of work areas that are not one’s own are refused; nobody sees another one’s import', async () => {
    const { token } = await app.signIn({
      username: 'importer',
      level: 3,
      permissions: ['device.import', 'device.query'],
      workAreas: [place.north],
    });
    const { body } = await upload(head + line('OWN1') + line('OWN2', { area: 'S' }), { token });
    const { reply } = await begin(
      body.id,
      'check',
      { ...body.plan, fields: { ...body.plan.fields, equipmentCode: { column: 0 } } },
      token,
    );
    expect(reply.status).toBe(201);
    expect((await ended(body.id)).counts).toMatchObject({ new: 1, error: 1 });
    expect((await rowsOf(body.id, 'outcome=error')).data[0]?.problems[0]?.rule).toBe('notYours');
    const stranger = await app.signIn({
      username: 'stranger',
      level: 3,
      permissions: ['device.import'],
      workAreas: [place.north],
    });
    expect((await call(`/api/v1/imports/${body.id}`, { token: stranger.token })).status).toBe(404);
    expect((await call('/api/v1/imports', { token: stranger.token })).body).toMatchObject({ recordsTotal: 0 });
  });

  test('an import that is forgotten takes its file with it, and what it wrote stays', async () => {
    const one = await checked(line('I1'));
    await apply(one.id);
    const { file } = await db.selectFrom('import').select('file').where('id', '=', one.id).executeTakeFirstOrThrow();
    expect((await call(`/api/v1/imports/${one.id}`, { method: 'DELETE' })).status).toBe(204);
    expect(await files.get(file)).toBeUndefined();
    expect(await pole('I1')).toBeDefined();
  });
});

/** A zip of these parts, as small as can be. */
function zip(parts: Readonly<Record<string, Buffer>>): Buffer {
  const local: Buffer[] = [];
  const central: Buffer[] = [];
  let at = 0;
  for (const [name, content] of Object.entries(parts)) {
    const packed = deflateRawSync(content);
    const header = Buffer.alloc(30);
    header.writeUInt32LE(0x04034b50, 0);
    header.writeUInt16LE(8, 8);
    header.writeUInt32LE(packed.length, 18);
    header.writeUInt32LE(content.length, 22);
    header.writeUInt16LE(name.length, 26);
    const entry = Buffer.alloc(46);
    entry.writeUInt32LE(0x02014b50, 0);
    entry.writeUInt16LE(8, 10);
    entry.writeUInt32LE(packed.length, 20);
    entry.writeUInt32LE(content.length, 24);
    entry.writeUInt16LE(name.length, 28);
    entry.writeUInt32LE(at, 42);
    local.push(header, Buffer.from(name), packed);
    central.push(entry, Buffer.from(name));
    at += 30 + name.length + packed.length;
  }
  const size = central.reduce((sum, part) => sum + part.length, 0);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(Object.keys(parts).length, 8);
  end.writeUInt16LE(Object.keys(parts).length, 10);
  end.writeUInt32LE(size, 12);
  end.writeUInt32LE(at, 16);
  return Buffer.concat([...local, ...central, end]);
}

test('gateways are not hung on each other in a circle, by rows of one file or against the register', async () => {
  const made = async (code: string) =>
    (
      await call<Row>('/api/v1/devices', {
        body: { family: 'gateway', equipmentCode: code, equipmentName: code, workId: place.north },
      })
    ).body;
  for (const code of ['RING1', 'RING2', 'RING3']) await made(code);
  const file = async (text: string) => {
    const { body } = await upload(`equipmentCode,workId,gatewayId\n${text}`, { family: 'gateway' });
    return check(body.id);
  };
  const ring = await file('RING1,N,RING2\nRING2,N,RING3\nRING3,N,RING1\n');
  expect(ring.counts).toMatchObject({ update: 0, error: 3 });
  expect((await rowsOf(ring.id)).problems).toEqual([
    expect.objectContaining({ field: 'gatewayId', rule: 'cycle', rows: 3 }),
  ]);
  // Fine when looked at, a circle when written: somebody else hung the other one meanwhile.
  const late = await file('RING1,N,RING2\n');
  expect(late.counts).toMatchObject({ update: 1, error: 0 });
  const gateways = (await call<{ data: Row[] }>('/api/v1/devices?family=gateway&q=RING')).body.data;
  const idOf = (code: string) => gateways.find((row) => row['equipmentCode'] === code)?.id;
  expect(
    (await call(`/api/v1/devices/${idOf('RING2')}`, { method: 'PUT', body: { gatewayId: idOf('RING1') } })).status,
  ).toBe(200);
  expect((await apply(late.id)).one).toMatchObject({ state: 'checked', task: { state: 'failed' } });
});

test('rows are taken in the order of their ids, as a move takes them, whatever their order in the sheet, and again where the database had to end it', async () => {
  await apply((await checked(line('O1') + line('O2'))).id);
  const [first, last] = [(await pole('O1'))?.id ?? 0, (await pole('O2'))?.id ?? 0];
  const { id } = await checked(line('O2', { note: '后' }) + line('O1', { note: '后' }));
  await loseOnce(db, 'import', 'UPDATE OF state');
  for (const [step, body] of [
    ['apply', { rows: 'all' }],
    ['undo', {}],
  ] as const) {
    const { free, done } = await whileWaiting(db, 'device', { first, last }, () => begin(id, step, body));
    expect([free, done.one.task?.state]).toEqual([true, 'done']);
  }
});
