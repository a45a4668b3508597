import { beforeAll, expect, test } from 'vitest';
import { decodePlaced, differences, mapStates, sums } from '../../../../contract/device-map.ts';
import type { ReplyOf } from '../../../../contract/route.ts';
import type { getDeviceMap, listUnplacedDevices } from '../../../../contract/register/device-map.ts';
import { testApp } from '../../testing/app.ts';
import { createDeviceMap, deviceMapRoutes } from './index.ts';

const app = await testApp({ routes: ({ db, clock }) => deviceMapRoutes(createDeviceMap({ db, clock })) });
const { db, call, clock } = app;
type Map = ReplyOf<typeof getDeviceMap>;
type Unplaced = ReplyOf<typeof listUnplacedDevices>;

const map = async (query = '', more = {}) => (await call<Map>(`/api/v1/devices/map${query}`, more)).body;
/** The answer as somebody reads it: what stands where, in its order. */
function read({ families, columns }: Map) {
  if (columns === null) throw new Error('nothing came');
  const placed = decodePlaced(columns);
  return placed.ids.map((id, index) => ({
    id,
    family: families[placed.families[index]!],
    state: mapStates[placed.states[index]!],
    atPole: placed.atPole[index] === 1,
    at: [placed.longitudes[index], placed.latitudes[index]],
  }));
}

const place = { north: 0, south: 0, road: 0 };
const made = { lamp: 0, pole: 0, camera: 0, gateway: 0, far: 0, lost: 0, bare: 0 };
let serial = 0;
async function device(family: string, more: Record<string, unknown> = {}): Promise<number> {
  const { id } = await db
    .insertInto('device')
    .values({ family, equipment_code: `M-${(serial += 1)}`, work_area_id: place.north, ...more } as never)
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}
const at = (longitude: number, latitude: number) => ({ longitude, latitude });

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
  // The lamp is older than its pole, and still stands behind it in the answer.
  made.lamp = await device('single-lamp-controller', { road_id: place.road });
  made.pole = await device('lamp-pole', at(120.2000004, -30.1));
  await db.updateTable('device').set({ pole_id: made.pole }).where('id', '=', made.lamp).execute();
  made.camera = await device('security-camera', { pole_id: made.pole, enabled: false, ...at(120.2001, -30.1) });
  made.gateway = await device('gateway', at(-0.5, 51.25));
  made.far = await device('lamp-pole', { work_area_id: place.south, ...at(120.3, -30.2) });
  made.bare = await device('lamp-pole', { road_id: place.road });
  made.lost = await device('single-lamp-controller', { pole_id: made.bare });
  await db
    .insertInto('device_state')
    .values({ device_id: made.lamp, state: 'alarm', online: true, since: clock.now(), judged_at: clock.now() } as never)
    .execute();
});

test('everything that has a position, the pole before what stands at it, states of their own kinds', async () => {
  expect(read(await map())).toEqual([
    { id: made.pole, family: 'lamp-pole', state: 'inUse', atPole: false, at: [120.2, -30.1] },
    { id: made.lamp, family: 'single-lamp-controller', state: 'alarm', atPole: true, at: [120.2, -30.1] },
    { id: made.camera, family: 'security-camera', state: 'off', atPole: false, at: [120.2001, -30.1] },
    { id: made.gateway, family: 'gateway', state: 'unknown', atPole: false, at: [-0.5, 51.25] },
    { id: made.far, family: 'lamp-pole', state: 'inUse', atPole: false, at: [120.3, -30.2] },
  ]);
});

test('families and a road narrow it; a device keeps its pole’s place without the pole', async () => {
  expect(read(await map('?families=gateway,single-lamp-controller')).map(({ id }) => id)).toEqual([
    made.lamp,
    made.gateway,
  ]);
  expect(read(await map(`?roadId=${place.road}`)).map(({ id, at: [x] }) => [id, x])).toEqual([[made.lamp, 120.2]]);
  expect(read(await map('?families=wifi'))).toEqual([]);
});

test('an unchanged map is not sent again; a moved pole and a changed state are', async () => {
  const { version } = await map();
  expect(await map(`?known=${version}`)).toMatchObject({ version, columns: null });
  await db.updateTable('device').set(at(120.25, -30.15)).where('id', '=', made.far).execute();
  const moved = await map(`?known=${version}`);
  expect(read(moved).at(-1)?.at).toEqual([120.25, -30.15]);
  await db
    .updateTable('device_state')
    .set({ state: 'offline' } as never)
    .where('device_id', '=', made.lamp)
    .execute();
  expect((await map(`?known=${moved.version}`)).columns).not.toBeNull();
  // The same version of fewer families is another one.
  expect((await map(`?families=wifi&known=${moved.version}`)).columns).not.toBeNull();
});

test('a caller gets what it sees', async () => {
  expect(read(await map('', { workAreaId: place.south })).map(({ id }) => id)).toEqual([made.far]);
  const south = await app.signIn({ username: 'south', permissions: ['device.query'], workAreas: [place.south] });
  expect(read(await map('', { token: south.token })).map(({ id }) => id)).toEqual([made.far]);
  // A lamp that is bound to the account brings its place, not its pole.
  await db.insertInto('device_account').values({ device_id: made.lamp, account_id: south.accountId }).execute();
  expect(read(await map('', { token: south.token })).map(({ id, at: [x] }) => [id, x])).toEqual([
    [made.lamp, 120.2],
    [made.far, 120.25],
  ]);
  expect((await call<Unplaced>('/api/v1/devices/unplaced', { token: south.token })).body).toEqual({
    data: [],
    recordsTotal: 0,
  });
});

test('what stands nowhere: poles first, found by code, page by page', async () => {
  const unplaced = async (query = '') => (await call<Unplaced>(`/api/v1/devices/unplaced${query}`)).body;
  expect((await unplaced()).data.map(({ id, roadName, version }) => [id, roadName, version])).toEqual([
    [made.bare, '滨江大道', 1],
    [made.lost, null, 1],
  ]);
  expect(await unplaced('?size=1&page=2')).toMatchObject({ recordsTotal: 2, data: [{ id: made.lost }] });
  expect((await unplaced('?families=lamp-pole')).recordsTotal).toBe(1);
  expect((await unplaced('?q=%25')).recordsTotal).toBe(0);
});

test('what nobody declared is refused', async () => {
  expect((await call('/api/v1/devices/map?families=spaceship')).status).toBe(400);
  expect((await call('/api/v1/devices/map?colour=red')).status).toBe(400);
  expect((await call('/api/v1/devices/map?roadId=x')).status).toBe(400);
  expect((await call('/api/v1/devices/unplaced?size=1000')).status).toBe(400);
});

test('differences and sums undo each other', () => {
  const values = [5, 5, -3, 0, 120_200_000];
  expect(sums(differences(values))).toEqual(values);
  expect(differences(values)).toEqual([5, 0, -8, 3, 120_200_000]);
});
