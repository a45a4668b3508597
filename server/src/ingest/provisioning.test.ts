import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect as connectTcp } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import mqtt, { type IClientOptions, type MqttClient } from 'mqtt';
import { afterAll, describe, expect, it } from 'vitest';
import { createProofs } from '../light/commands/index.ts';
import { createDevices, devicesRoutes } from '../register/devices/index.ts';
import {
  createBatchAccess,
  createBatches,
  createInbox,
  createJournal,
  createNewcomers,
  createPending,
  provisioningRoutes,
} from '../wires/provisioning/index.ts';
import { openKeys } from '../platform/keys/index.ts';
import { startEmbeddedBroker, type EmbeddedBroker } from '../platform/mqtt/index.ts';
import { watchCredentials } from '../start-broker.ts';
import { testApp } from '../testing/app.ts';
import { testClock } from '../testing/clock.ts';
import { connectClient, connectDevice, givenArea, givenDevice, listen } from '../testing/devices.ts';
import { createDeviceAccess, provisionOn } from '../wires/link/index.ts';
import { createIngest } from './index.ts';

const start = Date.parse('2026-11-21T12:00:00Z');
const clock = testClock(new Date(start));
const folder = mkdtempSync(join(tmpdir(), 'lampyris-provisioning-'));
let broker: EmbeddedBroker;
let journal: ReturnType<typeof createJournal>;
const stops: (() => unknown)[] = [];
const app = await testApp({
  clock,
  logLevel: 'silent',
  routes: async ({ db, bus, log }) => {
    const keys = openKeys(join(folder, 'secret.key'));
    await givenArea(db);
    await sql`INSERT INTO work_area (id, work_code, work_name) VALUES (2, 'A2', '西区') ON CONFLICT DO NOTHING`.execute(
      db,
    );
    journal = createJournal({ db, bus, clock, log });
    const newcomers = createNewcomers({ db, bus, clock, keys, log });
    const ingest = createIngest({
      db,
      bus,
      clock,
      log,
      proofs: createProofs({ bus }),
      stored: (ids) => bus.publish('devices.changed', { ids }),
      newcomer: newcomers.take,
      refused: journal.refused,
    });
    broker = await startEmbeddedBroker({
      host: '127.0.0.1',
      port: 0,
      tlsPort: null,
      tls: null,
      log,
      authenticate: createDeviceAccess({ db, batches: createBatchAccess({ db, clock }) }),
      witness: (event) => {
        journal.witness(event);
        newcomers.witness(event);
      },
    });
    stops.push(
      () => ingest.stop(),
      () => broker.stop(),
      await ingest.start(broker),
      newcomers.start(broker),
      journal.start(),
      watchCredentials({ broker, bus, db, log }),
    );
    const provision = provisionOn(broker);
    const devices = createDevices({ db, bus, keys, clock, log, provision });
    const pending = createPending({
      db,
      bus,
      clock,
      keys,
      log,
      provision,
      grant: (accounts) => broker.grant(accounts),
    });
    return [
      ...devicesRoutes(devices),
      ...provisioningRoutes(
        createBatches({ db, bus, clock, keys, pending }),
        createInbox({
          db,
          bus,
          clock,
          keys,
          log,
          devices,
          pending,
          builtIn: true,
          replay: (topic, payload, receivedAt) => ingest.take({ topic, payload, username: null }, receivedAt),
        }),
      ),
    ];
  },
});
const { db, call } = app;
const url = () => `mqtt://127.0.0.1:${broker.port}`;
afterAll(async () => {
  for (const stop of stops.toReversed()) await stop();
  rmSync(folder, { recursive: true, force: true });
});

interface Batch {
  batch: {
    id: number;
    standing: string;
    counts: { waiting: number };
    lastDenied: { reason: string; serial: string } | null;
  };
  credentials: { username: string; password: string };
}
interface Newcomer {
  id: number;
  serial: string;
  state: string;
  family: string | null;
  ready: boolean;
  doubt: string | null;
  messages: number;
  model: string | null;
  payloads: { kind: string; text: string; problem: string | null }[];
  matches: { id: number }[];
  deviceId: number | null;
  arrivedAt: string | null;
  address: string | null;
}
let named = 0;
const givenBatch = async (more: Record<string, unknown> = {}) =>
  (await call<Batch>('/api/v1/batches', { body: { name: `批次${++named}`, workId: 1, ...more } })).body;
