import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { readSheet } from 'read-excel-file/node';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { clientIdOf } from '../../../../protocols/mqtt-json/topics.ts';
import type { ReplyOf } from '../../../../contract/route.ts';
import type {
  getConnectionFigures,
  getDeviceAvailability,
  listConnections,
} from '../../../../contract/wires/connections.ts';
import { openKeys } from '../../platform/keys/index.ts';
import { testApp } from '../../testing/app.ts';
import { testClock } from '../../testing/clock.ts';
import { testExports } from '../../testing/exports.ts';
import { sheetsHere } from '../../testing/sheets.ts';
import { createDevices } from '../../register/devices/index.ts';
import { defaultThresholds } from '../../light/lamps/index.ts';
import { createJudging } from '../../watch/presence/index.ts';
import { connectionExportTask, connectionsRoutes, createConnections, createLineJournal } from './index.ts';

// Noon in Hangzhou; the sun sets at 17:00.
const noon = new Date('2026-11-21T04:00:00Z');
const [second, minute, hour, day] = [1000, 60_000, 3_600_000, 86_400_000];
const clock = testClock(noon);
const folder = mkdtempSync(join(tmpdir(), 'lampyris-connections-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const keys = openKeys(join(folder, 'secret.key'));
const exports = testExports((parts) =>
  connectionExportTask({ ...parts, sheets: sheetsHere(parts), areasOf: parts.sessions.workAreasOf }),
);
const app = await testApp({
  clock,
  routes: (parts) => [
    ...connectionsRoutes(createConnections({ ...parts, devices: createDevices({ ...parts, keys }) })),
    ...exports.routes(parts),
  ],
});
const { db, call } = app;
const judging = createJudging({
  db,
  clock,
  thresholds: defaultThresholds,
  periods: { litSeconds: 900, unlitSeconds: 3600, controllerSeconds: 300 },
  announce: () => undefined,
  onError: (thrown) => {
    throw thrown;
  },
});
const lines = createLineJournal({ db, clock, log: app.log });

type List = ReplyOf<typeof listConnections>;
const areas = { north: 0, south: 0 };
let serial = 0;
async function device(family: string, more: Record<string, unknown> = {}): Promise<number> {
  const { id } = await db
    .insertInto('device')
    .values({
      family,
      equipment_code: `C-${(serial += 1)}`,
      work_area_id: areas.north,
      created_at: new Date(noon.getTime() - 30 * day),
      ...more,
    } as never)
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}
const heard = (...ids: number[]) =>
  sql`INSERT INTO device_latest (device_id, at, received_at, values) SELECT id, ${clock.now()}, ${clock.now()}, '{}'
    FROM unnest(${ids}::bigint[]) id
  ON CONFLICT (device_id) DO UPDATE SET at = excluded.at, received_at = excluded.received_at`.execute(db);
async function hear(...ids: number[]): Promise<void> {
  await heard(...ids);
  await judging.judge(ids);
}
/** Time goes by while somebody listens and judges. */
async function pass(milliseconds: number, ...speaking: number[]): Promise<void> {
  for (let left = milliseconds; left > 0; left -= minute) {
    clock.set(new Date(clock.now().getTime() + Math.min(left, minute)));
    if (speaking.length > 0) await heard(...speaking);
    await judging.sweep();
  }
}
/** Time in which the server was away. */
const away = (milliseconds: number) => clock.set(new Date(clock.now().getTime() + milliseconds));
const of = async (id: number, query = '') => (await call<List>(`/api/v1/devices/${id}/connections${query}`)).body.data;
const told = async (id: number) =>
  (await of(id)).map(({ kind, reason, seconds, times }) => [kind, reason, seconds, times]);
const online = async (id: number) =>
  await db
    .selectFrom('device_state')
    .select(['online', 'state', 'unpowered'])
    .where('device_id', '=', id)
    .executeTakeFirst();
const event = (id: number, kind: Parameters<typeof lines.witness>[0]['kind'], more: object = {}) =>
  lines.witness({ kind, username: clientIdOf(id), clientId: clientIdOf(id), address: '10.0.0.7', ...more });

beforeAll(async () => {
  const area = async (code: string) =>
    (
      await db
        .insertInto('work_area')
        .values({ work_code: code, work_name: `区${code}`, longitude: 120.2, latitude: 30.25 } as never)
        .returning('id')
        .executeTakeFirstOrThrow()
    ).id;
  areas.north = await area('N');
  areas.south = await area('S');
  await sql`CREATE TABLE IF NOT EXISTS reading_test PARTITION OF reading FOR VALUES
    FROM ('2026-11-01') TO ('2026-12-31')`.execute(db);
  await judging.sweep();
});

describe('out of reach', () => {
  it('counts from when a device was heard last, is noticed after three periods, and ends when it is heard again', async () => {
    const camera = await device('security-camera');
    await hear(camera);
    const last = clock.now().getTime();
    await pass(15 * minute);
    expect(await told(camera)).toEqual([]);
    await pass(2 * minute);
    const [open] = await of(camera);
    expect(open).toMatchObject({
      kind: 'offline',
      reason: 'silent',
      beganAt: new Date(last).toISOString(),
      endedAt: null,
      seconds: null,
      times: 1,
    });
    expect(Date.parse(open?.noticedAt ?? '') - last).toBeGreaterThan(15 * minute);
    await pass(10 * minute);
    await hear(camera);
    expect(await told(camera)).toEqual([['offline', 'silent', (27 * minute) / 1000, 1]]);
    expect(await online(camera)).toMatchObject({ online: true });
  });

  it('since it was registered, for what was never heard; nothing for what is disabled or reports nothing', async () => {
    const never = await device('wifi', { created_at: clock.now() });
    const disabled = await device('wifi', { enabled: false, created_at: clock.now() });
    const pole = await device('lamp-pole', { created_at: clock.now() });
    await judging.judge([never, disabled, pole]);
    await pass(17 * minute);
    expect(await told(never)).toEqual([['offline', 'neverHeard', null, 1]]);
    expect([await told(disabled), await told(pole)]).toEqual([[], []]);
    await db.updateTable('device').set({ enabled: false }).where('id', '=', never).execute();
    await judging.judge([never]);
    expect((await of(never))[0]?.endedAt).not.toBeNull();
  });

  it('behind a lost gateway is told as that, and left out when asked', async () => {
    const gateway = await device('gateway');
    const behind = [
      await device('trash-can', { gateway_id: gateway }),
      await device('single-lamp-controller', { gateway_id: gateway, rated_watts: 100 }),
    ];
    const quick = await device('wifi', { gateway_id: gateway });
    const byItself = await device('wifi', { gateway_id: gateway });
    await hear(quick);
    await pass(2 * minute);
    await hear(gateway, ...behind, byItself);
    await judging.judge([quick]);
    await pass(20 * minute, byItself);
    const rows = (
      await call<List>('/api/v1/connections?open=true&size=100&family=gateway,wifi,trash-can,single-lamp-controller')
    ).body.data.filter(({ device: { id } }) => [gateway, quick, ...behind, byItself].includes(id));
    expect(Object.fromEntries(rows.map(({ device: { id }, reason, via }) => [id, [reason, via?.id]]))).toEqual({
      [gateway]: ['silent', undefined],
      [behind[0]!]: ['gatewayLost', gateway],
      [behind[1]!]: ['gatewayLost', gateway],
      [quick]: ['gatewayLost', gateway],
    });
    expect(
      (await call<List>(`/api/v1/connections?open=true&behind=false&deviceId=${behind[0]}`)).body.recordsTotal,
    ).toBe(0);
    await hear(gateway);
    expect(await online(behind[0]!), 'a trash can reports every hour: it is in reach as its gateway is').toMatchObject({
      online: true,
    });
    expect((await of(behind[0]!))[0]?.endedAt).toBe(clock.now().toISOString());
    expect(await online(quick)).toMatchObject({ online: false });
  });

  it('nobody is while the server was away: what is silent then has as long as ever, and what was lost before comes back once', async () => {
    const [well, lost, gone] = [await device('wifi'), await device('wifi'), await device('wifi')];
    await hear(well, lost, gone);
    await pass(17 * minute, well, gone);
    expect(await told(lost)).toHaveLength(1);
    away(5 * hour);
    const back = clock.now().getTime();
    await judging.judge([well, lost, gone]);
    await judging.sweep();
    expect([await online(well), await online(lost), await online(gone)].map((state) => state?.online)).toEqual([
      true,
      false,
      true,
    ]);
    expect(await told(lost)).toHaveLength(1);
    await pass(16 * minute, well);
    expect(await told(well)).toEqual([]);
    expect(await of(gone)).toMatchObject([{ reason: 'serverAway', endedAt: null }]);
    const gaps = (
      await call<ReplyOf<typeof getConnectionFigures>>(
        `/api/v1/connections/figures?from=${new Date(back - 6 * hour).toISOString()}&to=${clock.now().toISOString()}`,
      )
    ).body.gaps;
    expect(gaps).toEqual([{ from: new Date(back - 5 * hour).toISOString(), to: new Date(back).toISOString() }]);
  });

  it('nobody is when the clock is set, forward or back', async () => {
    const well = await device('wifi');
    await hear(well);
    away(200 * day);
    await judging.sweep();
    await pass(10 * minute);
    expect(await online(well)).toMatchObject({ online: true });
    await hear(well);
    await judging.sweep();
    const unjudged = await device('wifi', { created_at: clock.now() });
    away(-200 * day);
    await judging.sweep();
    expect(await online(well)).toMatchObject({ online: true });
    expect(await online(unjudged), 'never judged: found by the comparison of everything').toMatchObject({
      state: 'unknown',
    });
    await pass(17 * minute);
    expect(await told(well)).toEqual([['offline', 'silent', null, 1]]);
  });

  it('nobody is while the broker is away', async () => {
    let there = true;
    const deaf = createJudging({
      db,
      clock,
      thresholds: defaultThresholds,
      periods: { litSeconds: 900, unlitSeconds: 3600, controllerSeconds: 300 },
      listening: () => there,
      announce: () => undefined,
      onError: (thrown) => {
        throw thrown;
      },
    });
    const well = await device('wifi');
    await hear(well);
    there = false;
    for (let minutes = 0; minutes < 40; minutes += 1) {
      away(minute);
      await deaf.sweep();
    }
    there = true;
    await deaf.sweep();
    expect(await online(well)).toMatchObject({ online: true });
    expect(await told(well)).toEqual([]);
  });

  it('one whose judging failed when it spoke again is judged with the next sweep', async () => {
    const errors: unknown[] = [];
    const own = createJudging({
      db,
      clock,
      thresholds: defaultThresholds,
      periods: { litSeconds: 900, unlitSeconds: 3600, controllerSeconds: 300 },
      announce: () => undefined,
      onError: (thrown) => errors.push(thrown),
    });
    const lost = await device('wifi', { created_at: clock.now() });
    await judging.judge([lost]);
    await pass(17 * minute);
    expect(await online(lost)).toMatchObject({ online: false });
    const stop = own.start();
    await heard(lost);
    own.touch([lost]);
    await sql`ALTER TABLE connection_log RENAME TO connection_log_away`.execute(db);
    await clock.advance(500);
    await expect.poll(() => errors).toHaveLength(1);
    await sql`ALTER TABLE connection_log_away RENAME TO connection_log`.execute(db);
    stop();
    await own.sweep();
    expect(await online(lost)).toMatchObject({ online: true });
  });
});

describe('planned power', () => {
  it('a lamp whose loop is off by plan is no fault; one that stays away when the power is back is, from then on', async () => {
    clock.set(new Date('2026-12-01T22:00:00Z'));
    await judging.sweep();
    const box = await device('control-box');
    const { id: loop } = await db
      .insertInto('loop')
      .values({
        control_box_id: box,
        work_area_id: areas.north,
        loop_code: 'L1',
        loop_name: '一路',
        lighting: 'all_night',
      } as never)
      .returning('id')
      .executeTakeFirstOrThrow();
    const [fed, own] = [
      await device('single-lamp-controller', { loop_id: loop, rated_watts: 100 }),
      await device('single-lamp-controller', { rated_watts: 100 }),
    ];
    await hear(fed, own);
    // Six in the morning; the sun rises at 6:40, the lamps say nothing any more.
    await pass(4 * hour);
    expect(await online(fed)).toEqual({ online: false, state: 'off', unpowered: true });
    expect(await told(fed)).toEqual([['unpowered', 'plan', null, 1]]);
    expect(await online(own)).toMatchObject({ online: false, state: 'offline' });
    const from = new Date(clock.now().getTime() - hour).toISOString();
    const share = async () =>
      (
        await call<ReplyOf<typeof getDeviceAvailability>>(
          `/api/v1/devices/${fed}/availability?from=${from}&to=${clock.now().toISOString()}`,
        )
      ).body;
    expect((await share()).span).toMatchObject({ due: 0, unpowered: 3600 });
    // The sun sets at 17:00; 45 minutes later it should have been heard of.
    clock.set(new Date('2026-12-02T08:00:00Z'));
    await db.updateTable('connection_watch').set({ seen_at: clock.now() }).execute();
    await pass(100 * minute);
    expect(await online(fed)).toEqual({ online: false, state: 'off', unpowered: true });
    await pass(10 * minute);
    expect(await online(fed)).toMatchObject({ state: 'offline', unpowered: false });
    const [offline, dark] = await of(fed);
    expect([offline?.reason, offline?.beganAt, dark?.kind]).toEqual(['silent', dark?.endedAt, 'unpowered']);
    await hear(fed);
    expect(await online(fed)).toMatchObject({ online: true });
    expect(
      (
        await call<ReplyOf<typeof getConnectionFigures>>(
          `/api/v1/connections/figures?from=${from}&to=${clock.now().toISOString()}&family=single-lamp-controller`,
        )
      ).body.now,
    ).toMatchObject({ unpowered: 0 });
  });
});

describe('the line', () => {
  it('that breaks for a moment is told, and is no outage; what follows closely is told together', async () => {
    const one = await device('wifi');
    await hear(one);
    for (const reason of ['network', 'network', 'keepAlive']) {
      event(one, 'disconnected', { reason });
      clock.set(new Date(clock.now().getTime() + 20 * second));
      event(one, 'connected');
      clock.set(new Date(clock.now().getTime() + 20 * second));
    }
    await lines.settled();
    expect(await told(one)).toEqual([
      ['link', 'keepAlive', 20, 1],
      ['link', 'network', 40, 2],
    ]);
    expect(await online(one)).toMatchObject({ online: true });
  });

  it('that is lost for good is why the device is out of reach, and since when', async () => {
    const one = await device('wifi');
    await hear(one);
    await pass(minute);
    event(one, 'disconnected', { reason: 'signedOff' });
    await lines.settled();
    const since = clock.now().toISOString();
    await pass(17 * minute);
    expect(await of(one)).toMatchObject([{ kind: 'offline', reason: 'signedOff', beganAt: since, endedAt: null }]);
    event(one, 'connected');
    await lines.settled();
    expect((await of(one))[0]?.endedAt, 'a line alone is no sign of life').toBeNull();
    await hear(one);
    expect((await of(one))[0]?.endedAt).not.toBeNull();
  });

  it('that was lost while the device was heard by another way is not why it is silent later', async () => {
    const one = await device('wifi');
    await hear(one);
    event(one, 'disconnected', { reason: 'network' });
    await lines.settled();
    await pass(40 * minute, one);
    const last = clock.now().toISOString();
    await pass(17 * minute);
    expect(await of(one)).toMatchObject([
      { kind: 'offline', reason: 'silent', beganAt: last, endedAt: null },
      { kind: 'link', reason: 'network', endedAt: last },
    ]);
  });

  it('of which somebody else took the name, or that was refused, is told with its address; of unknown devices nothing', async () => {
    const one = await device('wifi');
    event(one, 'takenOver', { before: '10.0.0.6' });
    event(one, 'disconnected', { reason: 'takenOver' });
    event(one, 'denied', { reason: 'wrongPassword' });
    event(one, 'denied', { reason: 'wrongPassword', address: '10.0.0.9' });
    event(one, 'denied', { reason: 'unknownUser' });
    event(999_999, 'denied', { reason: 'wrongPassword' });
    await lines.settled();
    expect(
      (await of(one)).map(({ kind, reason, times, address }) => [kind, reason, times, address]).toSorted(),
    ).toEqual([
      ['link', 'takenOver', 1, '10.0.0.6'],
      ['refused', 'wrongPassword', 2, '10.0.0.9'],
    ]);
    expect((await of(one, '?kind=refused')).map(({ reason }) => reason)).toEqual(['wrongPassword']);
  });

  it('by what a site’s broker says of it', async () => {
    const one = await device('wifi');
    lines.status(one, false, true);
    await lines.settled();
    clock.set(new Date(clock.now().getTime() + second));
    lines.status(one, true, false);
    await lines.settled();
    expect(await told(one)).toEqual([['link', 'lastWill', 1, 1]]);
  });
});

describe('asking', () => {
  it('shows a caller what it may see', async () => {
    const south = await device('wifi', { work_area_id: areas.south, created_at: clock.now() });
    event(south, 'denied', { reason: 'wrongPassword' });
    await lines.settled();
    const { token } = await app.signIn({ username: 'north', permissions: ['device.query'], workAreas: [areas.north] });
    expect((await call<List>(`/api/v1/connections?deviceId=${south}`, { token })).body).toEqual({
      data: [],
      recordsTotal: 0,
    });
    expect((await call(`/api/v1/devices/${south}/connections`, { token })).status).toBe(403);
    expect((await call(`/api/v1/devices/999999/connections`)).status).toBe(404);
    expect((await call('/api/v1/connection-exports', { token, body: {} })).status).toBe(403);
  });

  it('refuses spans that are none, reasons and families that nobody declared', async () => {
    const span = (from: string, to: string) => `from=${from}&to=${to}`;
    for (const query of [
      span('2026-11-02T00:00:00Z', '2026-11-01T00:00:00Z'),
      'reason=bored',
      'kind=odd',
      'family=spaceship',
    ])
      expect((await call(`/api/v1/connections?${query}`)).status, query).toBe(400);
    expect(
      (await call(`/api/v1/connections/figures?${span('2020-01-01T00:00:00Z', '2026-01-01T00:00:00Z')}`)).status,
    ).toBe(400);
    expect((await call('/api/v1/connections/figures')).status).toBe(400);
  });

  it('gives the figures of the same rows, by device and lighting day', async () => {
    const one = await device('micro-station-5g', { created_at: new Date('2026-12-02T00:00:00Z') });
    const row = { device_id: one, kind: 'offline', reason: 'silent', noticed_at: new Date(), last_at: new Date() };
    await db
      .insertInto('connection_log')
      .values({
        ...row,
        began_at: new Date('2026-12-02T03:00:00Z'),
        ended_at: new Date('2026-12-02T05:00:00Z'),
      } as never)
      .execute();
    // From the noon (4:00 UTC) before to the noon after.
    const span = 'from=2026-12-01T04:00:00Z&to=2026-12-03T04:00:00Z';
    const told = (await call<ReplyOf<typeof getDeviceAvailability>>(`/api/v1/devices/${one}/availability?${span}`))
      .body;
    expect(told.from).toBe('2026-12-02T00:00:00.000Z');
    expect(told.days.map(({ day: name, due, offline, unknown }) => [name, due + unknown, offline])).toEqual([
      ['2026-12-01', 4 * 3600, 3600],
      ['2026-12-02', expect.any(Number), 3600],
    ]);
    const { span: all, reasons } = (
      await call<ReplyOf<typeof getConnectionFigures>>(`/api/v1/connections/figures?${span}&family=micro-station-5g`)
    ).body;
    for (const key of ['due', 'online', 'offline', 'unpowered', 'unknown'] as const)
      expect(all[key]).toBeCloseTo(told.span[key], 3);
    expect(reasons).toContainEqual({ kind: 'offline', reason: 'silent', count: 1, devices: 1 });
  });

  it('writes the list as a workbook in the caller’s language', async () => {
    const { bytes, status } = await exports.file(app, '/api/v1/connection-exports', {
      body: { kind: 'refused' },
      headers: { 'accept-language': 'fr-FR' },
    });
    expect(status).toBe(200);
    const [header, ...rows] = await readSheet(bytes);
    expect(header).toContain('Cause');
    expect(rows.length).toBe((await call<List>('/api/v1/connections?kind=refused')).body.recordsTotal);
    expect(rows[0]).toContain('Mot de passe erroné');
  });

  it('forgets what ended long ago, and keeps what goes on', async () => {
    const one = await device('wifi');
    const row = { device_id: one, kind: 'offline', reason: 'silent', noticed_at: noon, last_at: noon };
    const long = new Date(clock.now().getTime() - 500 * day);
    await db
      .insertInto('connection_log')
      .values([
        { ...row, began_at: long, ended_at: long },
        { ...row, began_at: long, ended_at: null },
      ] as never)
      .execute();
    const stop = createConnections({ db, clock, devices: undefined as never }).start();
    await clock.advance(hour);
    stop();
    expect(await of(one)).toMatchObject([{ endedAt: null }]);
  });
});
