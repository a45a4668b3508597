import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { deviceRegister } from './testing/device-register.ts';

const { devices, app, db, call, place, problems, given } = await deviceRegister();

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
