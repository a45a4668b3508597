import { afterAll, describe, expect, test } from 'vitest';
import { records as declared, type MasterRecord, type Values } from '../../../../catalogue/index.ts';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openKeys } from '../../platform/keys/index.ts';
import { testApp } from '../../testing/app.ts';
import { createRecords, recordsRoutes } from './index.ts';

const folder = mkdtempSync(join(tmpdir(), 'lampyris-records-'));
const keys = openKeys(join(folder, 'secret.key'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const app = await testApp({ routes: (parts) => recordsRoutes(createRecords({ ...parts, keys })) });
const { call, db } = app;
type Row = Record<string, unknown> & { id: number };
const add = (record: string, body: object, more = {}) => call<Row>(`/api/v1/records/${record}`, { body, ...more });
const problems = (reply: { body: unknown }) =>
  (reply.body as { params: { field: string; rule: string }[] }).params.map((p) => `${p.field}:${p.rule}`).sort();
const area = async (code: string) =>
  (await add('work-area', { workCode: code, workName: `区 ${code}`, timeZone: 'Asia/Shanghai' })).body.id;

const box = async (workId: number, code: string) =>
  (
    await db
      .insertInto('device')
      .values({ family: 'control-box', work_area_id: workId, equipment_code: code })
      .returning('id')
      .executeTakeFirstOrThrow()
  ).id;

/** What an example points to, made anew: another dictionary or work area each time. */
async function references(record: MasterRecord, example: Values, mark: string): Promise<Record<string, number>> {
  const made: Record<string, number> = {};
  if (example['workId'] !== undefined) made['workId'] = await area(mark);
  if (example['controlBoxId'] !== undefined) made['controlBoxId'] = await box(await area(mark), mark);
  if (example['dictId'] !== undefined)
    made['dictId'] = (await add('dictionary', { dictCode: mark, zhCN: `字典 ${mark}` })).body.id;
  return made;
}

describe.each(declared.map((record) => [record.key, record] as const))('%s', (key, record) => {
  test('its examples are created, read, listed, changed and deleted', async () => {
    for (const [index, example] of record.examples.entries()) {
      const body = { ...example, ...(await references(record, example, `${key}-${index}`)) };
      const secrets = record.fields
        .filter((field) => field.kind === 'secret' && body[field.key] !== undefined)
        .map((field) => field.key);
      const created = await add(key, body);
      const shown = { ...body, ...Object.fromEntries(secrets.map((secret) => [secret, null])) };
      expect(created, JSON.stringify(created.body)).toMatchObject({
        status: 201,
        body: { ...shown, version: 1, secrets },
      });
      for (const secret of secrets)
        expect(
          JSON.stringify(
            await db
              .selectFrom(record.table as 'channel')
              .selectAll()
              .execute(),
          ),
        ).not.toContain(String(body[secret]));
      const path = `/api/v1/records/${key}/${created.body.id}`;
      expect((await call(path)).body).toEqual(created.body);
      expect(
        (
          await call<{ data: Row[] }>(
            `/api/v1/records/${key}?q=${encodeURIComponent(String(example[record.codeField]))}`,
          )
        ).body.data.map((row) => row.id),
      ).toContain(created.body.id);
      const renamed = await call<Row>(path, { method: 'PUT', body: { [record.nameField]: '新名称', version: 1 } });
      expect(renamed.body).toMatchObject({
        [record.nameField]: '新名称',
        [record.codeField]: example[record.codeField],
        version: 2,
      });
      expect((await call(path, { method: 'PUT', body: { [record.nameField]: 'x', version: 1 } })).status).toBe(409);
      expect((await call(path, { method: 'DELETE' })).status).toBe(204);
      expect((await call(path)).status).toBe(404);
    }
  });
  test('every sort it allows works, everything else is refused by name', async () => {
    for (const field of record.fields.filter((f) => f.sort))
      expect((await call(`/api/v1/records/${key}?sort=${field.key},desc`)).status, field.key).toBe(200);
    expect(problems(await call(`/api/v1/records/${key}?sort=props,asc`))).toEqual(['sort:option']);
    expect(problems(await call(`/api/v1/records/${key}?strange=1`))).toEqual(['strange:unknown']);
    expect(problems(await add(key, { strange: 1 }))).toContain('strange:unknown');
  });
});

test('what is in use is not deleted, and the answer names what hangs on it', async () => {
  const workId = await area('use');
  const road = await add('road', { roadCode: 'U1', roadName: '在用路', workId });
  await db
    .insertInto('device')
    .values({ family: 'lamp-pole', work_area_id: workId, road_id: road.body.id, equipment_code: 'P1' })
    .execute();
  expect(await call(`/api/v1/records/road/${road.body.id}`, { method: 'DELETE' })).toMatchObject({
    status: 400,
    body: { code: 3002, detail: '请先处理：设备 1。' },
  });
  expect((await call(`/api/v1/records/work-area/${workId}/uses`)).body).toEqual({
    blocking: expect.arrayContaining([
      { what: 'road', name: '道路', count: 1 },
      { what: 'device', name: '设备', count: 1 },
    ]),
  });
  const elsewhere = await area('else');
  expect(
    problems(await call(`/api/v1/records/road/${road.body.id}`, { method: 'PUT', body: { workId: elsewhere } })),
  ).toEqual(['workId:foreignArea']);
});

test('projects are found by a level of their region and all below it, however its slashes are written', async () => {
  for (const [index, way] of ['浙江省 / 杭州市／滨江区', '浙江省/杭州', '浙江省', '江苏省/杭州市'].entries())
    await add('work-area', { workCode: `way${index}`, workName: way, area: way, timeZone: 'Asia/Shanghai' });
  const found = async (way: string) =>
    (
      await call<{ data: Row[] }>(
        `/api/v1/records/work-area?${new URLSearchParams({ area: way, sort: 'workCode,asc' })}`,
      )
    ).body.data.map(({ workCode }) => workCode);
  expect([
    await found('浙江省'),
    await found('浙江省/杭州市'),
    await found('浙江省／ 杭州市/滨江区'),
    await found('杭州市'),
  ]).toEqual([['way0', 'way1', 'way2'], ['way0'], ['way0'], []]);
});

test('codes are taken per work area, without regard to case and width', async () => {
  const [one, two] = [await area('t1'), await area('t2')];
  await add('road', { roadCode: 'aa', roadName: 'a', workId: one });
  expect(problems(await add('road', { roadCode: 'ＡＡ', roadName: 'b', workId: one }))).toEqual(['roadCode:taken']);
  expect((await add('road', { roadCode: 'AA', roadName: 'b', workId: two })).status).toBe(201);
  expect(problems(await add('road', { roadCode: 'x', roadName: 'b', workId: 999999 }))).toEqual(['workId:notFound']);
  expect((await call('/api/v1/records/toaster')).status).toBe(404);
});

test('an account sees and changes only its work areas', async () => {
  const [mine, theirs] = [await area('m'), await area('o')];
  const { token } = await app.signIn({
    username: 'scoped',
    permissions: ['record.query', 'record.add', 'record.edit', 'record.del'],
    workAreas: [mine],
  });
  const road = await add('road', { roadCode: 'O1', roadName: '别人的', workId: theirs });
  expect((await call<{ data: Row[] }>('/api/v1/records/work-area', { token })).body.data.map((row) => row.id)).toEqual([
    mine,
  ]);
  expect((await call<{ recordsTotal: number }>('/api/v1/records/road', { token })).body.recordsTotal).toBe(0);
  expect((await call(`/api/v1/records/road/${road.body.id}`, { token })).status).toBe(403);
  expect((await call(`/api/v1/records/road/${road.body.id}`, { token, method: 'DELETE' })).status).toBe(403);
  for (const [id, refused] of [
    [road.body.id, 403],
    [999_999, 404],
  ] as const) {
    const change = (body: object) => call(`/api/v1/records/road/${id}`, { token, method: 'PUT', body });
    expect((await change({ roadName: 'x' })).status).toBe(refused);
    expect(problems(await change({ roadName: '', strange: 1 }))).toEqual(['roadName:required', 'strange:unknown']);
  }
  expect((await add('road', { roadCode: 'O2', roadName: 'x', workId: theirs }, { token })).status).toBe(403);
  expect((await add('road', { roadCode: 'M1', roadName: 'x', workId: mine }, { token })).status).toBe(201);
  expect(
    (await add('work-area', { workCode: 'new', workName: 'x', timeZone: 'Asia/Shanghai' }, { token })).status,
  ).toBe(403);
  const changes = await db
    .selectFrom('operation_log')
    .select(['username', 'message', 'status'])
    .where('username', '=', 'scoped')
    .execute();
  expect(changes).toEqual(expect.arrayContaining([{ username: 'scoped', message: 'road.create', status: 201 }]));
});

test('a loop lies in the area of its box, whoever makes it, and moves with its box', async () => {
  const [mine, theirs] = [await area('lm'), await area('lo')];
  const [first, second, foreign] = [await box(mine, 'B1'), await box(mine, 'B2'), await box(theirs, 'B3')];
  const { token } = await app.signIn({
    username: 'looper',
    permissions: ['record.query', 'record.add', 'record.edit', 'record.del'],
    workAreas: [mine],
  });
  const one = await add('loop', { controlBoxId: first, loopCode: 'L1', loopName: '一路' }, { token });
  expect(one).toMatchObject({ status: 201, body: { labels: { controlBoxId: 'B1' } } });
  expect(problems(await add('loop', { controlBoxId: first, loopCode: 'Ｌ１', loopName: '又一路' }))).toEqual([
    'loopCode:taken',
  ]);
  expect((await add('loop', { controlBoxId: second, loopCode: 'L1', loopName: '别的一路' })).status).toBe(201);
  expect((await add('loop', { controlBoxId: foreign, loopCode: 'L9', loopName: '别人的' }, { token })).status).toBe(
    403,
  );
  const other = await add('loop', { controlBoxId: foreign, loopCode: 'L9', loopName: '别人的' });
  const pole = await db
    .insertInto('device')
    .values({ family: 'lamp-pole', work_area_id: mine, equipment_code: 'LP' })
    .returning('id')
    .executeTakeFirstOrThrow();
  expect(problems(await add('loop', { controlBoxId: pole.id, loopCode: 'L3', loopName: '不是配电箱' }))).toEqual([
    'controlBoxId:notFound',
  ]);
  const codes = async (query: string, more = {}) =>
    (await call<{ data: Row[] }>(`/api/v1/records/loop?sort=controlBoxId,asc&${query}`, more)).body.data.map(
      (row) => (row['labels'] as Record<string, string>)['controlBoxId'],
    );
  expect(await codes('', { token })).toEqual(['B1', 'B2']);
  expect(await codes(`workId=${theirs}`)).toEqual(['B3']);
  expect(await codes(`controlBoxId=${first}`)).toEqual(['B1']);
  const put = (body: object) => call(`/api/v1/records/loop/${one.body.id}`, { method: 'PUT', body });
  expect((await put({ controlBoxId: second, loopCode: 'L2' })).status).toBe(200);
  // With a lamp on it, it cannot leave the area of the lamp, nor be deleted; a box with loops neither.
  await db.updateTable('device').set({ loop_id: one.body.id }).where('id', '=', pole.id).execute();
  expect(problems(await put({ controlBoxId: foreign }))).toEqual(['controlBoxId:foreignArea']);
  expect((await call(`/api/v1/records/loop/${one.body.id}`, { method: 'DELETE' })).status).toBe(400);
  expect((await call(`/api/v1/records/loop/${other.body.id}`, { method: 'DELETE', token })).status).toBe(403);
});
