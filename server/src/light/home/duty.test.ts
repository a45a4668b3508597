import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import type { getHomeChanges, getHomeMap, getHomeSince } from '../../../../contract/light/home.ts';
import type { ReplyOf } from '../../../../contract/route.ts';
import { testApp } from '../../testing/app.ts';
import { testClock } from '../../testing/clock.ts';
import { givenArea, givenDevice } from '../../testing/devices.ts';
import { defaultThresholds } from '../lamps/index.ts';
import { createHome, createHomeMap, createSince, homeRoutes } from './index.ts';

const minute = 60_000;
const hour = 60 * minute;
const periods = { litSeconds: 900, unlitSeconds: 3600 };
const app = await testApp({
  // In the middle of a night of the area: what ended in it is its own, whatever the hour of the test.
  clock: testClock(new Date('2026-11-24T16:00:00Z')),
  routes: ({ db, clock, sessions }) =>
    homeRoutes(createHome({ db, clock, thresholds: defaultThresholds, periods }), {
      map: createHomeMap({ db, clock }),
      since: createSince({ db, clock, absenceOf: sessions.absenceOf }),
    }),
});
const { db, clock } = app;
const now = () => clock.now().getTime();
const ago = (ms: number) => new Date(now() - ms);

/** Lamps of a road with this state and fault since then. */
async function lamps(
  count: number,
  {
    road = 1,
    at = [120.2, 30.25] as readonly [number, number],
    state = 'on',
    fault = null as string | null,
    since = 0,
  },
  parentId: number | null = null,
): Promise<number[]> {
  const ids: number[] = [];
  for (let index = 0; index < count; index += 1) {
    const id = await givenDevice(db, { roadId: road, parentId });
    ids.push(id);
    await sql`UPDATE device SET longitude = ${at[0] + index / 10_000}, latitude = ${at[1]} WHERE id = ${id}`.execute(
      db,
    );
    await sql`INSERT INTO device_state (device_id, state, online, lit, should_be_lit, level, fault, fault_since, since,
        judged_at)
      VALUES (${id}, ${state}, ${state !== 'offline'}, ${state === 'on'}, true, ${state === 'on' ? 80 : 0}, ${fault},
        ${fault === null ? null : ago(since)}, ${ago(since)}, ${ago(0)})`.execute(db);
  }
  return ids;
}
const failed = async (ids: readonly number[], fault: string, began: number, ended: number | null = null) => {
  for (const id of ids)
    await sql`INSERT INTO fault_log (device_id, fault, began_at, ended_at)
      VALUES (${id}, ${fault}, ${ago(began)}, ${ended === null ? null : ago(ended)})`.execute(db);
};
const cut = async (ids: readonly number[], began: number, ended: number) => {
  for (const id of ids)
    await sql`INSERT INTO connection_log (device_id, kind, reason, began_at, ended_at, noticed_at, last_at, down_ms)
      VALUES (${id}, 'link', 'network', ${ago(began)}, ${ago(ended)}, ${ago(began)}, ${ago(began)},
        ${began - ended})`.execute(db);
};

let good: number[] = [];
let high: number[] = [];
let behind: number[] = [];
beforeAll(async () => {
  await givenArea(db);
  await sql`INSERT INTO road (id, work_area_id, road_code, road_name) VALUES (2, 1, 'R2', '青年路')`.execute(db);
  good = await lamps(10, {});
  high = await lamps(6, { road: 2, at: [120.22, 30.26], state: 'alarm', fault: 'L105', since: 3 * hour });
  await failed(high, 'L105', 3 * hour);
  const [dark = 0, other = 0] = await lamps(2, { state: 'alarm', fault: 'L112', since: 50 * hour });
  await failed([dark], 'L112', 50 * hour);
  await failed([other], 'L112', 40 * hour);
  const controller = await givenDevice(db, { family: 'central-controller', roadId: null });
  await sql`INSERT INTO device_state (device_id, state, online, fault, fault_since, since, judged_at)
    VALUES (${controller}, 'offline', false, 'N302', ${ago(hour)}, ${ago(hour)}, ${ago(0)})`.execute(db);
  behind = await lamps(9, { road: 2, state: 'offline', since: hour }, controller);
  await cut(good.slice(0, 7), 30 * minute, 29 * minute);
  await cut(good.slice(7, 8), 25 * minute, 20 * minute);
});