const listed = async (batchId: number, more = '') =>
  (await call<{ data: Newcomer[] }>(`/api/v1/newcomers?batchId=${batchId}${more}`)).body.data;
const one = async (id: number) => (await call<Newcomer>(`/api/v1/newcomers/${id}`)).body;
const waitingFor = async (batchId: number, serial: string) => {
  const found = (await listed(batchId)).find((newcomer) => newcomer.serial === serial);
  if (!found) throw new Error(`${serial} is not in the inbox`);
  return one(found.id);
};
const batchOf = async (id: number) =>
  (await call<{ data: Batch['batch'][] }>('/api/v1/batches')).body.data.find((batch) => batch.id === id);

/** An independent client with the account of a batch. */
const member = ({ credentials }: Batch, serial: string, options: IClientOptions = {}): Promise<MqttClient> =>
  connectClient(url(), { clientId: serial, ...credentials, ...options });
const closed = (client: MqttClient) => new Promise<void>((resolve) => client.once('close', () => resolve()));
const topic = (batch: Batch, serial: string, kind: string) => `lampyris/v1/batches/${batch.batch.id}/${serial}/${kind}`;
const newSecret = () => randomBytes(32).toString('base64url');
const at = () => clock.now().toISOString();
const values = { level: 60, power: 57.5, relay: true, voltage: 226.8 };
const say = (client: MqttClient, batch: Batch, kind: 'hello' | 'readings', message: unknown) =>
  client.publishAsync(
    topic(batch, client.options.clientId ?? '', kind),
    typeof message === 'string' ? message : JSON.stringify(message),
    { qos: 1 },
  );
const readings = (more: Record<string, unknown> = {}) => ({
  sentAt: at(),
  readings: [{ at: at(), values: { ...values, ...more } }],
});
const newLamp = (code: string) => ({
  device: { family: 'single-lamp-controller', equipmentCode: code, equipmentName: '新灯', workId: 1, power: 80 },
});
const historyOf = async (deviceId: number) =>
  (await sql<{ values: unknown }>`SELECT values FROM reading WHERE device_id = ${deviceId} ORDER BY at`.execute(db))
    .rows;

