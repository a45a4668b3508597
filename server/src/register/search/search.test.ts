import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openKeys } from '../../platform/keys/index.ts';
import { testApp } from '../../testing/app.ts';
import { createDevices, devicesRoutes } from '../devices/index.ts';
import { createRecords, recordsRoutes } from '../records/index.ts';
import { createSearch, searchRoutes, startFillingSearchWords } from './index.ts';

const folder = mkdtempSync(join(tmpdir(), 'lampyris-search-'));
const keys = openKeys(join(folder, 'secret.key'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const app = await testApp({
  routes: (parts) => [
    ...recordsRoutes(createRecords({ ...parts, keys })),
    ...devicesRoutes(createDevices({ ...parts, keys })),
    ...searchRoutes(createSearch(parts)),
  ],
});
const { call, db } = app;
interface Group {
  kind: string;
  items: { id: number; family: string | null; code: string; name: string | null; place: string | null }[];
}
const ask = async (q: string, more = {}): Promise<Group[]> =>
  (await call<{ groups: Group[] }>(`/api/v1/search?q=${encodeURIComponent(q)}`, more)).body.groups;
/** What a text finds, as kind and code. */
const found = async (q: string, more = {}): Promise<string[]> =>
  (await ask(q, more)).flatMap(({ kind, items }) => items.map(({ code }) => `${kind} ${code}`));
const area = { mine: 0, theirs: 0 };
let roadId = 0;
const device = async (
  family: string,
  equipmentCode: string,
  equipmentName: string,
  more: object = {},
): Promise<number> =>
  (
    await call<{ id: number }>('/api/v1/devices', {
      body: {
        family,
        equipmentCode,
        equipmentName,
        workId: area.mine,
        ...(family === 'lamp-pole' ? { equipmentTypeId: 'equipment_type_13' } : {}),
        ...more,
      },
    })
  ).body.id;

beforeAll(async () => {
  const add = async (code: string) =>
    (
      await db
        .insertInto('work_area')
        .values({ work_code: code, work_name: `区${code}` })
        .returning('id')
        .executeTakeFirstOrThrow()
    ).id;
  [area.mine, area.theirs] = [await add('M'), await add('T')];
  roadId = (
    await call<{ id: number }>('/api/v1/records/road', {
      body: { roadCode: 'BJDD', roadName: '滨江大道', workId: area.mine },
    })
  ).body.id;
  await device('lamp-pole', 'P-12', '滨江大道 12号杆', { roadId });
  await device('single-lamp-controller', 'L-0118', '滨江大道北侧灯');
  await device('central-controller', 'RTU-3', '重庆路集控');
  await device('single-lamp-controller', 'L-01', '人民路灯', { workId: area.theirs });
});

test.each([
  ['12', ['pole P-12']],
  ['p-1', ['pole P-12']],
  ['p12', ['pole P-12']],
  ['北侧', ['device L-0118']],
  ['bdd', []],
  ['cqljk', ['device RTU-3']],
  ['chongqing', ['device RTU-3']],
  ['滨江', ['pole P-12', 'device L-0118', 'road BJDD']],
  ['bjdd', ['pole P-12', 'device L-0118', 'road BJDD']],
  ['bin jiang 12', ['pole P-12']],
  ['dd', ['pole P-12', 'device L-0118', 'road BJDD']],
  ['ｌ－01', ['device L-01', 'device L-0118']],
  ['%', []],
  ['_', []],
  ['   ', []],
  ["' OR 1=1", []],
])('"%s" finds %j', async (q, codes) => {
  expect(await found(q)).toEqual(codes);
});

test('codes in letters of any script are found whole, by their beginning and by their number', async () => {
  const codes = ['กขค (12)', '강남-12', 'Λ-7 (β)'];
  const ids = await Promise.all(codes.map((code) => device('single-lamp-controller', code, 'x')));
  for (const code of codes) expect(await found(code)).toEqual([`device ${code}`]);
  expect([
    await found('กข'),
    await found('กขค'),
    await found('강남'),
    await found('강남12'),
    await found('λ'),
    await found('λ7'),
    await found('β'),
  ]).toEqual([
    ['device กขค (12)'],
    ['device กขค (12)'],
    ['device 강남-12'],
    ['device 강남-12'],
    ['device Λ-7 (β)'],
    ['device Λ-7 (β)'],
    ['device Λ-7 (β)'],
  ]);
  for (const id of ids) await call(`/api/v1/devices/${id}`, { method: 'DELETE' });
});

test('what is found says what it is and where', async () => {
  expect(await ask('bjdd')).toMatchObject([
    { kind: 'pole', items: [{ family: 'lamp-pole', code: 'P-12', name: '滨江大道 12号杆', place: '滨江大道' }] },
    { kind: 'device', items: [{ family: 'single-lamp-controller', place: null }] },
    { kind: 'road', items: [{ id: roadId, family: null, place: '区M' }] },
  ]);
});

test('an exact code comes first, then its beginnings in natural order; at most eight of a kind', async () => {
  for (const number of [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]) await device('lamp-pole', `X-1${number}`, 'x');
  await device('lamp-pole', 'X-1', 'X-10 的邻居');
  await device('lamp-pole', 'A-1', 'X-1 旁');
  expect(await found('x-1')).toEqual(
    ['X-1', 'X-11', 'X-12', 'X-13', 'X-14', 'X-15', 'X-16', 'X-17'].map((code) => `pole ${code}`),
  );
});

test('renamed things are found by the new name, deleted ones not at all', async () => {
  const id = await device('lamp-pole', 'N-1', '旧名字');
  await call(`/api/v1/devices/${id}`, { method: 'PUT', body: { equipmentName: '文化宫' } });
  expect([await found('whg'), await found('jmz')]).toEqual([['pole N-1'], []]);
  await call(`/api/v1/records/road/${roadId}`, { method: 'PUT', body: { roadName: '钱塘路' } });
  expect(await found('qiantang')).toEqual(['road BJDD']);
  await call(`/api/v1/devices/${id}`, { method: 'DELETE' });
  expect(await found('whg')).toEqual([]);
});

test('only what the caller may see, of the kinds its rights open', async () => {
  const scoped = await app.signIn({
    username: 'scoped',
    permissions: ['device.query', 'record.query'],
    workAreas: [area.theirs],
  });
  expect(await found('l-01', { token: scoped.token })).toEqual(['device L-01']);
  expect(await found('钱塘', { token: scoped.token })).toEqual([]);
  expect((await call('/api/v1/search?q=l', { token: scoped.token, workAreaId: area.mine })).status).toBe(403);
  expect(await found('l-01', { workAreaId: area.theirs })).toEqual(['device L-01']);
  const lamps = await app.signIn({ username: 'lampsonly', permissions: ['lamp.monitor'], workAreas: [area.mine] });
  expect(await found('重庆', { token: lamps.token })).toEqual([]);
  expect(await found('北侧', { token: lamps.token })).toEqual(['device L-0118']);
  const nobody = await app.signIn({ username: 'nobody', permissions: ['cscp.org.query'], workAreas: [area.mine] });
  expect(await found('l', { token: nobody.token })).toEqual([]);
  expect((await call('/api/v1/search?q=')).status).toBe(400);
});

test('rows that were written past the program get their words, without a new version', async () => {
  const { id } = await db
    .insertInto('device')
    .values({ family: 'lamp-pole', work_area_id: area.mine, equipment_code: 'OLD-9', equipment_name: '中山公园' })
    .returning('id')
    .executeTakeFirstOrThrow();
  expect(await found('zsgy')).toEqual([]);
  await startFillingSearchWords(app)();
  // Stopping waits for the batch in work, not for all: begun once more it finds the rest.
  const stop = startFillingSearchWords(app);
  await expect
    .poll(
      async () =>
        (await db.selectFrom('device').select('search_words').where('id', '=', id).executeTakeFirstOrThrow())
          .search_words,
    )
    .not.toBeNull();
  await stop();
  expect(await found('zsgy')).toEqual(['pole OLD-9']);
  expect((await db.selectFrom('device').select('version').where('id', '=', id).executeTakeFirstOrThrow()).version).toBe(
    1,
  );
});