describe('what needs somebody', () => {
  it('folds what began together into one line, the worst first, and what is over apart', async () => {
    const { body } = await app.call<ReplyOf<typeof getHomeChanges>>('/api/v1/home/changes');
    expect(
      body.open.data.map((line) => [line.level, line.fault, line.count, line.open, line.roadName, line.endedAt]),
    ).toEqual([
      [1, 'L112', 2, 2, '滨江大道', null],
      [2, 'L105', 6, 6, '青年路', null],
    ]);
    expect(body.open).toMatchObject({ lines: 2, devices: 8 });
    expect(body.open.data[0]).toMatchObject({ beganAt: ago(50 * hour).toISOString(), deviceId: null });
    expect(body.ended.data.map((line) => [line.kind, line.reason, line.count, line.seconds])).toEqual([
      ['link', 'network', 1, 300],
      ['link', 'network', 7, 60],
    ]);
    expect(body.ended.data[0]?.code).toMatch(/^T-/);
    const { body: short } = await app.call<typeof body>('/api/v1/home/changes?size=1');
    expect([short.open.data.length, short.open.lines, short.ended.lines]).toEqual([1, 2, 2]);
  });

  it('counts a lamp with two faults once', async () => {
    await failed(high.slice(0, 1), 'L110', 2 * hour);
    const { body } = await app.call<ReplyOf<typeof getHomeChanges>>('/api/v1/home/changes?size=50');
    expect(body.open).toMatchObject({ lines: 3, devices: 8 });
  });
});

describe('the small map', () => {
  it('is cells with light and faults within the bounds of most lamps, and the worst places', async () => {
    const far = await givenDevice(db, { roadId: null });
    const nowhere = await givenDevice(db, { roadId: null });
    await sql`UPDATE device SET longitude = 0, latitude = 0 WHERE id = ${far}`.execute(db);
    await sql`UPDATE device SET longitude = NULL, latitude = NULL WHERE id = ${nowhere}`.execute(db);
    const { body } = await app.call<ReplyOf<typeof getHomeMap>>('/api/v1/home/map');
    const sum = (values: readonly number[]) => values.reduce((total, one) => total + one, 0);
    expect(body.unplaced).toBe(2);
    expect([sum(body.cells.lamps), sum(body.cells.alarm), sum(body.cells.offline)]).toEqual([27, 8, 9]);
    expect(sum(body.cells.light)).toBeCloseTo(8, 1);
    expect(new Set(Object.values(body.cells).map((column) => column.length)).size).toBe(1);
    for (const share of [...body.cells.x, ...body.cells.y]) {
      expect(share).toBeGreaterThanOrEqual(0);
      expect(share).toBeLessThanOrEqual(1000);
    }
    expect(body.bounds!.west).toBeGreaterThan(120.1);
    expect(body.bounds!.north).toBeLessThan(30.3);
    expect(
      body.places.map((place) => [place.kind, place.name, place.affected, place.lamps, place.fault, place.count]),
    ).toEqual([
      ['controller', expect.stringMatching(/^T-/), 9, 9, null, 9],
      ['road', '青年路', 6, 15, 'L105', 6],
      ['road', '滨江大道', 2, 12, 'L112', 2],
    ]);
    expect(body.places[1]?.since).toBe(ago(3 * hour).toISOString());
    expect(body.places[1]!.x).toBeGreaterThan(900);
  });

  it('shows nothing of other areas', async () => {
    await sql`INSERT INTO work_area (id, work_code, work_name) VALUES (2, 'A2', '城东')`.execute(db);
    const { token } = await app.signIn({ username: 'east', workAreas: [2] });
    expect((await app.call('/api/v1/home/map', { token })).body).toMatchObject({
      bounds: null,
      unplaced: 0,
      cells: { x: [] },
      places: [],
    });
    // A first lamp is drawn as soon as the picture is made anew.
    await sql`UPDATE device SET longitude = 121, latitude = 31
      WHERE id = ${await givenDevice(db, { workAreaId: 2, roadId: null })}`.execute(db);
    await clock.advance(16_000);
    const first = (await app.call<ReplyOf<typeof getHomeMap>>('/api/v1/home/map', { token })).body;
    expect([first.cells.lamps, first.unplaced]).toEqual([[1], 0]);
    // What is mounted beyond the picture is in it a minute later.
    await sql`UPDATE device SET longitude = 121.5, latitude = 31
      WHERE id = ${await givenDevice(db, { workAreaId: 2, roadId: null })}`.execute(db);
    await clock.advance(61_000);
    const second = (await app.call<ReplyOf<typeof getHomeMap>>('/api/v1/home/map', { token })).body;
    expect(second.cells.lamps).toEqual([1, 1]);
  });

  it('tells who sees single lamps nothing of the controller they are behind', async () => {
    const { accountId, token } = await app.signIn({ username: 'bound', workAreas: [] });
    await sql`INSERT INTO device_account (device_id, account_id) VALUES (${behind[0]}, ${accountId})`.execute(db);
    const { body } = await app.call<ReplyOf<typeof getHomeMap>>('/api/v1/home/map', { token });
    expect(body.places).toMatchObject([{ kind: 'road', id: 2, name: '青年路', affected: 1, lamps: 1, count: 1 }]);
  });
});

