import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Broker, BrokerMessage } from './broker.ts';
import { startExternalBroker } from './external.ts';
import { freePort } from '../../../../e2e/fixtures/free-port.ts';
import { mosquittoIsThere, startMosquitto, type Mosquitto } from '../../../../e2e/fixtures/mosquitto.ts';
import { brokerClients } from './testing/clients.ts';

const { log, slots, account, inbox, device, granted, closed } = brokerClients();

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
