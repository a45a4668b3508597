import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createCanvas } from '@napi-rs/canvas';
import { families } from '../../../../catalogue/index.ts';
import { openKeys } from '../../platform/keys/index.ts';
import { testApp } from '../../testing/app.ts';
import { createDevices, deviceAccessRoutes, devicesRoutes, type Devices } from './index.ts';

const folder = mkdtempSync(join(tmpdir(), 'lampyris-devices-'));
const keys = openKeys(join(folder, 'secret.key'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let devices!: Devices;
const app = await testApp({
  routes: (parts) => [
    ...devicesRoutes((devices = createDevices({ ...parts, keys }))),
    ...deviceAccessRoutes({ ...parts, keys }),
  ],
});
const { db, call } = app;

type Row = Record<string, unknown> & { id: number; version: number; labels: Record<string, string>; data?: Row[] };
interface Problem {
  code: number;
  detail: string;
  params: { field: string; rule: string; message: string }[];
}
const place = { north: 0, south: 0, road: 0, southRoad: 0, group: 0, poleGroup: 0, channel: 0 };
const post = (body: object, more = {}) => call<Row>('/api/v1/devices', { body, ...more });
const put = (id: number, body: object, more = {}) =>
  call<Row>(`/api/v1/devices/${id}`, { method: 'PUT', body, ...more });
const problems = (reply: { body: unknown }) => (reply.body as Problem).params.map((p) => `${p.field}:${p.rule}`).sort();
let serial = 0;
const given = {
  lamp: async (more: object = {}) =>
    (
      await post({
        family: 'single-lamp-controller',
        equipmentCode: `L-${(serial += 1)}`,
        equipmentName: '灯',
        workId: place.north,
        ...more,
      })
    ).body,
  pole: async (more: object = {}) =>
    (
      await post({
        family: 'lamp-pole',
        equipmentCode: `P-${(serial += 1)}`,
        equipmentName: '杆',
        workId: place.north,
        equipmentTypeId: 'equipment_type_13',
        ...more,
      })
    ).body,
  controller: async (more: object = {}) =>
    (
      await post({
        family: 'central-controller',
        equipmentCode: `C-${(serial += 1)}`,
        equipmentName: '集控',
        workId: place.north,
        ...more,
      })
    ).body,
  of: async (family: string) =>
    (
      await post({
        family,
        equipmentCode: `F-${(serial += 1)}`,
        equipmentName: 'x',
        workId: place.north,
        ...(family === 'lamp-pole' ? { equipmentTypeId: 'equipment_type_13' } : {}),
      })
    ).body,
};

beforeAll(async () => {
  const area = async (code: string) =>
    (
      await db
        .insertInto('work_area')
        .values({ work_code: code, work_name: `区${code}` })
        .returning('id')
        .executeTakeFirstOrThrow()
    ).id;
  const road = async (at: number, code: string) =>
    (
      await db
        .insertInto('road')
        .values({ work_area_id: at, road_code: code, road_name: `${code}路` })
        .returning('id')
        .executeTakeFirstOrThrow()
    ).id;
  const group = async (family: string) =>
    (
      await db
        .insertInto('equipment_group')
        .values({ work_area_id: place.north, group_code: family, group_name: family, family })
        .returning('id')
        .executeTakeFirstOrThrow()
    ).id;
  place.north = await area('N');
  place.south = await area('S');
  place.road = await road(place.north, 'R1');
  place.southRoad = await road(place.south, 'R2');
  place.group = await group('single-lamp-controller');
  place.poleGroup = await group('lamp-pole');
  place.channel = (
    await db
      .insertInto('channel')
      .values({ work_area_id: place.north, channel_code: 'CH-1', channel_name: '单灯接入', protocol: 'mqtt' })
      .returning('id')
      .executeTakeFirstOrThrow()
  ).id;
});

describe('one device', () => {
  test('is registered with every field and comes back by wire names, secrets kept', async () => {
    const pole = await given.pole({ lampNum: 2, lamppostTypeId: 'double_arm', longitude: 120.2, latitude: 30.2 });
    const rtu = await given.controller();
    const reply = await post({
      family: 'single-lamp-controller',
      equipmentCode: 'BJ-1',
      equipmentName: '滨江 1',
      workId: String(place.north),
      roadId: place.road,
      equipmentGroup: place.group,
      lamppostId: pole.id,
      rtuId: rtu.id,
      power: 150,
      cct: 3000,
      type: 'dali',
      auType: true,
      username: 'u',
      password: 'geheim',
      channelId: place.channel,
      installTime: '2024-02-29',
      ip: '10.0.0.1',
      port: 1884,
    });
    expect(reply.status).toBe(201);
    expect(reply.body).toMatchObject({
      equipmentCode: 'BJ-1',
      workId: place.north,
      roadId: place.road,
      status: 'enabled',
      power: 150,
      password: null,
      secrets: ['password'],
      version: 1,
      isOnline: null,
      latest: null,
      latchedPosition: '120.200000, 30.200000',
      labels: {
        workId: '区N',
        roadId: 'R1路',
        lamppostId: pole['equipmentCode'],
        rtuId: rtu['equipmentCode'],
        equipmentGroup: 'single-lamp-controller',
        channelId: '单灯接入',
      },
    });
    const stored = await db.selectFrom('device').selectAll().where('id', '=', reply.body.id).executeTakeFirstOrThrow();
    expect(JSON.stringify(stored)).not.toContain('geheim');
    expect(stored).toMatchObject({ rated_watts: 150, parent_id: rtu.id, pole_id: pole.id, group_id: place.group });
    const sealed = String(stored.props['password']).slice('sealed:'.length);
    expect(keys.decrypt('device.password', Buffer.from(sealed, 'base64')).toString()).toBe('geheim');
    expect((await call(`/api/v1/devices/${reply.body.id}`)).body).toEqual(reply.body);
  });

  test('every offending field is named at once, in the caller’s language, by its wire name', async () => {
    const reply = await post(
      {
        family: 'single-lamp-controller',
        equipmentCode: 'a\tb',
        workId: place.north,
        port: 70000,
        ip: '1.2.3',
        longitude: 120,
        strange: 1,
      },
      { headers: { 'accept-language': 'en-US' } },
    );
    expect(reply.status).toBe(400);
    expect(problems(reply)).toEqual([
      'equipmentCode:code',
      'equipmentName:required',
      'ip:ipv4',
      'latitude:together',
      'port:port',
      'strange:unknown',
    ]);
    expect((reply.body as unknown as Problem).params.find((p) => p.field === 'port')?.message).toBe(
      'port number out of range 1-65535',
    );
    const rows = await db.selectFrom('device').select('id').where('equipment_code', '=', 'a b').execute();
    expect(rows).toEqual([]);
  });

  test('a code is taken without regard to case and width, within family and work area', async () => {
    await given.lamp({ equipmentCode: 'dup-1' });
    expect(
      problems(
        await post({
          family: 'single-lamp-controller',
          equipmentCode: 'ＤＵＰ-1',
          equipmentName: 'x',
          workId: place.north,
        }),
      ),
    ).toEqual(['equipmentCode:taken']);
    expect(
      (
        await post({
          family: 'single-lamp-controller',
          equipmentCode: 'DUP-1',
          equipmentName: 'x',
          workId: place.south,
        })
      ).status,
    ).toBe(201);
    expect(
      (
        await post({
          family: 'lamp-pole',
          equipmentCode: 'DUP-1',
          equipmentName: 'x',
          workId: place.north,
          equipmentTypeId: 'equipment_type_13',
        })
      ).status,
    ).toBe(201);
  });

  test('references must exist, be of the right family and of the same work area', async () => {
    const lamp = await given.lamp();
    const foreign = await given.controller({ workId: place.south });
    expect(
      problems(
        await post({
          family: 'single-lamp-controller',
          equipmentCode: 'ref',
          equipmentName: 'x',
          workId: place.north,
          roadId: place.southRoad,
          lamppostId: lamp.id,
          rtuId: foreign.id,
          equipmentGroup: place.poleGroup,
          gatewayId: 3,
        }),
      ),
    ).toEqual([
      'equipmentGroup:option',
      'gatewayId:notFound',
      'lamppostId:notFound',
      'roadId:foreignArea',
      'rtuId:foreignArea',
    ]);
    expect(
      problems(
        await post({
          family: 'lamp-pole',
          equipmentCode: 'ref',
          equipmentName: 'x',
          workId: 999999,
          equipmentTypeId: 'equipment_type_13',
        }),
      ),
    ).toEqual(['workId:notFound']);
    expect((await post({ family: 'toaster', equipmentCode: 'x' })).body).toMatchObject({ code: 4001 });
  });

  test('a pole takes no more lamps than it has sources, and not fewer sources than lamps', async () => {
    const pole = await given.pole({ lampNum: 1 });
    await given.lamp({ lamppostId: pole.id });
    expect(
      problems(
        await post({
          family: 'single-lamp-controller',
          equipmentCode: 'full',
          equipmentName: 'x',
          workId: place.north,
          lamppostId: pole.id,
        }),
      ),
    ).toEqual(['lamppostId:poleFull']);
    expect(problems(await put(pole.id, { lampNum: 0 }))).toEqual(['lampNum:min']);
    expect((await put(pole.id, { lampNum: 2, lamppostTypeId: 'double_arm' })).status).toBe(200);
  });

  test('tells what is wrong with its clock, or with that of the controller that speaks for it, and what waits for it', async () => {
    const rtu = await given.controller();
    const [behind, own] = [await given.lamp({ rtuId: rtu.id }), await given.lamp()];
    const clockOf = async (id: number) => (await call<{ clock?: unknown }>(`/api/v1/devices/${id}`)).body.clock;
    const wrongSince = '2026-11-19T01:00:00.000Z';
    const offset = (id: number, ms: number) =>
      db
        .insertInto('device_latest')
        .values({ device_id: id, clock_offset_ms: ms, clock_wrong_since: Math.abs(ms) > 60_000 ? wrongSince : null })
        .execute();
    await offset(own.id, 59_000);
    expect([await clockOf(own.id), await clockOf(behind.id)]).toEqual([undefined, undefined]);
    await offset(rtu.id, -3_600_000);
    const since = '2026-11-20T13:00:00.000Z';
    await db
      .insertInto('doubted_message')
      .values(
        [since, '2026-11-20T13:05:00.000Z'].map((at) => ({
          speaker_id: rtu.id,
          received_at: new Date(at),
          topic: 't',
          payload: Buffer.from('{}'),
        })),
      )
      .execute();
    const clock = { aheadSeconds: 3600, wrongSince, waiting: 2, waitingSince: since };
    expect([await clockOf(rtu.id), await clockOf(behind.id)]).toEqual([clock, clock]);
    // Wrong since before that was kept.
    await db
      .updateTable('device_latest')
      .set({ clock_wrong_since: '-infinity' })
      .where('device_id', '=', rtu.id)
      .execute();
    expect(await clockOf(behind.id)).toEqual({ ...clock, wrongSince: null });
    // What a change answers says nothing of it.
    expect((await put(rtu.id, { equipmentName: '集控二' })).body).not.toHaveProperty('clock');
  });

  test('an update changes what it names, null empties, an old version is 409', async () => {
    const lamp = await given.lamp({
      manufacturer: 'A',
      password: 'one',
      rmark: 'r',
      auType: true,
      username: 'u',
      channelId: place.channel,
    });
    const changed = await put(lamp.id, { version: 1, equipmentName: '新名', rmark: null });
    expect(changed.body).toMatchObject({
      equipmentName: '新名',
      manufacturer: 'A',
      rmark: null,
      version: 2,
      secrets: ['password'],
    });
    expect(await put(lamp.id, { version: 1, equipmentName: 'late' })).toMatchObject({
      status: 409,
      body: { code: 1401 },
    });
    expect(problems(await put(lamp.id, { family: 'lamp-pole' }))).toEqual(['family:fixed']);
    expect(problems(await put(lamp.id, { password: null }))).toEqual(['password:withAuthentication']);
    expect((await put(999999, { rmark: 'x' })).status).toBe(404);
    const { token } = await app.signIn({ username: 'elsewhere', permissions: ['device.edit'], workAreas: [] });
    const foreign = (body: object) => call<Row>(`/api/v1/devices/${lamp.id}`, { token, method: 'PUT', body });
    expect((await foreign({ rmark: 'x' })).status).toBe(403);
    expect(problems(await foreign({ port: 70000, strange: 1 }))).toEqual(['port:port', 'strange:unknown']);
  });

  test('the one who comes second of two at the same time is told', async () => {
    const lamp = await given.lamp();
    const both = await Promise.all([
      put(lamp.id, { version: 1, rmark: 'a' }),
      put(lamp.id, { version: 1, rmark: 'b' }),
    ]);
    expect(both.map((reply) => reply.status).toSorted((a, b) => a - b)).toEqual([200, 409]);
  });

  test('deleting is refused while others hang on it, and takes readings and credentials along', async () => {
    const pole = await given.pole();
    const lamp = await given.lamp({ lamppostId: pole.id });
    const refused = await call(`/api/v1/devices/${pole.id}`, {
      method: 'DELETE',
      headers: { 'accept-language': 'en' },
    });
    expect(refused).toMatchObject({
      status: 400,
      body: { code: 3002, detail: 'Please deal with these first: devices mounted on it 1.' },
    });
    await call(`/api/v1/devices/${lamp.id}/credentials`, { method: 'POST' });
    expect((await call(`/api/v1/devices/${lamp.id}/uses`)).body).toMatchObject({
      blocking: [],
      lost: [{ what: 'credentials', count: 1 }],
    });
    expect((await call(`/api/v1/devices/${lamp.id}`, { method: 'DELETE' })).status).toBe(204);
    expect((await call(`/api/v1/devices/${pole.id}`, { method: 'DELETE' })).status).toBe(204);
    expect(
      await db.selectFrom('device_credential').select('device_id').where('device_id', '=', lamp.id).execute(),
    ).toEqual([]);
  });

  test('a picture is drawn again; what only claims to be one is refused', async () => {
    const canvas = createCanvas(2000, 1000);
    const jpeg = `data:image/jpeg;base64,${(await canvas.encode('jpeg', 40)).toString('base64')}`;
    const lamp = await given.lamp({ pic: jpeg });
    expect(String(lamp['pic'])).toMatch(/^data:image\/jpeg;base64,/);
    expect(lamp['pic']).not.toBe(jpeg);
    expect(
      (await call<Row>(`/api/v1/devices?family=single-lamp-controller&q=${String(lamp['equipmentCode'])}`)).body
        .data?.[0],
    ).not.toHaveProperty('pic');
    const bomb = Buffer.alloc(64);
    Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex').copy(bomb);
    bomb.writeUInt32BE(60000, 16);
    bomb.writeUInt32BE(60000, 20);
    const fake = await post({
      family: 'single-lamp-controller',
      equipmentCode: 'pic',
      equipmentName: 'x',
      workId: place.north,
      pic: `data:image/png;base64,${bomb.toString('base64')}`,
    });
    expect(problems(fake)).toEqual(['pic:picture']);
  });
});

describe('every family', () => {
  test.each(families.map((family) => [family.key, family] as const))(
    '%s: its examples are registered, found by its filters and told by name',
    async (_key, family) => {
      const base = { ...family.examples[0] };
      for (const field of family.fields) {
        if (field.kind !== 'reference' || base[field.key] === undefined) continue;
        if (field.key === 'workId') base[field.key] = place.north;
        else if ('record' in field.to)
          base[field.key] = { road: place.road, channel: place.channel }[field.to.record] ?? null;
        else base[field.key] = (await given.of(field.to.family)).id;
      }
      const made = await post({ family: family.key, ...base, equipmentCode: `every-${family.key}` });
      expect(made.body).toMatchObject({ family: family.key, equipmentCode: `every-${family.key}` });
      const one = made.body;
      for (const field of family.fields) {
        if (field.kind === 'reference' && one[field.key] !== null)
          expect(one.labels, field.key).toHaveProperty(field.key);
        if (!field.filter || one[field.key] === null) continue;
        const list = await call<{ data: Row[] }>(
          `/api/v1/devices?family=${family.key}&q=every-&${field.key}=${encodeURIComponent(String(one[field.key]))}`,
        );
        expect(
          list.body.data.map((row) => row.id),
          field.key,
        ).toContain(one.id);
      }
      expect(one['secrets']).toEqual(
        family.fields
          .filter((field) => field.kind === 'secret' && base[field.key] !== undefined)
          .map((field) => field.key),
      );
    },
  );
  test('what another device names cannot be deleted, and is told', async () => {
    const transformer = await given.of('transformer');
    const box = await post({
      family: 'control-box',
      equipmentCode: 'refs',
      equipmentName: 'x',
      workId: place.north,
      transformerId: transformer.id,
    });
    expect(box.body.labels).toMatchObject({ transformerId: transformer['equipmentCode'] });
    expect((await call(`/api/v1/devices/${transformer.id}/uses`)).body).toMatchObject({
      blocking: [{ what: 'reference', count: 1 }],
    });
    expect((await call(`/api/v1/devices/${transformer.id}`, { method: 'DELETE' })).status).toBe(400);
    expect(problems(await put(transformer.id, { workId: place.south }))).toEqual(['workId:foreignArea']);
    expect(problems(await put(box.body.id, { transformerId: box.body.id }))).toEqual(['transformerId:itself']);
  });
});

describe('secrets', () => {
  test('of every family are encrypted at rest, shown on request with their own right, and showing is logged', async () => {
    for (const key of ['gateway', 'security-camera']) {
      const family = families.find((one) => one.key === key)!;
      for (const field of family.fields.filter(({ kind }) => kind === 'secret')) {
        const { body } = await post({
          family: key,
          equipmentCode: `sec-${key}-${field.key}`,
          equipmentName: 'x',
          workId: place.north,
          [field.key]: 'geheim-77',
        });
        const stored = await db
          .selectFrom('device')
          .select('props')
          .where('id', '=', body.id)
          .executeTakeFirstOrThrow();
        expect(JSON.stringify(stored)).not.toContain('geheim-77');
        expect(JSON.stringify(body)).not.toContain('geheim-77');
        const shown = await call<{ value: string }>(`/api/v1/devices/${body.id}/secrets/${field.key}`, {
          method: 'POST',
        });
        expect(shown).toMatchObject({ status: 200, body: { value: 'geheim-77' } });
        expect(shown.headers['cache-control']).toBe('no-store');
        const logged = await db
          .selectFrom('operation_log')
          .select(['uri', 'params'])
          .where('uri', 'like', `%/devices/${body.id}/secrets/%`)
          .execute();
        expect(logged).toHaveLength(1);
      }
    }
    expect(JSON.stringify(await db.selectFrom('operation_log').selectAll().execute())).not.toContain('geheim-77');
    const lamp = await given.lamp();
    expect((await call(`/api/v1/devices/${lamp.id}/secrets/password`, { method: 'POST' })).body).toEqual({
      value: null,
    });
    for (const field of ['equipmentCode', 'nonsense'])
      expect(problems(await call(`/api/v1/devices/${lamp.id}/secrets/${field}`, { method: 'POST' }))).toEqual([
        'field:option',
      ]);
    const reader = await app.signIn({
      username: 'reader',
      permissions: ['device.query', 'device.edit'],
      workAreas: [place.north],
    });
    expect(
      (await call(`/api/v1/devices/${lamp.id}/secrets/password`, { method: 'POST', token: reader.token })).status,
    ).toBe(403);
  });
});

describe('bound accounts', () => {
  test('see the device whatever their work areas, until the binding ends', async () => {
    const camera = await given.of('security-camera');
    const guest = await app.signIn({ username: 'Guest-1', permissions: ['device.query'] });
    const sees = async () => (await call(`/api/v1/devices/${camera.id}`, { token: guest.token })).status;
    expect(await sees()).toBe(403);
    const bound = await call<{ id: number }>(`/api/v1/devices/${camera.id}/accounts`, {
      body: { username: ' guest-1 ' },
    });
    expect(bound).toMatchObject({ status: 201, body: { id: guest.accountId, username: 'Guest-1' } });
    expect((await call(`/api/v1/devices/${camera.id}/accounts`, { body: { username: 'guest-1' } })).status).toBe(201);
    expect(await sees()).toBe(200);
    expect((await call(`/api/v1/devices/${camera.id}/accounts`)).body).toMatchObject({
      recordsTotal: 1,
      data: [{ username: 'Guest-1' }],
    });
    expect((await call(`/api/v1/devices/${camera.id}/accounts/${guest.accountId}`, { method: 'DELETE' })).status).toBe(
      204,
    );
    expect(await sees()).toBe(403);
    expect((await call(`/api/v1/devices/${camera.id}/accounts/${guest.accountId}`, { method: 'DELETE' })).status).toBe(
      404,
    );
    expect(
      problems(await call(`/api/v1/devices/${camera.id}/accounts`, { body: { username: 'nobody-at-all' } })),
    ).toEqual(['username:notFound']);
    const binder = await app.signIn({ username: 'binder', permissions: ['device.bind'], workAreas: [place.north] });
    expect(
      (await call(`/api/v1/devices/${camera.id}/accounts`, { body: { username: 'admin' }, token: binder.token }))
        .status,
    ).toBe(403);
  });
});

describe('credentials', () => {
  test('are shown once, kept as a hash, and a pole has none', async () => {
    const lamp = await given.lamp();
    const first = await call<{ clientId: string; username: string; password: string }>(
      `/api/v1/devices/${lamp.id}/credentials`,
      { method: 'POST' },
    );
    expect(first).toMatchObject({
      status: 201,
      body: { clientId: `lampyris-${lamp.id}`, username: `lampyris-${lamp.id}` },
    });
    expect(first.body.password).toMatch(/^[\w-]{43}$/);
    const second = await call<{ password: string }>(`/api/v1/devices/${lamp.id}/credentials`, { method: 'POST' });
    expect(second.body.password).not.toBe(first.body.password);
    const stored = await db
      .selectFrom('device_credential')
      .selectAll()
      .where('device_id', '=', lamp.id)
      .executeTakeFirstOrThrow();
    expect(stored.secret_hash.equals(createHash('sha256').update(second.body.password).digest())).toBe(true);
    const log = await db.selectFrom('operation_log').select('params').execute();
    expect(JSON.stringify(log)).not.toContain(second.body.password);
    const pole = await given.pole();
    expect((await call(`/api/v1/devices/${pole.id}/credentials`, { method: 'POST' })).body).toMatchObject({
      code: 4006,
    });
  });
});

describe('the list', () => {
  const codes = async (query: string, more = {}) => {
    const reply = await call<{ data: Row[] }>(`/api/v1/devices?${query}`, more);
    return reply.body.data.map((row) => row['equipmentCode']);
  };
  test('sorts codes naturally, filters by columns, family fields and text, and counts exactly', async () => {
    for (const [code, type] of [
      ['Z-10', 'dali'],
      ['Z-2', 'pwm'],
      ['Z-1', 'dali'],
    ])
      await given.lamp({ equipmentCode: code, type, equipmentName: '100%_a', roadId: place.road });
    expect(await codes('family=single-lamp-controller&q=Z-')).toEqual(['Z-1', 'Z-2', 'Z-10']);
    expect(await codes('family=single-lamp-controller&q=Z-&sort=equipmentCode,desc')).toEqual(['Z-10', 'Z-2', 'Z-1']);
    expect(await codes('family=single-lamp-controller&q=Z-&type=dali')).toEqual(['Z-1', 'Z-10']);
    expect(await codes('family=single-lamp-controller&q=Z-&type=dali,pwm&sort=type,desc')).toEqual([
      'Z-2',
      'Z-1',
      'Z-10',
    ]);
    expect(await codes(`family=single-lamp-controller&q=100%25_A&roadId=${place.road}&size=2&page=2`)).toEqual([
      'Z-10',
    ]);
    expect(await codes('family=single-lamp-controller&q=Z-&online=true')).toEqual([]);
    expect((await call('/api/v1/devices?family=single-lamp-controller&q=Z-&size=1')).body).toMatchObject({
      recordsTotal: 3,
    });
    expect(await codes('family=single-lamp-controller&q=Z-&status=disabled')).toEqual([]);
  });
  test('sorts, finds and keeps codes in letters of any script as they were written, with brackets and spaces', async () => {
    const written = ['กขค (2)', 'กขค (12)', '강남-2', '강남-12', 'Λ-7 (β)', 'Λ-10 (α)', 'Ж-3', 'ז-4 (א)'];
    for (const equipmentCode of written.toReversed()) await given.lamp({ equipmentCode, equipmentName: '字母' });
    const sorted = await codes(`family=single-lamp-controller&q=${encodeURIComponent('字母')}`);
    expect(sorted.toSorted()).toEqual(written.toSorted());
    for (const [first, then] of [
      ['กขค (2)', 'กขค (12)'],
      ['강남-2', '강남-12'],
      ['Λ-7 (β)', 'Λ-10 (α)'],
    ])
      expect(sorted.indexOf(first)).toBe(sorted.indexOf(then) - 1);
    for (const code of written)
      expect(await codes(`family=single-lamp-controller&q=${encodeURIComponent(code)}`)).toEqual([code]);
    expect(await codes(`family=single-lamp-controller&q=${encodeURIComponent('λ-7 (Β)')}`)).toEqual(['Λ-7 (β)']);
  });
  test('every sort its catalogue allows works; unknown filters and sorts are refused by name', async () => {
    const { body } = await call<{
      data: { key: string; fields: { key: string; sort: boolean }[]; quantities: { key: string; kind: string }[] }[];
    }>('/api/v1/families');
    for (const family of body.data) {
      const sorts = [
        ...family.fields.filter((f) => f.sort).map((f) => f.key),
        ...family.quantities.filter((q) => q.kind === 'number').map((q) => `latest.${q.key}`),
        'isOnline',
        'updateTime',
        'state',
        'id',
      ];
      for (const sort of sorts)
        expect(
          (await call(`/api/v1/devices?family=${family.key}&sort=${sort},desc`)).status,
          `${family.key} ${sort}`,
        ).toBe(200);
    }
    expect(problems(await call('/api/v1/devices?sort=password,asc'))).toEqual(['sort:option']);
    expect(problems(await call('/api/v1/devices?family=lamp-pole&nonsense=1'))).toEqual(['nonsense:unknown']);
    expect(problems(await call('/api/v1/devices?family=lamp-pole&workId=abc'))).toEqual(['workId:type']);
    expect((await call('/api/v1/devices?size=1001')).status).toBe(400);
  });
  test('shows only the caller’s work areas and bound devices, and the area in the header narrows it', async () => {
    const mine = await given.lamp({ equipmentCode: 'scope-n' });
    const theirs = await given.lamp({ equipmentCode: 'scope-s', workId: place.south });
    const bound = await given.lamp({ equipmentCode: 'scope-b', workId: place.south });
    const { accountId, token } = await app.signIn({
      username: 'north',
      permissions: ['device.query', 'device.add', 'device.edit', 'device.del', 'device.credentials'],
      workAreas: [place.north],
    });
    await db.insertInto('device_account').values({ account_id: accountId, device_id: bound.id }).execute();
    expect(await codes('q=scope-', { token })).toEqual(['scope-b', 'scope-n']);
    expect(await codes('q=scope-', { token, workAreaId: place.north })).toEqual(['scope-n']);
    expect(await codes('q=scope-', { workAreaId: place.south })).toEqual(['scope-b', 'scope-s']);
    expect((await call('/api/v1/devices', { token, workAreaId: place.south })).status).toBe(403);
    for (const path of ['', '/uses', '/readings'])
      expect((await call(`/api/v1/devices/${theirs.id}${path}`, { token })).status).toBe(403);
    expect((await call(`/api/v1/devices/${theirs.id}`, { token, method: 'DELETE' })).status).toBe(403);
    expect((await call(`/api/v1/devices/${theirs.id}/credentials`, { token, method: 'POST' })).status).toBe(403);
    expect((await put(theirs.id, { rmark: 'x' }, { token })).status).toBe(403);
    expect((await put(mine.id, { workId: place.south }, { token })).status).toBe(403);
    expect(
      (
        await post(
          { family: 'single-lamp-controller', equipmentCode: 'n', equipmentName: 'x', workId: place.south },
          { token },
        )
      ).status,
    ).toBe(403);
    expect((await call('/api/v1/devices', { token: (await app.signIn({ username: 'nobody' })).token })).status).toBe(
      403,
    );
    expect((await call('/api/v1/devices', { token: null })).status).toBe(401);
  });
});

describe('readings', () => {
  test('come by device time within a bounded span, only the quantities asked for', async () => {
    const lamp = await given.lamp();
    const at = (minutes: number) => new Date(app.clock.now().getTime() - minutes * 60_000);
    await db
      .insertInto('reading')
      .values(
        [60, 30].map((minutes) => ({
          at: at(minutes),
          device_id: lamp.id,
          received_at: at(0),
          values: { power: minutes, level: 60 },
          quality: minutes === 30 ? 3 : 0,
        })),
      )
      .execute()
      .catch(async () => {
        await app.database.pool.query('CREATE TABLE reading_test PARTITION OF reading DEFAULT');
        for (const minutes of [60, 30])
          await db
            .insertInto('reading')
            .values({
              at: at(minutes),
              device_id: lamp.id,
              received_at: at(0),
              values: { power: minutes, level: 60 },
              quality: minutes === 30 ? 3 : 0,
            })
            .execute();
      });
    const reply = await call<{ data: unknown[] }>(`/api/v1/devices/${lamp.id}/readings?quantities=power`);
    expect(reply.body).toEqual({
      data: [
        { at: at(60).toISOString(), quality: 'measured', values: { power: 60 } },
        { at: at(30).toISOString(), quality: 'invalid', values: { power: 30 } },
      ],
      truncated: false,
    });
    expect((await call(`/api/v1/devices/${lamp.id}/readings?from=2020-01-01T00:00:00Z`)).status).toBe(400);
    expect((await call(`/api/v1/devices/${lamp.id}/readings?quantities=nonsense`)).status).toBe(400);
  });
});

describe('a city at once', () => {
  test('registers thousands in order, with parents among them, and gives them credentials in bulk', async () => {
    await db.transaction().execute(async (tx) => {
      const [rtu = 0] = await devices.registerMany(tx, [
        { family: 'central-controller', values: { equipmentCode: 'BULK', equipmentName: 'b', workId: place.north } },
      ]);
      const ids = await devices.registerMany(
        tx,
        Array.from({ length: 6000 }, (_, i) => ({
          family: 'single-lamp-controller',
          values: { equipmentCode: `BULK-${i}`, equipmentName: `灯 ${i}`, workId: place.north, rtuId: rtu, power: 100 },
        })),
      );
      expect(new Set(ids).size).toBe(6000);
      const fifth = await tx
        .selectFrom('device')
        .select(['equipment_code', 'parent_id'])
        .where('id', '=', ids[5] ?? 0)
        .executeTakeFirstOrThrow();
      expect(fifth).toEqual({ equipment_code: 'BULK-5', parent_id: rtu });
      const issued = await devices.issueCredentials(tx, ids);
      expect(issued[5]).toMatchObject({ deviceId: ids[5], clientId: `lampyris-${ids[5]}` });
      expect(new Set(issued.map((one) => one.password)).size).toBe(6000);
    });
    await db.transaction().execute((tx) =>
      devices.registerMany(tx, [
        {
          id: 900_000,
          family: 'lamp-pole',
          values: {
            equipmentCode: 'own-id',
            equipmentName: 'x',
            workId: place.north,
            equipmentTypeId: 'equipment_type_13',
          },
        },
      ]),
    );
    expect((await given.pole()).id).toBeGreaterThan(900_000);
  });
});

test('the catalogue for integrators speaks the caller’s language', async () => {
  const reply = await call<{ data: { key: string; name: string }[] }>('/api/v1/families', {
    headers: { 'accept-language': 'ko-KR' },
  });
  expect(reply.body.data.map((family) => family.key)).toEqual(families.map(({ key }) => key));
  expect(reply.body.data.slice(0, 3).map((family) => family.name)).toEqual([
    '가로등 기둥',
    '개별등 제어기',
    '집중 제어기',
  ]);
});
