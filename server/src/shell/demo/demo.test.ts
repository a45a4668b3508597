import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { switchTimes } from '../../../../catalogue/lighting/plan/lamp-plan.ts';
import { defaultPlan } from '../../../../catalogue/lighting/plan/table.ts';
import { minuteOf } from '../../../../catalogue/lighting/plan/clock.ts';
import { clockAt, lightingDay } from '../../../../catalogue/lighting/sun.ts';
import { addDays } from '../../../../catalogue/lighting/zone.ts';
import { families } from '../../../../catalogue/index.ts';
import { equipmentFamilies } from '../../../../simulator/city/equipment-kinds.ts';
import { readHandover } from '../../../../simulator/city/handover.ts';
import { openFiles } from '../../platform/files/index.ts';
import { openKeys } from '../../platform/keys/index.ts';
import type { Broker } from '../../platform/mqtt/index.ts';
import { testApp } from '../../testing/app.ts';
import { createDevices, type Devices } from '../../register/devices/index.ts';
import { createDemo, demoRoutes, handoverFile, type Demo } from './index.ts';

const folder = mkdtempSync(join(tmpdir(), 'lampyris-demo-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const keys = openKeys(join(folder, 'secret.key'));
const address = 'mqtt://127.0.0.1:1884';
// start() asks a broker only what kind it is; the real one is in demo-play.test.ts.
const broker = { kind: 'embedded' } as Broker;
const files = openFiles(join(folder, 'files'));
let demo!: Demo;
let devices!: Devices;
const app = await testApp({
  logLevel: 'silent',
  routes: (parts) => {
    devices = createDevices({ ...parts, keys });
    demo = createDemo({ ...parts, answering: parts.db, devices, files, enabled: true, lamps: 300, folder });
    return demoRoutes(demo);
  },
});
const { db, call } = app;
const rowsOf = async (family: string) =>
  await db.selectFrom('device').selectAll().where('family', '=', family).execute();
const file = () => readHandover(readFileSync(handoverFile(folder), 'utf8'));

describe('before there is a city', () => {
  test('the base map is empty and there is no evening', async () => {
    expect((await call('/api/v1/demo')).body).toMatchObject({
      active: true,
      demoEvening: false,
      since: null,
      lamps: 0,
    });
    expect((await call('/api/v1/base-map')).body).toEqual({ type: 'FeatureCollection', features: [] });
    expect((await call('/api/v1/demo/end-evening', { method: 'POST' })).status).toBe(200);
    const moved = await call<{ code: number }>('/api/v1/demo/evening', { method: 'PUT', body: { clock: '22:59' } });
    expect([moved.status, moved.body.code]).toEqual([409, 4340]);
  });

  test('a seeding that breaks off leaves nothing, and the next one makes it whole', async () => {
    const breaking = createDemo({
      ...app,
      answering: app.db,
      files,
      enabled: true,
      lamps: 300,
      folder,
      devices: {
        ...devices,
        registerMany: (tx, list) =>
          list[0]?.family === 'single-lamp-controller'
            ? Promise.reject(new Error('killed'))
            : devices.registerMany(tx, list),
      },
    });
    await expect(breaking.start(broker, address)).rejects.toThrow('killed');
    expect(await db.selectFrom('device').select('id').execute()).toEqual([]);
    expect(await db.selectFrom('road').select('id').execute()).toEqual([]);
    expect((await call('/api/v1/demo')).body).toMatchObject({ since: null });
  });
});

describe('the demo city in the database', () => {
  beforeAll(async () => {
    // Somebody of the installation has the name of somebody of the office.
    await app.signIn({ username: 'Li.Wei' });
    await demo.start(broker, address);
  });

  test('stands without an office where one of its names is taken', async () => {
    expect((await call('/api/v1/demo')).body).toMatchObject({ lamps: 300, places: null });
    expect(await db.selectFrom('account').select('id').execute()).toHaveLength(2);
  });

  test('takes the untouched area of a fresh installation', async () => {
    const areas = await db.selectFrom('work_area').selectAll().execute();
    expect(areas).toHaveLength(1);
    expect(areas[0]).toMatchObject({ id: 1, work_name: '滨江新区', time_zone: 'Asia/Shanghai' });
  });

  test('has its lamps on poles, roads, groups and controllers, with power, colour and place', async () => {
    const lamps = await rowsOf('single-lamp-controller');
    expect(lamps).toHaveLength(300);
    for (const lamp of lamps) {
      expect(lamp).toMatchObject({
        work_area_id: 1,
        enabled: true,
        road_id: expect.any(Number),
        group_id: expect.any(Number),
        pole_id: expect.any(Number),
        longitude: expect.any(Number),
      });
      expect(lamp.rated_watts).toBeGreaterThanOrEqual(30);
      expect(lamp.props).toMatchObject({ cct: expect.any(Number), com: expect.any(String), type: expect.any(String) });
      expect(lamp.equipment_name).toMatch(/^[^ ]+ (东侧|西侧|南侧|北侧|中央) \d+ 号灯/);
    }
    expect(lamps.filter((lamp) => lamp.parent_id === null).length).toBe(180);
    expect(lamps.filter((lamp) => lamp.loop_id === null)).toEqual([]);
    expect((await rowsOf('lamp-pole')).length).toBeGreaterThan(200);
    expect((await rowsOf('central-controller')).length).toBeGreaterThan(2);
    const onWrongArea =
      await sql`SELECT 1 FROM device d JOIN road r ON r.id = d.road_id WHERE r.work_area_id <> d.work_area_id`.execute(
        db,
      );
    expect(onWrongArea.rows).toEqual([]);
  });

  test('has devices of every family, on poles, with papers and a line of their own', async () => {
    const handover = file();
    const speaking = new Set(handover.credentials.map(({ deviceId }) => deviceId));
    for (const { key, quantities } of families) {
      const rows = await rowsOf(key);
      expect(rows.length, key).toBeGreaterThanOrEqual(2);
      for (const row of rows) {
        expect(row, row.equipment_code).toMatchObject({ longitude: expect.any(Number), enabled: true });
        expect(row.props, row.equipment_code).toMatchObject({
          manufacturer: expect.any(String),
          model: expect.any(String),
          leaveFactoryTime: expect.any(String),
          installTime: expect.any(String),
          warrantyUntil: expect.any(String),
        });
        if (quantities.length > 0 && key !== 'single-lamp-controller')
          expect(speaking.has(row.id), row.equipment_code).toBe(true);
        if (equipmentFamilies.some((family) => family === key) && key !== 'manhole-cover')
          expect(row.pole_id ?? row.box_id, row.equipment_code).toEqual(expect.any(Number));
      }
    }
    const codes = [
      ...new Set((await db.selectFrom('device').select('equipment_code').execute()).map((row) => row.equipment_code)),
    ];
    expect(codes).toHaveLength((await db.selectFrom('device').select('id').execute()).length);
    const { rows: behind } = await sql<{ n: number }>`SELECT count(*)::int AS n FROM device d JOIN device g
      ON g.id = d.gateway_id AND g.family = 'gateway'`.execute(db);
    expect(behind[0]?.n).toBeGreaterThan(5);
  });

  test('has no pole with more lamps than it can carry', async () => {
    const { rows } = await sql`SELECT p.id FROM device p JOIN device l ON l.pole_id = p.id
        WHERE l.family = 'single-lamp-controller' GROUP BY p.id
        HAVING count(*) <> (p.props->>'lampNum')::int`.execute(db);
    expect(rows).toEqual([]);
  });

  test('leaves the credentials of all that speak for themselves in a file for the simulator alone', async () => {
    const handover = file();
    expect(statSync(handoverFile(folder)).mode & 0o777).toBe(0o600);
    expect(handover.broker).toBe(address);
    const stored = await db.selectFrom('device_credential').selectAll().execute();
    expect(stored).toHaveLength(handover.credentials.length);
    for (const { deviceId, password, clientId } of handover.credentials) {
      const row = stored.find((one) => one.device_id === deviceId);
      expect(row?.client_id).toBe(clientId);
      expect(row?.secret_hash.equals(createHash('sha256').update(password).digest())).toBe(true);
    }
    const lamps = await rowsOf('single-lamp-controller');
    expect([...handover.lampIds].sort()).toEqual(lamps.map((lamp) => lamp.id).sort());
  });

  test('was made so that dusk was one hour ago', async () => {
    const { sunOffsetMinutes, demoEvening } = (
      await call<{ sunOffsetMinutes: number; demoEvening: boolean }>('/api/v1/demo')
    ).body;
    const place = { latitude: 30.2, longitude: 120.2, timeZone: 'Asia/Shanghai', sunOffsetMinutes };
    const now = app.clock.now().getTime();
    const { onAt } = switchTimes(defaultPlan(place), lightingDay(place, now).day);
    expect(Math.abs(now - (onAt ?? 0) - 3_600_000)).toBeLessThan(5 * 60_000);
    expect(demoEvening).toBe(sunOffsetMinutes !== 0);
  });

  test('is not made twice, and follows a broker that moved', async () => {
    const before = file();
    await demo.start(broker, 'mqtt://127.0.0.1:1999');
    expect(file()).toEqual({ ...before, broker: 'mqtt://127.0.0.1:1999' });
    expect(await rowsOf('single-lamp-controller')).toHaveLength(300);
  });

  test('gets new credentials when the file is lost or torn', async () => {
    const before = file();
    writeFileSync(handoverFile(folder), '{"format":1,');
    await demo.start(broker, address);
    const after = file();
    expect({ ...after, credentials: [] }).toEqual({ ...before, broker: address, credentials: [] });
    expect(after.credentials[0]?.password).not.toBe(before.credentials[0]?.password);
    expect(after.credentials.map(({ code }) => code)).toEqual(before.credentials.map(({ code }) => code));
  });

  test('serves its base map', async () => {
    const { body } = await call<{
      features: { properties: { layer: string; name?: string }; geometry: { coordinates: unknown[] } }[];
      bbox: number[];
    }>('/api/v1/base-map');
    expect(body.features.length).toBeGreaterThan(50);
    expect(body.features.find((feature) => feature.properties.name === '清江')?.geometry.coordinates.length).toBe(1);
    expect(body.bbox).toHaveLength(4);
  });

  test('has its evening moved to a minute of its night, with the right to, and says so on the bus', async () => {
    const told: unknown[] = [];
    app.bus.subscribe('settings.changed', (payload) => void told.push(payload));
    const clerk = await app.signIn({ username: 'no-control', permissions: ['lamp.monitor'], workAreas: [1] });
    const move = (clock: string, token?: string) =>
      call<{ sunOffsetMinutes: number; demoEvening: boolean }>('/api/v1/demo/evening', {
        method: 'PUT',
        body: { clock },
        ...(token === undefined ? {} : { token }),
      });
    expect((await move('22:59', clerk.token)).status).toBe(403);
    expect((await move('24:00')).status).toBe(400);
    expect(told).toEqual([]);
    const place = { latitude: 30.2, longitude: 120.2, timeZone: 'Asia/Shanghai' };
    const now = app.clock.now().getTime();
    const { sunOffsetMinutes: before } = (await call<{ sunOffsetMinutes: number }>('/api/v1/demo')).body;
    const { day } = lightingDay({ ...place, sunOffsetMinutes: before }, now);
    const looksAhead = async () =>
      Number(
        (
          await sql<{ n: string }>`SELECT count(*) AS n FROM publication_watch
            WHERE look_at > ${new Date(now)}`.execute(db)
        ).rows[0]?.n,
      );
    expect(await looksAhead()).toBeGreaterThan(0);
    // Evening and morning of one night, in whichever order.
    for (const clock of ['22:59', '05:29', '12:00']) {
      const { status, body } = await move(clock);
      expect(status).toBe(200);
      const moved = { ...place, sunOffsetMinutes: body.sunOffsetMinutes };
      const minute = minuteOf(clock);
      const since = now - clockAt(moved, minute < minuteOf('12:00') ? addDays(day, 1) : day, minute);
      expect([since >= 0, since < 60_000, lightingDay(moved, now).day]).toEqual([true, true, day]);
    }
    expect(told).toHaveLength(3);
    // Proofs are looked for by the steps that are now.
    expect(await looksAhead()).toBe(0);
  });

  test('is no toy any more where the process does not play it', async () => {
    const offset = async () => (await call<{ sunOffsetMinutes: number }>('/api/v1/demo')).body.sunOffsetMinutes;
    const sunOffsetMinutes = await offset();
    const caller = (await app.sessions.authenticate(app.adminToken, { background: true }))!;
    const left = createDemo({ ...app, answering: db, devices, files, enabled: false, lamps: 300, folder });
    const change = () => Promise.reject(new Error('changed'));
    await expect(left.setEvening(caller, change, '22:59')).rejects.toMatchObject({ code: 'noDemoCity' });
    expect(await offset()).toBe(sunOffsetMinutes);
  });

  test('ends its evening once, with the right to, and says so on the bus', async () => {
    const told: unknown[] = [];
    app.bus.subscribe('settings.changed', (payload) => void told.push(payload));
    const clerk = await app.signIn({ username: 'clerk', permissions: ['lamp.monitor'], workAreas: [1] });
    expect((await call('/api/v1/demo/end-evening', { method: 'POST', token: clerk.token })).status).toBe(403);
    const ended = await call('/api/v1/demo/end-evening', { method: 'POST' });
    expect(ended).toMatchObject({
      status: 200,
      body: { active: true, demoEvening: false, sunOffsetMinutes: 0, lamps: 300 },
    });
    expect(told).toEqual([{ workAreaId: 1 }]);
    expect((await call('/api/v1/demo', { token: clerk.token })).body).toMatchObject({ demoEvening: false });
    const logged = await db.selectFrom('operation_log').select('uri').where('uri', 'like', '%end-evening%').execute();
    expect(logged.length).toBeGreaterThan(0);
  });
});
