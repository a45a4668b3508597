import { once } from 'node:events';
import { connect as connectTcp } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import mqtt, { type MqttClient } from 'mqtt';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { createLog } from '../log.ts';
import { StartError } from '../start-error.ts';
import type { Broker, BrokerMessage, TopicRights } from './broker.ts';
import { startEmbeddedBroker, type EmbeddedBroker } from './embedded.ts';
import { startExternalBroker } from './external.ts';
import { freePort } from '../../../../e2e/fixtures/free-port.ts';
import { mosquittoIsThere, startMosquitto, type Mosquitto } from '../../../../e2e/fixtures/mosquitto.ts';
import { holdAlone } from '../../testing/alone.ts';
import { selfSigned } from '../../testing/certificate.ts';
import type { LinkEvent } from './visitors.ts';

const log = createLog('silent');
const slots = { count: 1, retired: [], hold: holdAlone };
const rightsOf = (id: number): TopicRights => ({
  publish: [`t/v1/d/${id}/readings`, `t/v1/d/${id}/status`, `t/v1/d/${id}/children/+/readings`],
  subscribe: [`t/v1/d/${id}/commands`, `t/v1/d/${id}/children/+/commands`],
});
const account = (id: number) => ({
  clientId: `dev-${id}`,
  username: `dev-${id}`,
  password: `secret-${id}`,
  rights: rightsOf(id),
});

/** Messages in the order they came; `take()` waits for the next one. */
function inbox<T>() {
  const kept: T[] = [];
  const waiting: ((item: T) => void)[] = [];
  return {
    put: (item: T) => {
      const next = waiting.shift();
      if (next) next(item);
      else kept.push(item);
    },
    take: () =>
      new Promise<T>((resolve) => {
        const item = kept.shift();
        if (item === undefined) waiting.push(resolve);
        else resolve(item);
      }),
    kept,
  };
}

const open: MqttClient[] = [];
/** `prepare` sees the client before anything can have come. */
async function device(
  url: string,
  id: number,
  options: mqtt.IClientOptions = {},
  prepare: (client: MqttClient) => unknown = () => undefined,
): Promise<MqttClient> {
  const client = mqtt.connect(url, {
    clientId: `dev-${id}`,
    username: `dev-${id}`,
    password: `secret-${id}`,
    reconnectPeriod: 0,
    ...options,
  });
  open.push(client);
  prepare(client);
  client.on('error', () => undefined);
  await new Promise<void>((resolve, reject) => {
    client.once('connect', () => resolve());
    client.once('error', reject);
    client.once('close', () => reject(new Error('closed')));
  });
  return client;
}
const granted = async (client: MqttClient, topic: string) =>
  (await client.subscribeAsync(topic, { qos: 1 }).catch(() => [{ qos: 128 }]))[0]?.qos;
const closed = (client: MqttClient) => new Promise<void>((resolve) => client.once('close', () => resolve()));

afterEach(async () => {
  await Promise.all(open.splice(0).map((client) => client.endAsync(true).catch(() => undefined)));
});