describe('a member of a batch', () => {
  it('comes into the inbox with what it says, and nothing of it into the history', async () => {
    const batch = await givenBatch();
    const client = await member(batch, 'SN-1');
    expect(await waitingFor(batch.batch.id, 'SN-1')).toMatchObject({
      state: 'waiting',
      ready: false,
      family: null,
      address: expect.stringContaining('127.0.0.1'),
    });
    const before = (await sql<{ n: number }>`SELECT count(*)::int AS n FROM reading`.execute(db)).rows[0]?.n;
    const secret = newSecret();
    await say(client, batch, 'hello', { secret, model: 'LC-2\u0007‮', firmware: '1.0' });
    await say(client, batch, 'readings', readings());
    const found = await waitingFor(batch.batch.id, 'SN-1');
    expect(found).toMatchObject({
      ready: true,
      family: 'single-lamp-controller',
      model: 'LC-2  ',
      messages: 2,
      doubt: null,
    });
    expect(found.payloads.map(({ kind, problem }) => [kind, problem])).toEqual([
      ['readings', null],
      ['hello', null],
    ]);
    expect(JSON.stringify(found)).not.toContain(secret);
    expect((await sql<{ n: number }>`SELECT count(*)::int AS n FROM reading`.execute(db)).rows[0]?.n).toBe(before);
  });

  it('is told what is wrong with its messages by the inbox, which keeps only the last few', async () => {
    const batch = await givenBatch();
    const client = await member(batch, 'SN-2');
    await say(client, batch, 'hello', { secret: 'short' });
    await say(client, batch, 'readings', '{"sentAt":');
    await say(client, batch, 'hello', `{"secret":"${'a'.repeat(3000)}`);
    for (let count = 0; count < 4; count += 1) await say(client, batch, 'readings', readings({ mystery: count }));
    const found = await waitingFor(batch.batch.id, 'SN-2');
    expect(found.payloads).toHaveLength(5);
    expect(found.payloads.at(-1)).toMatchObject({ kind: 'hello', problem: expect.stringMatching(/^tooLarge/) });
    expect(found).toMatchObject({ ready: false, messages: 7 });
    expect(JSON.stringify(found)).not.toContain('aaaa');
  });

  it('that talks too much is acknowledged and counted, not written', async () => {
    const batch = await givenBatch();
    const client = await member(batch, 'SN-3');
    for (let count = 0; count < 40; count += 1) await say(client, batch, 'readings', readings());
    expect((await waitingFor(batch.batch.id, 'SN-3')).messages).toBe(10);
    await clock.advance(60_000);
    await say(client, batch, 'readings', readings());
    expect((await waitingFor(batch.batch.id, 'SN-3')).messages).toBe(41);
  });

  it('may only use its own topics, and no client id of a device', async () => {
    const batch = await givenBatch();
    const client = await member(batch, 'SN-4');
    const grants = await client
      .subscribeAsync(
        [
          topic(batch, 'SN-4', 'provision'),
          topic(batch, '+', 'provision'),
          topic(batch, 'SN-5', 'provision'),
          'lampyris/v1/devices/1/commands',
          '#',
        ],
        { qos: 1 },
      )
      .catch((thrown: unknown) => thrown);
    expect(grants).toBeInstanceOf(Error);
    expect((await client.subscribeAsync(topic(batch, 'SN-4', 'provision'), { qos: 1 }))[0]?.qos).toBe(1);
    const gone = closed(client);
    client.publish(topic(batch, 'SN-5', 'hello'), '{}', { qos: 1 });
    await gone;
    await expect(member(batch, 'lampyris-1')).rejects.toThrow();
    await expect(member(batch, 'a/b')).rejects.toThrow();
    expect((await batchOf(batch.batch.id))?.lastDenied).toMatchObject({ reason: 'badSerial' });
    expect((await listed(batch.batch.id)).map(({ serial }) => serial)).toEqual(['SN-4']);
  });

  it('with a wrong, disabled, expired or full batch is refused, and the batch says why', async () => {
    const batch = await givenBatch({
      maxDevices: 1,
      expiresAt: new Date(clock.now().getTime() + 3_600_000).toISOString(),
    });
    const reason = async () => (await batchOf(batch.batch.id))?.lastDenied?.reason;
    await expect(
      member({ ...batch, credentials: { ...batch.credentials, password: 'wrong' } }, 'SN-6'),
    ).rejects.toThrow();
    expect(await reason()).toBe('wrongPassword');
    await member(batch, 'SN-6');
    await clock.advance(2000);
    await expect(member(batch, 'SN-7')).rejects.toThrow();
    expect(await reason()).toBe('batchFull');
    expect((await batchOf(batch.batch.id))?.standing).toBe('full');
    await call(`/api/v1/batches/${batch.batch.id}`, { method: 'PUT', body: { enabled: false } });
    await clock.advance(2000);
    await expect(member(batch, 'SN-6')).rejects.toThrow();
    expect(await reason()).toBe('batchDisabled');
    await call(`/api/v1/batches/${batch.batch.id}`, { method: 'PUT', body: { enabled: true, maxDevices: 5 } });
    const client = await member(batch, 'SN-6');
    const gone = closed(client);
    await clock.advance(3_600_000);
    await gone;
    await expect(member(batch, 'SN-6')).rejects.toThrow();
    expect(await reason()).toBe('batchExpired');
    expect((await batchOf(batch.batch.id))?.standing).toBe('expired');
  });

  it('is disconnected when its batch is disabled, gets another secret or is deleted', async () => {
    const batch = await givenBatch();
    const path = `/api/v1/batches/${batch.batch.id}`;
    const first = closed(await member(batch, 'SN-8'));
    await call(path, { method: 'PUT', body: { enabled: false } });
    await first;
    await call(path, { method: 'PUT', body: { enabled: true } });
    const second = closed(await member(batch, 'SN-8'));
    const { body: credentials } = await call<Batch['credentials']>(`${path}/secret`, { method: 'POST' });
    await second;
    await expect(member(batch, 'SN-8')).rejects.toThrow();
    const third = closed(await member({ ...batch, credentials }, 'SN-8'));
    expect((await call(path, { method: 'DELETE' })).status).toBe(204);
    await third;
    await expect(member({ ...batch, credentials }, 'SN-8')).rejects.toThrow();
  });

  it('that is blocked is disconnected and stays out until it is let in again', async () => {
    const batch = await givenBatch();
    const gone = closed(await member(batch, 'SN-9'));
    const { id } = await waitingFor(batch.batch.id, 'SN-9');
    await call(`/api/v1/newcomers/${id}/blocked`, { method: 'PUT', body: { blocked: true } });
    await gone;
    await expect(member(batch, 'SN-9')).rejects.toThrow();
    expect((await call(`/api/v1/newcomers/${id}/claim`, { body: newLamp('BLOCKED-1') })).status).toBe(409);
    await call(`/api/v1/newcomers/${id}/blocked`, { method: 'PUT', body: { blocked: false } });
    await member(batch, 'SN-9');
  });

  it('whose serial another one uses too is doubted: by another secret, from another address, or in another batch', async () => {
    const [batch, other] = [await givenBatch(), await givenBatch()];
    const client = await member(batch, 'SN-10');
    await say(client, batch, 'hello', { secret: newSecret() });
    await say(client, batch, 'hello', { secret: newSecret() });
    expect(await waitingFor(batch.batch.id, 'SN-10')).toMatchObject({ doubt: 'secret' });
    await member(batch, 'SN-12');
    const elsewhere = new mqtt.MqttClient(
      () => connectTcp({ host: '127.0.0.1', port: broker.port, localAddress: '127.0.0.2' }),
      { clientId: 'SN-12', ...batch.credentials, reconnectPeriod: 0 },
    );
    await expect.poll(async () => (await waitingFor(batch.batch.id, 'SN-12')).doubt).toBe('address');
    await elsewhere.endAsync(true);
    await member(batch, 'SN-11');
    await member(other, 'SN-11');
    expect(await waitingFor(other.batch.id, 'SN-11')).toMatchObject({ doubt: 'elsewhere' });
  });
});

