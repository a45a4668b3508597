import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { openKeys } from '../../platform/keys/index.ts';
import { testApp } from '../../testing/app.ts';
import { givenArea, givenDevice } from '../../testing/devices.ts';
import { createDevices, devicesRoutes } from '../../register/devices/index.ts';
import { createBatches, createInbox, createNewcomers, createPending, provisioningRoutes } from './index.ts';

const folder = mkdtempSync(join(tmpdir(), 'lampyris-away-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
/** Everything outside of the database: the site's broker, the disk. With what the broker was told. */
const outside = { isAway: false, accounts: [] as { username: string; password: string }[] };
const reach = async () => {
  if (outside.isAway) throw new Error('the broker is away');
};
const learn = async (accounts: readonly { username: string; password: string }[]) => {
  await reach();
  outside.accounts.push(...accounts.map(({ username, password }) => ({ username, password })));
};
let newcomers!: ReturnType<typeof createNewcomers>;
const app = await testApp({
  logLevel: 'silent',
  routes: async (parts) => {
    await givenArea(parts.db);
    const own = { ...parts, keys: openKeys(join(folder, 'secret.key')) };
    newcomers = createNewcomers(own);
    const pending = createPending({ ...own, provision: learn, grant: learn });
    afterAll(pending.start());
    const devices = createDevices({ ...own, provision: learn, forget: reach });
    const inbox = createInbox({ ...own, devices, pending, builtIn: false, replay: reach });
    return [...devicesRoutes(devices), ...provisioningRoutes(createBatches({ ...own, pending }), inbox)];
  },
});
const { db, call, clock, bus } = app;
const heard: string[] = [];
for (const topic of ['credentials.changed', 'devices.changed', 'newcomer.claimed'] as const)
  bus.subscribe(topic, () => {
    heard.push(topic);
  });
const back = async () => {
  outside.isAway = false;
  await clock.advance(15_000);
};
beforeEach(() => {
  Object.assign(outside, { isAway: false, accounts: [] });
  heard.length = 0;
});

interface Batch {
  batch: { id: number; version: number };
  credentials: { username: string; password: string };
}
let named = 0;
const givenBatch = () => call<Batch>('/api/v1/batches', { body: { name: `批次${++named}`, workId: 1 } });
const say = (batch: Batch, serial: string, kind: string, message: object) =>
  newcomers.take({
    topic: `lampyris/v1/batches/${batch.batch.id}/${serial}/${kind}`,
    payload: Buffer.from(JSON.stringify(message)),
    username: null,
  });
const waiting = async (serial: string) =>
  (await db.selectFrom('newcomer').select('id').where('serial', '=', serial).executeTakeFirstOrThrow()).id;
const claim = (id: number, code: string) =>
  call<{ deviceId: number; credentials: { password: string } | null }>(`/api/v1/newcomers/${id}/claim`, {
    body: {
      device: { family: 'single-lamp-controller', equipmentCode: code, equipmentName: '灯', workId: 1, power: 80 },
    },
  });
const sealed = async (id: number) =>
  (await db.selectFrom('newcomer').select('secret_sealed').where('id', '=', id).executeTakeFirstOrThrow())
    .secret_sealed;
const readings = () => ({
  sentAt: clock.now().toISOString(),
  readings: [{ at: clock.now().toISOString(), values: { power: 57 } }],
});

describe('while the broker is away', () => {
  test('a claim is whole; the broker learns of it when it is back, and only then the device is told', async () => {
    const { body: batch } = await givenBatch();
    const secret = randomBytes(32).toString('base64url');
    await say(batch, 'AWAY-1', 'hello', { secret });
    await say(batch, 'AWAY-1', 'readings', readings());
    const id = await waiting('AWAY-1');
    outside.isAway = true;
    const reply = await claim(id, 'AWAY-1');
    expect([reply.status, reply.body.credentials]).toEqual([201, null]);
    expect(heard).toEqual(['credentials.changed', 'devices.changed']);
    await back();
    expect(outside.accounts.at(-1)).toEqual({ username: `lampyris-${reply.body.deviceId}`, password: secret });
    expect(heard).toContain('newcomer.claimed');
    expect(await sealed(id)).toBeNull();
    outside.accounts.length = 0;
    await clock.advance(15_000);
    expect(outside.accounts).toEqual([]);
  });

  test('credentials that are shown once are shown, and work when it is back', async () => {
    const { body: batch } = await givenBatch();
    await say(batch, 'AWAY-2', 'readings', readings());
    Object.assign(outside, { isAway: true, accounts: [] });
    const { status, body } = await claim(await waiting('AWAY-2'), 'AWAY-2');
    expect(status).toBe(201);
    await back();
    expect(outside.accounts).toEqual([{ username: `lampyris-${body.deviceId}`, password: body.credentials?.password }]);
  });

  test('credentials issued since are not overwritten by those of the claim', async () => {
    const { body: batch } = await givenBatch();
    await say(batch, 'AWAY-3', 'readings', readings());
    const id = await waiting('AWAY-3');
    Object.assign(outside, { isAway: true, accounts: [] });
    const { body } = await claim(id, 'AWAY-3');
    outside.isAway = false;
    const renewed = (
      await call<{ password: string }>(`/api/v1/devices/${body.deviceId}/credentials`, { method: 'POST' })
    ).body.password;
    await back();
    expect(outside.accounts.map(({ password }) => password)).toEqual([renewed]);
    expect(await sealed(id)).toBeNull();
  });

  test('a batch is made, gets another secret and is opened again; the broker learns the last', async () => {
    outside.isAway = true;
    const made = await givenBatch();
    expect([made.status, made.body.credentials.password]).toEqual([201, expect.any(String)]);
    const path = `/api/v1/batches/${made.body.batch.id}`;
    const renewed = await call<{ password: string }>(`${path}/secret`, { method: 'POST' });
    expect(renewed.status).toBe(201);
    expect((await call(path, { method: 'PUT', body: { enabled: false } })).status).toBe(200);
    await clock.advance(15_000);
    outside.isAway = false;
    await clock.advance(15_000);
    expect(outside.accounts).toEqual([]);
    outside.isAway = true;
    expect((await call(path, { method: 'PUT', body: { enabled: true } })).status).toBe(200);
    await back();
    expect(outside.accounts).toEqual([{ username: made.body.credentials.username, password: renewed.body.password }]);
  });
});

test('more claims of registered devices at once than there are connections all end', async () => {
  const { body: batch } = await givenBatch();
  const pairs = await Promise.all(
    Array.from({ length: 20 }, async (_, n) => {
      await say(batch, `CROWD-${n}`, 'readings', readings());
      return { id: await waiting(`CROWD-${n}`), deviceId: await givenDevice(db) };
    }),
  );
  const replies = await Promise.all(
    pairs.map(({ id, deviceId }) => call(`/api/v1/newcomers/${id}/claim`, { body: { deviceId } })),
  );
  expect(replies.map(({ status }) => status)).toEqual(pairs.map(() => 201));
});

test('a registered device of a work area that is not one’s own is not claimed', async () => {
  await sql`INSERT INTO work_area (id, work_code, work_name) VALUES (2, 'A2', '西区')`.execute(db);
  const { body: batch } = await givenBatch();
  await say(batch, 'FOREIGN', 'readings', readings());
  const { token } = await app.signIn({ username: 'east', permissions: ['device.provision'], workAreas: [1] });
  const body = { deviceId: await givenDevice(db, { workAreaId: 2 }) };
  expect((await call(`/api/v1/newcomers/${await waiting('FOREIGN')}/claim`, { token, body })).status).toBe(403);
});

test('a deleted device is cut off at once, whatever becomes of its files', async () => {
  const { id } = (
    await call<{ id: number }>('/api/v1/devices', {
      body: { family: 'single-lamp-controller', equipmentCode: 'GONE', equipmentName: '灯', workId: 1 },
    })
  ).body;
  heard.length = 0;
  outside.isAway = true;
  expect((await call(`/api/v1/devices/${id}`, { method: 'DELETE' })).status).toBe(204);
  expect(heard).toEqual(['credentials.changed', 'devices.changed']);
  expect((await sql`SELECT 1 FROM device WHERE id = ${id}`.execute(db)).rows).toEqual([]);
});
