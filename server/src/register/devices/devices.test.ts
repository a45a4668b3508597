import { describe, expect, test } from 'vitest';
import { createCanvas } from '@napi-rs/canvas';
import { families } from '../../../../catalogue/index.ts';
import { deviceRegister, type Row, type Problem } from './testing/device-register.ts';

const { keys, app, db, call, place, post, put, problems, given } = await deviceRegister();

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