describe('the embedded broker', () => {
  let broker: EmbeddedBroker;
  let url: string;
  const messages = inbox<BrokerMessage>();
  let hold: Promise<void> | undefined;
  beforeAll(async () => {
    broker = await startEmbeddedBroker({
      host: '127.0.0.1',
      port: 0,
      tlsPort: 0,
      tls: selfSigned(),
      log,
      limits: { connectBytes: 4096, waitingOfAddress: 20 },
      authenticate: async ({ username, password, clientId }) => {
        const id = Number(username.slice(4));
        return username === clientId && password.toString() === `secret-${id}` ? rightsOf(id) : null;
      },
    });
    url = `mqtt://127.0.0.1:${broker.port}`;
    broker.onMessage(async (message) => {
      messages.put(message);
      if (message.payload.toString() === 'too much') message.slow?.(10_000);
      await hold;
    });
  });
  afterAll(() => broker.stop());

  it('lets a device in with its own name, secret and client id only', async () => {
    await expect(device(url, 1)).resolves.toBeDefined();
    await expect(device(url, 1, { password: 'wrong' })).rejects.toThrow(/Bad user ?name or password/i);
    await expect(device(url, 1, { clientId: 'dev-2' })).rejects.toThrow();
    await expect(device(url, 1, { username: 'dev-2' })).rejects.toThrow();
    await expect(device(url, 1, { password: undefined as never })).rejects.toThrow();
  });

  it('counts connections from their first byte on, also those whose TLS never begins; devices come in beside them', async () => {
    const sockets = Array.from({ length: 30 }, () =>
      connectTcp(broker.tlsPort ?? 0, '127.0.0.1')
        .on('error', () => undefined)
        .resume(),
    );
    const ends = sockets.map((socket) => once(socket, 'close'));
    await Promise.all(ends.slice(0, 10));
    expect(sockets.filter((socket) => !socket.destroyed)).toHaveLength(20);
    const client = await device(`mqtts://127.0.0.1:${broker.tlsPort}`, 6, { rejectUnauthorized: false });
    await client.publishAsync('t/v1/d/6/readings', 'x', { qos: 1 });
    expect(await messages.take()).toMatchObject({ username: 'dev-6' });
    sockets.forEach((socket) => socket.destroy());
    await Promise.all(ends);
    expect(client.connected).toBe(true);
  });

  it('answers the keep-alive of a device that says too much, in time', async () => {
    const client = await device(url, 7, { keepalive: 1 });
    const answered = new Promise<string>((resolve) => {
      client.on('packetreceive', ({ cmd }) => {
        if (cmd === 'pingresp') resolve(cmd);
      });
      client.once('close', () => resolve('closed'));
    });
    await client.publishAsync('t/v1/d/7/readings', 'too much', { qos: 1 });
    expect(await messages.take()).toMatchObject({ username: 'dev-7' });
    client.sendPing();
    expect(await answered).toBe('pingresp');
  });

  it('answers every subscription beyond a device’s own topics with a refusal', async () => {
    const client = await device(url, 3);
    for (const topic of ['t/v1/d/3/commands', 't/v1/d/3/children/+/commands', 't/v1/d/3/children/9/commands'])
      expect(await granted(client, topic)).toBe(1);
    for (const topic of [
      '#',
      't/#',
      't/v1/d/+/commands',
      't/v1/d/4/commands',
      '$SYS/#',
      '$SYS/broker/uptime',
      't/v1/d/3/readings',
    ])
      expect(await granted(client, topic)).toBe(128);
  });

  it('acknowledges after the handler has finished, not before', async () => {
    const client = await device(url, 5);
    let release = () => undefined as void;
    hold = new Promise((resolve) => {
      release = resolve;
    });
    let acknowledged = false;
    const published = client.publishAsync('t/v1/d/5/readings', 'x', { qos: 1 }).then(() => {
      acknowledged = true;
    });
    expect(await messages.take()).toMatchObject({ topic: 't/v1/d/5/readings', username: 'dev-5' });
    await client.subscribeAsync('t/v1/d/5/commands', { qos: 1 });
    expect(acknowledged).toBe(false);
    release();
    await published;
    hold = undefined;
  });

  it('ends the connection of a device that publishes for another one, and hears nothing of it', async () => {
    const before = messages.kept.length;
    const victim = await device(url, 6);
    const heard = inbox<string>();
    victim.on('message', (topic) => heard.put(topic));
    await victim.subscribeAsync('t/v1/d/6/commands', { qos: 1 });
    const client = await device(url, 7);
    const gone = closed(client);
    client.publish('t/v1/d/6/commands', 'off', { qos: 1 });
    await gone;
    await broker.publish('t/v1/d/6/commands', 'real');
    expect(await heard.take()).toBe('t/v1/d/6/commands');
    expect(heard.kept).toHaveLength(0);
    expect(messages.kept).toHaveLength(before);
    expect(broker.stats().refused['foreignTopic']).toBe(1);
  });

  it('delivers commands, and retained settings to a device that comes later', async () => {
    await broker.publish('t/v1/d/8/commands', 'settings', { retain: true });
    const client = await device(url, 8);
    const heard = inbox<string>();
    client.on('message', (_topic, payload) => heard.put(payload.toString()));
    await client.subscribeAsync('t/v1/d/8/commands', { qos: 1 });
    expect(await heard.take()).toBe('settings');
    await broker.publish('t/v1/d/8/commands', 'on');
    expect(await heard.take()).toBe('on');
  });

  it('keeps what is sent to a device that is away, but not past its expiry', async () => {
    const before = await device(url, 18, { clean: false });
    await before.subscribeAsync('t/v1/d/18/commands', { qos: 1 });
    await before.endAsync();
    await broker.publish('t/v1/d/18/commands', 'expired', { expirySeconds: 0 });
    await broker.publish('t/v1/d/18/commands', 'worth something', { expirySeconds: 60 });
    await broker.publish('t/v1/d/18/commands', 'for ever');
    const heard = inbox<string>();
    const back = await device(url, 18, { clean: false }, (client) =>
      client.on('message', (_topic, payload) => heard.put(payload.toString())),
    );
    expect([await heard.take(), await heard.take()]).toEqual(['worth something', 'for ever']);
    await back.endAsync();
  });

  it('hands over the last will of a device whose connection breaks, unless it is for another one', async () => {
    const client = await device(url, 9, {
      will: { topic: 't/v1/d/9/status', payload: Buffer.from('gone'), qos: 1, retain: true },
    });
    client.stream.destroy();
    const will = await messages.take();
    expect([will.topic, will.payload.toString()]).toEqual(['t/v1/d/9/status', 'gone']);
    await expect(
      device(url, 9, { will: { topic: 't/v1/d/1/status', payload: Buffer.from('gone'), qos: 1, retain: true } }),
    ).rejects.toThrow();
  });

  it('gives a client id to its newest connection', async () => {
    const first = await device(url, 10);
    const gone = closed(first);
    const second = await device(url, 10);
    await gone;
    await expect(second.publishAsync('t/v1/d/10/readings', 'x', { qos: 1 })).resolves.toBeDefined();
    await messages.take();
  });

  it('ends the connections of an account that is taken away', async () => {
    const client = await device(url, 11);
    const gone = closed(client);
    await broker.revoke(['dev-11']);
    await gone;
  });

  it('refuses a packet that announces more than it may hold, before it is there', async () => {
    const client = await device(url, 12);
    const gone = closed(client);
    client.publish('t/v1/d/12/readings', Buffer.alloc(1_100_000), { qos: 1 });
    await gone;
    const stranger = connectTcp(broker.port, '127.0.0.1');
    stranger.write(Buffer.from([0x10, 0xff, 0xff, 0xff, 0x7f]));
    await once(stranger, 'close');
    expect(broker.stats().refused['packetTooLarge']).toBe(2);
  });

  it('says in one line that its port is taken', async () => {
    const start = startEmbeddedBroker({
      host: '127.0.0.1',
      port: broker.port,
      tlsPort: null,
      tls: null,
      log,
      authenticate: async () => null,
    });
    await expect(start).rejects.toThrow(StartError);
    await expect(start).rejects.toThrow(new RegExp(`^MQTT_PORT=${broker.port}: .*taken`));
  });
});