describe('claiming', () => {
  it('makes a new device, tells it who it is, and from then on it speaks as itself', async () => {
    const batch = await givenBatch();
    const client = await member(batch, 'SN-20');
    const heard = listen(client);
    await client.subscribeAsync(topic(batch, 'SN-20', 'provision'), { qos: 1 });
    const secret = newSecret();
    await say(client, batch, 'hello', { secret, family: 'single-lamp-controller' });
    await say(client, batch, 'readings', readings());
    const { id } = await waitingFor(batch.batch.id, 'SN-20');
    const claimed = await call<{ deviceId: number; credentials: null }>(`/api/v1/newcomers/${id}/claim`, {
      body: newLamp('L-20'),
    });
    expect(claimed).toMatchObject({ status: 201, body: { credentials: null } });
    const { deviceId } = claimed.body;
    const name = `lampyris-${deviceId}`;
    expect(await heard.take()).toEqual({
      topic: topic(batch, 'SN-20', 'provision'),
      message: { clientId: name, username: name, deviceId: String(deviceId) },
    });
    // What it said while it waited is its own.
    expect(await historyOf(deviceId)).toEqual([{ values }]);
    const own = await connectDevice(url(), deviceId, secret);
    await clock.advance(1000);
    await own.publishAsync(`lampyris/v1/devices/${deviceId}/readings`, JSON.stringify(readings({ level: 40 })), {
      qos: 1,
    });
    expect(await historyOf(deviceId)).toEqual([{ values }, { values: { ...values, level: 40 } }]);
    expect(await one(id)).toMatchObject({ state: 'claimed', deviceId, arrivedAt: expect.any(String) });
    // It forgot: a hello with the same secret is answered again, one with another is doubted and gets nothing.
    await clock.advance(10_000);
    await say(client, batch, 'hello', { secret });
    expect((await heard.take()).message).toMatchObject({ deviceId: String(deviceId) });
    await say(client, batch, 'hello', { secret: newSecret() });
    expect(await one(id)).toMatchObject({ doubt: 'secret' });
    expect(heard.kept).toHaveLength(0);
    const { rows } = await sql<{ row: string }>`SELECT to_jsonb(o)::text AS row FROM operation_log o`.execute(db);
    expect(rows.filter(({ row }) => row.includes('newcomer.claim')).length).toBeGreaterThan(0);
    expect(rows.filter(({ row }) => row.includes(secret))).toEqual([]);
  });

  it('binds a registered device, offered by its code; one with credentials only when they are to be replaced', async () => {
    const batch = await givenBatch();
    const lamp = await givenDevice(db);
    await db.updateTable('device').set({ equipment_code: 'sn-21' }).where('id', '=', lamp).execute();
    await say(await member(batch, 'SN-21'), batch, 'hello', { secret: newSecret() });
    const found = await waitingFor(batch.batch.id, 'SN-21');
    expect(found.matches).toEqual([expect.objectContaining({ id: lamp, hasCredentials: false })]);
    expect((await call<{ data: { id: number }[] }>('/api/v1/connectable-devices?q=sn-21')).body.data).toEqual([
      expect.objectContaining({ id: lamp }),
    ]);
    // By what every search finds it by: pinyin, and its code without what stands between the parts.
    const { body: spoken } = await call<{ id: number }>('/api/v1/devices', {
      body: { ...newLamp('BJ-0042').device, equipmentName: '滨江 42 号' },
    });
    for (const q of ['binjiang', 'bj0042', 'ＢＪ-00', '滨江 号'])
      expect(
        (
          await call<{ data: { id: number }[] }>(`/api/v1/connectable-devices?q=${encodeURIComponent(q)}`)
        ).body.data.map(({ id }) => id),
        q,
      ).toEqual([spoken.id]);
    await call(`/api/v1/devices/${lamp}/credentials`, { method: 'POST' });
    expect((await call<{ data: unknown[] }>('/api/v1/connectable-devices?q=sn-21')).body.data).toEqual([]);
    expect(await call(`/api/v1/newcomers/${found.id}/claim`, { body: { deviceId: lamp } })).toMatchObject({
      status: 400,
      body: { code: 4020 },
    });
    expect(
      await call(`/api/v1/newcomers/${found.id}/claim`, { body: { deviceId: lamp, replace: true } }),
    ).toMatchObject({ status: 201, body: { deviceId: lamp } });
  });

  it('of one that never said hello shows its credentials once, to be put in by hand', async () => {
    const batch = await givenBatch();
    await member(batch, 'SN-22');
    const { id } = await waitingFor(batch.batch.id, 'SN-22');
    const { body } = await call<{ deviceId: number; credentials: { password: string } }>(
      `/api/v1/newcomers/${id}/claim`,
      { body: newLamp('L-22') },
    );
    await connectDevice(url(), body.deviceId, body.credentials.password);
  });

  it('takes over a long message of readings whole, although people are shown its beginning only', async () => {
    const batch = await givenBatch();
    const client = await member(batch, 'SN-26');
    const buffered = Array.from({ length: 70 }, (_, minute) => ({
      at: new Date(clock.now().getTime() - minute * 60_000).toISOString(),
      values,
    }));
    const text = JSON.stringify({ sentAt: at(), note: '"secret":"x"', secret: 'a"b', readings: buffered });
    expect(text.length).toBeGreaterThan(6000);
    await say(client, batch, 'readings', text);
    // Cut in the middle of a sign: still kept, and still shown.
    await say(client, batch, 'readings', `${'.'.repeat(3999)}💡`);
    const found = await waitingFor(batch.batch.id, 'SN-26');
    expect(found.payloads.map(({ text: shown, problem }) => [shown.length, problem === null])).toEqual([
      [4000, false],
      [4000, true],
    ]);
    expect(found.payloads[1]?.text).toContain('"secret":"…"');
    const { body } = await call<{ deviceId: number }>(`/api/v1/newcomers/${found.id}/claim`, { body: newLamp('L-26') });
    expect(await historyOf(body.deviceId)).toHaveLength(70);
  });

  it('by two people at once succeeds once', async () => {
    const batch = await givenBatch();
    await member(batch, 'SN-23');
    const { id } = await waitingFor(batch.batch.id, 'SN-23');
    const replies = await Promise.all(
      ['L-23a', 'L-23b'].map((code) => call(`/api/v1/newcomers/${id}/claim`, { body: newLamp(code) })),
    );
    expect(replies.map(({ status }) => status).sort((a, b) => a - b)).toEqual([201, 409]);
    expect((await sql`SELECT 1 FROM device WHERE equipment_code LIKE 'L-23%'`.execute(db)).rows).toHaveLength(1);
  });

  it('refuses what the family, the register and the batch refuse, and leaves it waiting', async () => {
    const batch = await givenBatch({ families: ['gateway'] });
    await member(batch, 'SN-24');
    const { id } = await waitingFor(batch.batch.id, 'SN-24');
    const claim = (body: unknown) =>
      call<{ code: number; params?: { field: string }[] }>(`/api/v1/newcomers/${id}/claim`, { body });
    expect(await claim(newLamp('L-24'))).toMatchObject({ status: 400, body: { code: 4021 } });
    expect(
      (await claim({ device: { family: 'gateway', workId: 1 } })).body.params?.map(({ field }) => field),
    ).toContain('equipmentCode');
    expect((await claim({})).status).toBe(400);
    expect((await claim({ deviceId: 999_999_999 })).status).toBe(404);
    expect((await sql`SELECT 1 FROM device WHERE equipment_code = 'L-24'`.execute(db)).rows).toHaveLength(0);
    expect(await one(id)).toMatchObject({ state: 'waiting' });
    expect((await call('/api/v1/batches', { body: { name: 'x', workId: 1, families: ['lamp-pole'] } })).status).toBe(
      400,
    );
  });

  it('is for people of the work area of the batch', async () => {
    const batch = await givenBatch({ workId: 2 });
    await member(batch, 'SN-25');
    const { id } = await waitingFor(batch.batch.id, 'SN-25');
    const { token } = await app.signIn({ username: 'east', permissions: ['device.provision'], workAreas: [1] });
    expect(
      (await call<{ data: unknown[] }>(`/api/v1/newcomers?batchId=${batch.batch.id}`, { token })).body.data,
    ).toEqual([]);
    expect((await call(`/api/v1/newcomers/${id}`, { token })).status).toBe(403);
    expect((await call('/api/v1/batches', { token, body: { name: 'y', workId: 2 } })).status).toBe(403);
  });
});

