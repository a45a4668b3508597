import { readSheet } from 'read-excel-file/node';
import { beforeAll, expect, test } from 'vitest';
import type { ReplyOf } from '../../../../contract/route.ts';
import type { getAssetStatistics, listControllerStatistics } from '../../../../contract/register/statistics.ts';
import { testApp } from '../../testing/app.ts';
import { createExpiries, createStatistics, statisticsRoutes } from './index.ts';

const app = await testApp({
  routes: ({ db, clock }) => statisticsRoutes(createStatistics({ db, clock }), createExpiries({ db, clock })),
});
const { db, call, clock } = app;
type Figures = ReplyOf<typeof getAssetStatistics>;
type Controllers = ReplyOf<typeof listControllerStatistics>;

const figures = async (query = '', more = {}) => (await call<Figures>(`/api/v1/asset-statistics${query}`, more)).body;
const controllers = async (query = '', more = {}) =>
  (await call<Controllers>(`/api/v1/asset-statistics/controllers${query}`, more)).body;
const pairs = (figure: Figures['families']) => figure.groups.map(({ key, count }) => [key, count]);

const place = { north: 0, south: 0, road: 0, rtu: 0, timer: 0 };
let serial = 0;
async function device(family: string, more: Record<string, unknown> = {}): Promise<number> {
  const { id } = await db
    .insertInto('device')
    .values({ family, equipment_code: `S-${(serial += 1)}`, work_area_id: place.north, ...more } as never)
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}
const props = (values: object) => ({ props: JSON.stringify(values) });
/** The day so many years (and days) before today, as a form stores it. */
const installed = (years: number, days = 0): string => {
  const day = new Date(clock.now().getTime() + 8 * 3_600_000);
  day.setUTCFullYear(day.getUTCFullYear() - years);
  day.setUTCDate(day.getUTCDate() - days);
  return day.toISOString().slice(0, 10);
};
const hoursAgo = (hours: number): Date => new Date(clock.now().getTime() - hours * 3_600_000);

beforeAll(async () => {
  const area = async (code: string) =>
    (
      await db
        .insertInto('work_area')
        .values({ work_code: code, work_name: `区${code}` })
        .returning('id')
        .executeTakeFirstOrThrow()
    ).id;
  place.north = await area('N');
  place.south = await area('S');
  place.road = (
    await db
      .insertInto('road')
      .values({ work_area_id: place.north, road_code: 'R1', road_name: '滨江大道' })
      .returning('id')
      .executeTakeFirstOrThrow()
  ).id;
  place.rtu = await device('central-controller', { road_id: place.road, ...props({ manufacturer: '=萤火' }) });
  place.timer = await device('time-controller', props({ manufacturer: ' =萤火 ' }));
  for (const installTime of [installed(0, 10), installed(1), installed(4, 3), installed(30), installed(0, -2)]) {
    const id = await device('single-lamp-controller', {
      parent_id: place.rtu,
      road_id: place.road,
      ...props({ installTime }),
    });
    await db
      .insertInto('device_state')
      .values({ device_id: id, state: 'off', online: true, since: clock.now(), judged_at: clock.now() } as never)
      .execute();
  }
  const gateway = await device('gateway', { work_area_id: place.south });
  await db
    .insertInto('device_state')
    .values({ device_id: gateway, state: 'on', online: true, since: clock.now(), judged_at: clock.now() } as never)
    .execute();
  await device('lamp-pole', { work_area_id: place.south, enabled: false });
});

test('counts by family, project, road, age, vendor and state, all of the same devices', async () => {
  const told = await figures();
  expect(told).toMatchObject({ total: 9, enabled: 8 });
  expect(pairs(told.families)).toEqual([
    ['single-lamp-controller', 5],
    ['central-controller', 1],
    ['gateway', 1],
    ['lamp-pole', 1],
    ['time-controller', 1],
  ]);
  expect(told.workAreas.groups.map(({ label, count }) => [label, count])).toEqual([
    ['区N', 7],
    ['区S', 2],
  ]);
  expect(told.roads.groups.map(({ label, count }) => [label, count])).toEqual([
    ['滨江大道', 6],
    [null, 3],
  ]);
  // A device is a year old on the day itself; one installed tomorrow is not young but not yet there.
  expect(pairs(told.ages)).toEqual([
    ['future', 1],
    ['0', 1],
    ['1', 1],
    ['3', 1],
    ['10', 1],
    [null, 4],
  ]);
  expect(pairs(told.vendors)).toEqual([
    [null, 7],
    ['=萤火', 2],
  ]);
  // Poles say nothing, so they have no state; controllers nobody heard of are unknown; a gateway is online, never lit.
  expect(pairs(told.states)).toEqual([
    ['off', 5],
    ['unknown', 2],
    ['online', 1],
    [null, 1],
  ]);
  for (const figure of [told.families, told.workAreas, told.roads, told.ages, told.vendors, told.states])
    expect(figure.groups.reduce((sum, { count }) => sum + count, figure.omitted.count)).toBe(9);
});

