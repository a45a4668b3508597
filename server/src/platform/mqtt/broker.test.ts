import { once } from 'node:events';
import { connect as connectTcp } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { StartError } from '../start-error.ts';
import type { BrokerMessage } from './broker.ts';
import { startEmbeddedBroker, type EmbeddedBroker } from './embedded.ts';
import { selfSigned } from '../../testing/certificate.ts';
import type { LinkEvent } from './visitors.ts';
import { brokerClients } from './testing/clients.ts';

const { log, rightsOf, inbox, device, granted, closed } = brokerClients();

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