describe('the line of a device being connected', () => {
  it('tells what was refused though nobody looked, and every try with its reason once somebody watches', async () => {
    const lamp = await givenDevice(db);
    const {
      body: { password },
    } = await call<{ password: string }>(`/api/v1/devices/${lamp}/credentials`, { method: 'POST' });
    const name = `lampyris-${lamp}`;
    const events = async () => {
      await journal.settled();
      return (
        await call<{ builtIn: boolean; events: { kind: string; reason: string | null; detail: string | null }[] }>(
          `/api/v1/devices/${lamp}/link`,
        )
      ).body.events
        .map(({ kind, reason, detail }) => [kind, reason, detail])
        .toReversed();
    };
    await expect(connectDevice(url(), lamp, 'before anybody looked')).rejects.toThrow();
    expect(await events()).toEqual([['denied', 'wrongPassword', null]]);
    const told: number[] = [];
    const deafen = app.bus.subscribe('devices.changed', ({ ids }) => {
      told.push(...ids.filter((id) => id === lamp));
    });
    await expect(connectDevice(url(), lamp, 'wrong')).rejects.toThrow();
    await expect(connectDevice(url(), lamp, password, { clientId: 'my-lamp' })).rejects.toThrow();
    await expect(connectDevice(url(), lamp, password, { username: 'admin' })).rejects.toThrow();
    await journal.settled();
    // Who looks at the line need not ask again and again: each try is told, when it is written.
    expect(told).toEqual([lamp, lamp, lamp]);
    deafen();
    const client = await connectDevice(url(), lamp, password);
    await client.subscribeAsync(`lampyris/v1/devices/${lamp}/commands`, { qos: 1 });
    await client.subscribeAsync('#', { qos: 1 }).catch(() => undefined);
    const own = `lampyris/v1/devices/${lamp}/readings`;
    await client.publishAsync(own, JSON.stringify({ ...readings(), sentAt: 'noon' }), { qos: 1 });
    await client.publishAsync(own, JSON.stringify(readings({ voltage: 999, mystery: 1 })), { qos: 1 });
    const gone = closed(client);
    client.publish('lampyris/v1/devices/999/readings', '{}', { qos: 1 });
    await gone;
    await expect.poll(async () => (await events()).at(-1)?.[0]).toBe('disconnected');
    expect(await events()).toEqual([
      ['denied', 'wrongPassword', null],
      ['denied', 'wrongPassword', null],
      ['denied', 'wrongClientId', 'my-lamp'],
      ['denied', 'wrongUsername', 'admin'],
      ['connected', null, null],
      ['subscribed', null, `lampyris/v1/devices/${lamp}/commands`],
      ['subscriptionRefused', 'foreignTopic', '#'],
      ['messageRefused', 'schema', expect.stringContaining('sentAt')],
      ['messageRefused', 'unknownValue', 'mystery'],
      ['messageRefused', 'implausibleValue', 'voltage=999'],
      ['publishRefused', 'foreignTopic', 'lampyris/v1/devices/999/readings'],
      ['disconnected', null, null],
    ]);
    expect(name).toBe(`lampyris-${lamp}`);
  });
});