test('filters narrow every figure; a caller counts only what it sees', async () => {
  expect((await figures('?family=lamp-pole')).total).toBe(1);
  expect((await figures('?family=lamp-pole,time-controller')).total).toBe(2);
  expect((await figures(`?workId=${place.north}&roadId=${place.road}&status=enabled`)).total).toBe(6);
  expect((await figures('?status=disabled')).families.groups).toEqual([{ key: 'lamp-pole', label: null, count: 1 }]);
  expect((await figures('', { workAreaId: place.south })).total).toBe(2);
  expect((await call('/api/v1/asset-statistics?family=spaceship')).status).toBe(400);
  const south = await app.signIn({ username: 'south', permissions: ['device.query'], workAreas: [place.south] });
  expect((await figures('', { token: south.token })).total).toBe(2);
  expect(await controllers('', { token: south.token })).toEqual({ data: [], recordsTotal: 0 });
  await db.insertInto('device_account').values({ device_id: place.rtu, account_id: south.accountId }).execute();
  // Bound to the controller, but not to its lamps.
  expect((await controllers('', { token: south.token })).data.map(({ id, lamps }) => [id, lamps])).toEqual([
    [place.rtu, 0],
  ]);
});

test('nothing registered: zeros and empty figures, no shares made up', async () => {
  const told = await figures(`?roadId=${place.road}&status=disabled`);
  expect(told).toMatchObject({ total: 0, enabled: 0, families: { groups: [], omitted: { groups: 0, count: 0 } } });
});

test('controllers: lamps by register, loops by what they reported, online time by their link to the broker', async () => {
  const before = await controllers();
  expect(before.recordsTotal).toBe(2);
  expect(before.data).toMatchObject([
    { id: place.rtu, lamps: 5, loops: null, closedLoops: null, knownSeconds: null, onlineSeconds: null },
    { id: place.timer, lamps: null, loops: null, closedLoops: null, knownSeconds: null, onlineSeconds: null },
  ]);
  await db
    .insertInto('device_latest')
    .values([
      {
        device_id: place.rtu,
        connected: true,
        connection_changed_at: hoursAgo(2),
        values: JSON.stringify({ loop1Contactor: true, loop2Contactor: false, loop1Aux: true }),
      },
      // Connected for the first time, long before the span, and never lost since.
      { device_id: place.timer, connected: true, connection_changed_at: hoursAgo(24 * 90), values: '{}' },
    ] as never)
    .execute();
  await db
    .insertInto('device_event')
    .values([
      { device_id: place.rtu, at: hoursAgo(24 * 40), kind: 'connected' },
      { device_id: place.rtu, at: hoursAgo(12), kind: 'disconnected' },
      { device_id: place.rtu, at: hoursAgo(2), kind: 'connected' },
    ])
    .execute();
  const month = 30 * 86_400;
  expect((await controllers()).data).toMatchObject([
    { loops: 2, closedLoops: 1, knownSeconds: month, onlineSeconds: month - 10 * 3600 },
    { loops: null, knownSeconds: month, onlineSeconds: month },
  ]);
  expect((await controllers('?page=2&size=1')).data.map(({ id }) => id)).toEqual([place.timer]);
});

test('the workbook tells the same in the language asked for; a vendor that looks like a formula stays a text', async () => {
  const reply = await call('/api/v1/asset-statistics/file', { headers: { 'accept-language': 'fr-FR' } });
  expect(reply.status).toBe(200);
  expect(await readSheet(reply.bytes, 'Fabricant')).toEqual([
    ['Fabricant', 'Nombre', 'Part (%)'],
    ['Non renseigné', 7, 77.78],
    ['=萤火', 2, 22.22],
  ]);
  expect((await readSheet(reply.bytes, 'Âge')).slice(1).map(([word]) => word)).toEqual([
    'Pas encore installé',
    'Moins de 1 an',
    '1 à 3 ans',
    '3 à 5 ans',
    '10 ans ou plus',
    'Non renseigné',
  ]);
  expect((await readSheet(reply.bytes, 'Contrôleurs'))[1]?.[6]).toBe(5);
});