describe.skipIf(!mosquittoIsThere)('a Mosquitto with its dynamic-security plugin', () => {
  const started: Mosquitto[] = [];
  let port = 0;
  let broker: Broker & { provisioned: boolean };
  const messages = inbox<BrokerMessage>();
  let hold: Promise<void> | undefined;
  const url = () => `mqtt://127.0.0.1:${port}`;
  /** Devices that go away before the tests and come back after them: with a kept session of either protocol. */
  const [away, sessions] = [
    [18, 19],
    [{ clean: false }, { clean: false, protocolVersion: 5, properties: { sessionExpiryInterval: 3600 } }] as const,
  ];
  let leftAt = 0;
  beforeAll(async () => {
    const mosquitto = await startMosquitto();
    started.push(mosquitto);
    port = mosquitto.port;
    broker = await startExternalBroker({
      url: `mqtt://lampyris:geheim@127.0.0.1:${port}`,
      filters: ['t/v1/d/+/readings', 't/v1/d/+/status'],
      prefix: 't/v1',
      slots,
      log,
    });
    broker.onMessage(async (message) => {
      messages.put(message);
      if (message.payload.toString() === 'too much') message.slow?.(10_000);
      await hold;
    });
    await vi.waitFor(() => expect(broker.problem()).toBeNull(), { timeout: 10_000 });
    await broker.grant(away.map((id) => account(id)));
    for (const [index, id] of away.entries()) {
      const client = await device(url(), id, sessions[index]);
      await client.subscribeAsync(`t/v1/d/${id}/commands`, { qos: 1 });
      await client.endAsync();
      for (const [text, expirySeconds] of [
        ['at once', 0.4],
        ['soon', 1.9],
        ['worth something', 600],
      ] as const)
        await broker.publish(`t/v1/d/${id}/commands`, text, { expirySeconds });
      await broker.publish(`t/v1/d/${id}/commands`, 'for ever');
    }
    leftAt = performance.now();
  });
  afterAll(async () => {
    await broker.stop();
    for (const mosquitto of started) await mosquitto.stop();
  });

  it('gets the accounts and rights of devices from us', async () => {
    expect(broker.provisioned).toBe(true);
    await expect(device(url(), 1)).rejects.toThrow();
    await broker.grant([account(1), account(2)]);
    const client = await device(url(), 1, { protocolVersion: 5 });
    await device(url(), 2);
    expect(await granted(client, 't/v1/d/1/commands')).toBe(1);
    expect(await granted(client, 't/v1/d/1/children/+/commands')).toBe(1);
    for (const topic of [
      '#',
      't/#',
      't/v1/d/2/commands',
      't/v1/d/+/commands',
      '$SYS/#',
      '$CONTROL/#',
      't/v1/internal/x',
    ])
      expect(await granted(client, topic), topic).toBeGreaterThanOrEqual(128);
    await expect(device(url(), 1, { clientId: 'dev-2' })).rejects.toThrow();
  });

  it('carries readings up and commands down, and keeps foreign ones out', async () => {
    await broker.grant([account(3)]);
    const client = await device(url(), 3, { protocolVersion: 5 });
    const heard = inbox<string>();
    client.on('message', (_topic, payload) => heard.put(payload.toString()));
    await client.subscribeAsync('t/v1/d/3/commands', { qos: 1 });
    await broker.publish('t/v1/d/3/commands', 'on');
    expect(await heard.take()).toBe('on');
    await client.publishAsync('t/v1/d/3/readings', 'own', { qos: 1 });
    await expect(client.publishAsync('t/v1/d/4/readings', 'foreign', { qos: 1 })).rejects.toThrow();
    const own = await messages.take();
    expect([own.topic, own.payload.toString()]).toEqual(['t/v1/d/3/readings', 'own']);
    expect(messages.kept).toHaveLength(0);
  });

  it('brings again what we did not acknowledge', async () => {
    await broker.grant([account(5)]);
    const client = await device(url(), 5);
    hold = Promise.reject(new Error('the database is away'));
    hold.catch(() => undefined);
    await client.publishAsync('t/v1/d/5/readings', 'keep me', { qos: 1 });
    expect((await messages.take()).payload.toString()).toBe('keep me');
    hold = undefined;
    expect((await messages.take()).payload.toString()).toBe('keep me');
    await expect.poll(() => broker.problem(), { timeout: 10_000 }).toBeNull();
  });

  it('lets several clients use one account where that is meant, and ends them all with it', async () => {
    await broker.grant([{ ...account(7), clientId: null }]);
    const gone = Promise.all([
      closed(await device(url(), 7, { clientId: 'SN-1' })),
      closed(await device(url(), 7, { clientId: 'SN-2' })),
    ]);
    await broker.revoke(['dev-7']);
    await gone;
  });

  it('ends connections when an account is granted anew or taken away', async () => {
    await broker.grant([account(6)]);
    const older = closed(await device(url(), 6));
    await broker.grant([{ ...account(6), password: 'fresh' }]);
    await older;
    await expect(device(url(), 6)).rejects.toThrow();
    const newer = closed(await device(url(), 6, { password: 'fresh' }));
    await broker.revoke(['dev-6']);
    await newer;
    await expect(device(url(), 6, { password: 'fresh' })).rejects.toThrow();
  });

  it('says how many clients it has', async () => {
    await expect.poll(() => broker.stats().connections, { timeout: 10_000 }).toBeGreaterThanOrEqual(2);
  });

  it('says in one line that the password is wrong, or that nobody is there', async () => {
    await expect(
      startExternalBroker({ url: `mqtt://lampyris:wrong@127.0.0.1:${port}`, filters: [], prefix: 't/v1', slots, log }),
    ).rejects.toThrow(/^MQTT_URL: 127\.0\.0\.1:\d+: .*refuses user "lampyris"/);
    const nobody = await freePort();
    await expect(
      startExternalBroker({
        url: `mqtt://127.0.0.1:${nobody}`,
        filters: [],
        prefix: 't/v1',
        slots,
        log,
        patienceMs: 100,
      }),
    ).rejects.toThrow(/could not be reached/);
  });

  it('is used as it is when it cannot be provisioned', async () => {
    const open = await startMosquitto({ open: true });
    started.push(open);
    const plain = open.port;
    const other = await startExternalBroker({
      url: `mqtt://127.0.0.1:${plain}`,
      filters: ['t/v1/d/+/readings'],
      prefix: 't/v1',
      slots,
      log,
    });
    expect(other.provisioned).toBe(false);
    const got = inbox<BrokerMessage>();
    other.onMessage(async (message) => got.put(message));
    await expect.poll(() => other.problem(), { timeout: 10_000 }).toBeNull();
    await other.grant([account(1)]);
    const client = await device(`mqtt://127.0.0.1:${plain}`, 1);
    await client.publishAsync('t/v1/d/1/readings', 'hello', { qos: 1 });
    expect((await got.take()).payload.toString()).toBe('hello');
    await other.stop();
  });

  it('is reached again after it was away', async () => {
    const wanderer = await freePort();
    const first = await startMosquitto({ open: true, port: wanderer });
    const other = await startExternalBroker({
      url: `mqtt://127.0.0.1:${wanderer}`,
      filters: ['t/v1/d/+/readings'],
      prefix: 't/v1',
      slots,
      log,
    });
    other.onMessage(async () => undefined);
    await expect.poll(() => other.problem(), { timeout: 10_000 }).toBeNull();
    await first.stop();
    await expect.poll(() => other.problem(), { timeout: 10_000 }).toMatch(/cannot be reached/);
    await expect(other.publish('t/v1/d/1/commands', 'x')).rejects.toThrow();
    started.push(await startMosquitto({ open: true, port: wanderer }));
    await expect.poll(() => other.problem(), { timeout: 10_000 }).toBeNull();
    await other.publish('t/v1/d/1/commands', 'x');
    await other.stop();
  });

  it('keeps what is sent to a device that is away, but not past its expiry', async () => {
    // Its clock has whole seconds; the tests before this one took most of them.
    await sleep(Math.max(0, 3000 - (performance.now() - leftAt)));
    for (const [index, id] of away.entries()) {
      const heard = inbox<string>();
      const back = await device(url(), id, sessions[index], (client) =>
        client.on('message', (_topic, payload) => heard.put(payload.toString())),
      );
      expect([await heard.take(), await heard.take()]).toEqual(['worth something', 'for ever']);
      await back.endAsync();
    }
  });
});

