import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import type { Static } from 'typebox';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { TimelineEntry } from '../../../../contract/register/device-history.ts';
import { openKeys } from '../../platform/keys/index.ts';
import { testApp } from '../../testing/app.ts';
import { createDevices, devicesRoutes } from '../devices/index.ts';
import { createDeviceHistory, deviceHistoryRoutes } from './index.ts';

const folder = mkdtempSync(join(tmpdir(), 'lampyris-history-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const keys = openKeys(join(folder, 'secret.key'));
const app = await testApp({
  routes: (parts) => {
    const devices = createDevices({ ...parts, keys });
    return [...devicesRoutes(devices), ...deviceHistoryRoutes(createDeviceHistory({ db: parts.db, devices }))];
  },
});
const { db, call } = app;

type Entry = Static<typeof TimelineEntry>;
interface Page {
  data: Entry[];
  more: boolean;
}
type Row = Record<string, unknown> & { id: number; version: number };
const place = { north: 0, south: 0, road: 0 };
let serial = 0;
const register = async (family: string, more: object = {}) =>
  (
    await call<Row>('/api/v1/devices', {
      body: {
        family,
        equipmentCode: `H-${(serial += 1)}`,
        equipmentName: '甲',
        workId: place.north,
        ...(family === 'lamp-pole' ? { equipmentTypeId: 'equipment_type_13' } : {}),
        ...more,
      },
    })
  ).body;
const put = (id: number, body: object) => call<Row>(`/api/v1/devices/${id}`, { method: 'PUT', body });
const ofDevice = async (id: number, query = '') => (await call<Page>(`/api/v1/devices/${id}/timeline${query}`)).body;
const ofPole = async (id: number, query = '', more = {}) =>
  (await call<Page>(`/api/v1/poles/${id}/timeline${query}`, more)).body;
const fault = (deviceId: number, code: string, began: string, ended: string | null = null) =>
  db
    .insertInto('fault_log')
    .values({
      device_id: deviceId,
      fault: code,
      began_at: new Date(began),
      ended_at: ended === null ? null : new Date(ended),
    })
    .execute();
const outage = (deviceId: number, began: string, ended: string | null = null, more: object = {}) =>
  db
    .insertInto('connection_log')
    .values({
      device_id: deviceId,
      kind: 'offline',
      reason: 'silent',
      began_at: new Date(began),
      ended_at: ended === null ? null : new Date(ended),
      noticed_at: new Date(began),
      last_at: new Date(began),
      ...more,
    })
    .execute();
async function command(at: string, ...deviceIds: number[]): Promise<number> {
  const { id } = await db
    .insertInto('command')
    .values({
      command: 'dim',
      args: JSON.stringify({ level: 60 }),
      actor_name: '周敏',
      reason: '反光',
      created_at: new Date(at),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await db
    .insertInto('command_item')
    .values(
      deviceIds.map((device_id) => ({
        command_id: id,
        device_id,
        state: 'confirmed',
        queued_at: new Date(at),
        expires_at: new Date(at),
      })),
    )
    .execute();
  return id;
}
const told = ({ episode, command: asked, change, device }: Entry) =>
  `${device.code}:${episode?.fault ?? episode?.kind ?? asked?.command ?? change?.kind}`;

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
});

describe('changes', () => {
  test('who registered a device and who changed which field from what to what, references by name', async () => {
    const lamp = await register('single-lamp-controller', { manufacturer: 'A' });
    expect(await put(lamp.id, { manufacturer: 'B', roadId: place.road })).toMatchObject({
      status: 200,
      body: { version: 2 },
    });
    const { data, more } = await ofDevice(lamp.id);
    expect(more).toBe(false);
    expect(data.map(told)).toEqual([
      `${String(lamp['equipmentCode'])}:updated`,
      `${String(lamp['equipmentCode'])}:created`,
    ]);
    expect(data[0]?.change).toMatchObject({ source: 'edit', actorName: 'admin', importId: null, left: false });
    expect(data[0]?.change?.fields.toSorted((a, b) => a.field.localeCompare(b.field))).toEqual([
      { field: 'manufacturer', from: 'A', to: 'B', fromLabel: null, toLabel: null, masked: false },
      { field: 'roadId', from: null, to: place.road, fromLabel: null, toLabel: '滨江大道', masked: false },
    ]);
  });

  test('a secret only says that it changed, and what changed nothing leaves no trace', async () => {
    const lamp = await register('single-lamp-controller');
    await put(lamp.id, { password: 'geheim' });
    await put(lamp.id, { equipmentName: '甲' });
    const { data } = await ofDevice(lamp.id, '?kinds=change');
    expect(data).toHaveLength(2);
    expect(data[0]?.change?.fields).toEqual([
      { field: 'password', from: null, to: null, fromLabel: null, toLabel: null, masked: true },
    ]);
    const { rows } = await sql<{ all: string }>`SELECT string_agg(fields::text, ' ') AS all FROM device_change`.execute(
      db,
    );
    expect(rows[0]?.all).not.toMatch(/geheim|sealed/);
  });

  test('a refused change is not told', async () => {
    const pole = await register('lamp-pole');
    await register('wifi', { lamppostId: pole.id });
    expect((await call(`/api/v1/devices/${pole.id}`, { method: 'DELETE' })).status).toBe(400);
    expect((await ofDevice(pole.id)).data.map(({ change }) => change?.kind)).toEqual(['created']);
  });
});

describe('what lasts', () => {
  test('stands once, with its end beside its beginning: an outage that is over, a line that came and went, what goes on, a fault that ended', async () => {
    const gateway = await register('gateway');
    const lamp = await register('single-lamp-controller');
    await outage(lamp.id, '2020-01-01T04:10:00.000Z', '2020-01-01T05:01:00.000Z');
    await outage(lamp.id, '2020-01-02T04:00:00.000Z', '2020-01-02T04:20:00.000Z', {
      kind: 'link',
      reason: 'network',
      times: 3,
      last_at: new Date('2020-01-02T04:19:40.000Z'),
      down_ms: 65_000,
    });
    await outage(lamp.id, '2020-01-03T00:00:00.000Z', null, { reason: 'gatewayLost', via_id: gateway.id });
    await fault(lamp.id, 'L101', '2020-01-01T18:00:00.000Z', '2020-01-01T19:30:00.000Z');
    await fault(lamp.id, 'L105', '2020-01-02T18:00:00.000Z');
    const { data, more } = await ofDevice(lamp.id, '?kinds=episode');
    expect(await ofDevice(lamp.id, '?kinds=event'), 'as it was called before').toEqual({ data, more });
    expect(more).toBe(false);
    expect(
      data.map(({ at, episode }) => [
        at.slice(5, 16),
        episode?.kind,
        episode?.fault ?? episode?.reason,
        episode?.endedAt?.slice(5, 16) ?? null,
        episode?.seconds,
        episode?.times,
        episode?.via?.code ?? null,
      ]),
    ).toEqual([
      ['01-03T00:00', 'offline', 'gatewayLost', null, null, 1, gateway['equipmentCode']],
      ['01-02T18:00', 'fault', 'L105', null, null, 1, null],
      ['01-02T04:00', 'link', 'network', '01-02T04:20', 65, 3, null],
      ['01-01T18:00', 'fault', 'L101', '01-01T19:30', 5400, 1, null],
      ['01-01T04:10', 'offline', 'silent', '01-01T05:01', 3060, 1, null],
    ]);
  });
});

describe('a pole', () => {
  test('tells what happened to it and to everything on it in one line, newest first, paged without a gap', async () => {
    const pole = await register('lamp-pole', { lampNum: 2, lamppostTypeId: 'double_arm' });
    const lamps = [
      await register('single-lamp-controller', { lamppostId: pole.id }),
      await register('single-lamp-controller', { lamppostId: pole.id }),
    ] as const;
    const wifi = await register('wifi', { lamppostId: pole.id });
    const elsewhere = await register('wifi');
    // One command for both lamps, a fault and an outage at the very same instant.
    await command('2020-01-01T10:00:00.000Z', lamps[0].id, lamps[1].id);
    await outage(wifi.id, '2020-01-01T10:00:00.000Z', '2020-01-01T10:45:00.000Z');
    await outage(wifi.id, '2020-01-01T11:00:00.000Z');
    await fault(lamps[0].id, 'L101', '2020-01-01T09:00:00.000Z', '2020-01-01T09:30:00.000Z');
    await fault(lamps[0].id, 'L105', '2020-01-01T10:00:00.000Z');
    await outage(elsewhere.id, '2020-01-01T10:30:00.000Z');
    const whole = await ofPole(pole.id);
    expect(whole.data.slice(4).map(told)).toEqual([
      `${String(wifi['equipmentCode'])}:offline`,
      `${String(lamps[0]['equipmentCode'])}:L105`,
      `${String(wifi['equipmentCode'])}:offline`,
      `${String(lamps[1]['equipmentCode'])}:dim`,
      `${String(lamps[0]['equipmentCode'])}:dim`,
      `${String(lamps[0]['equipmentCode'])}:L101`,
    ]);
    expect(whole.data.slice(0, 4).every(({ change }) => change?.kind === 'created')).toBe(true);
    const paged: string[] = [];
    for (let before = '', more = true; more;) {
      const page: Page = await ofPole(pole.id, `?size=1${before}`);
      paged.push(...page.data.map(({ key }) => key));
      [before, more] = [`&before=${page.data.at(-1)?.key ?? ''}`, page.more];
    }
    expect(paged).toEqual(whole.data.map(({ key }) => key));
    expect(
      (await ofPole(pole.id, '?kinds=command')).data.map(({ command: asked }) => [
        asked?.actorName,
        asked?.reason,
        asked?.item.state,
      ]),
    ).toEqual([
      ['周敏', '反光', 'confirmed'],
      ['周敏', '反光', 'confirmed'],
    ]);
  });

  test('goes on telling what was taken off it or deleted', async () => {
    const [pole, other] = [await register('lamp-pole'), await register('lamp-pole')];
    const moved = await register('wifi', { lamppostId: pole.id });
    const gone = await register('security-camera', { lamppostId: pole.id });
    await put(moved.id, { lamppostId: other.id });
    expect((await call(`/api/v1/devices/${gone.id}`, { method: 'DELETE' })).status).toBe(204);
    const { data } = await ofPole(pole.id);
    expect(data.slice(0, 2).map((entry) => [told(entry), entry.device.gone, entry.change?.left])).toEqual([
      [`${String(gone['equipmentCode'])}:deleted`, true, true],
      [`${String(moved['equipmentCode'])}:updated`, false, true],
    ]);
    expect((await ofPole(other.id)).data.map(told)).toContain(`${String(moved['equipmentCode'])}:created`);
  });

  test('shows a caller only what it may see', async () => {
    const pole = await register('lamp-pole');
    const taken = await register('wifi', { lamppostId: pole.id });
    await put(taken.id, { lamppostId: null });
    const { token } = await app.signIn({ username: 'south', permissions: ['device.query'], workAreas: [place.south] });
    expect((await call(`/api/v1/poles/${pole.id}/timeline`, { token })).status).toBe(403);
    // Bound to the pole, but not to the area: what left the pole there is none of its business.
    const bound = await app.signIn({ username: 'bound', permissions: ['device.query'], workAreas: [place.south] });
    await db.insertInto('device_account').values({ device_id: pole.id, account_id: bound.accountId }).execute();
    expect((await ofPole(pole.id, '', { token: bound.token })).data.map(({ device }) => device.id)).toEqual([pole.id]);
  });

  test('is a pole; a place in time is one', async () => {
    const wifi = await register('wifi');
    expect((await call(`/api/v1/poles/${wifi.id}/timeline`)).status).toBe(404);
    expect((await call(`/api/v1/devices/${wifi.id}/timeline?before=2020`)).status).toBe(400);
    expect((await call(`/api/v1/devices/${wifi.id}/timeline?kinds=evening`)).status).toBe(400);
  });
});