describe('since an account left', () => {
  it('says nothing at a first sign-in, then what began and ended until it came back', async () => {
    const { accountId, token } = await app.signIn({ username: 'duty', workAreas: [1] });
    const since = async (as: string) =>
      (await app.call<ReplyOf<typeof getHomeSince>>('/api/v1/home/since', { token: as })).body.away;
    expect(await since(token)).toBeNull();
    const left = now();
    await clock.advance(8 * hour);
    await failed(good.slice(0, 5), 'L106', 4 * hour, 2 * hour);
    await failed(good.slice(5, 6), 'L110', 3 * hour);
    const again = await app.sessions.begin({ accountId, remember: true, address: '127.0.0.1', userAgent: 'test' });
    const back = now();
    await clock.advance(minute);
    await failed(good.slice(6, 7), 'L110', 0);
    const away = await since(again);
    expect(away).toMatchObject({ leftAt: new Date(left).toISOString(), backAt: new Date(back).toISOString() });
    expect(away?.began.data.map((line) => [line.fault, line.count, line.open])).toEqual([
      ['L106', 5, 0],
      ['L110', 1, 1],
    ]);
    expect(away?.ended).toMatchObject({ devices: 5, lines: 1 });
    // Half an hour without a request is an absence of its own; a reload or a sign-in within it is none.
    await clock.advance(10 * minute);
    await app.sessions.begin({ accountId, remember: true, address: '127.0.0.2', userAgent: 'telephone' });
    expect((await since(again))?.backAt).toBe(new Date(back).toISOString());
    await clock.advance(40 * minute);
    expect((await since(again))?.backAt).toBe(new Date(now()).toISOString());
  });

  it('counts the last seven days of a longer absence', async () => {
    const { token } = await app.signIn({ username: 'holiday', workAreas: [1] });
    await clock.advance(29 * 24 * hour);
    const { body } = await app.call<ReplyOf<typeof getHomeSince>>('/api/v1/home/since', { token });
    expect(Date.parse(body.away!.backAt) - Date.parse(body.away!.from)).toBe(7 * 24 * hour);
  });
});