it('the embedded broker tells why a connection ended', async () => {
  const events = inbox<LinkEvent>();
  const broker = await startEmbeddedBroker({
    host: '127.0.0.1',
    port: 0,
    tlsPort: null,
    tls: null,
    log,
    witness: events.put,
    authenticate: async ({ username }) => rightsOf(Number(username.slice(4))),
  });
  const url = `mqtt://127.0.0.1:${broker.port}`;
  const told = async () => {
    const { kind, reason, before } = await events.take();
    return [kind, reason, before];
  };
  try {
    const polite = await device(url, 1);
    expect(await told()).toEqual(['connected', undefined, undefined]);
    await polite.endAsync();
    expect(await told()).toEqual(['disconnected', 'signedOff', undefined]);
    const lost = await device(url, 1);
    await told();
    lost.stream.destroy();
    expect(await told()).toEqual(['disconnected', 'network', undefined]);
    await device(url, 1);
    await told();
    await broker.revoke(['dev-1']);
    expect(await told()).toEqual(['disconnected', 'revoked', undefined]);
    const strayed = await device(url, 1);
    await told();
    strayed.publish('t/v1/d/2/readings', '{}', { qos: 1 });
    expect([await told(), await told()]).toEqual([
      ['publishRefused', 'foreignTopic', undefined],
      ['disconnected', 'foreignTopic', undefined],
    ]);
    await device(url, 1);
    await told();
    await device(url, 1);
    expect([await told(), await told()]).toEqual([
      ['takenOver', undefined, '127.0.0.1'],
      ['connected', undefined, undefined],
    ]);
    expect(await told(), 'the line of the device is up').toEqual(['disconnected', 'takenOver', undefined]);
  } finally {
    await broker.stop();
  }
});
