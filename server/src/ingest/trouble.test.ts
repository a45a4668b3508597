import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect as connectTcp } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { encode, timeText } from '../../../protocols/mqtt-json/codec.ts';
import { topicOf } from '../../../protocols/mqtt-json/topics.ts';
import { createProofs } from '../light/commands/index.ts';
import { createDevices } from '../register/devices/index.ts';
import {
  createBatches,
  createInbox,
  createJournal,
  createPending,
  provisioningRoutes,
} from '../wires/provisioning/index.ts';
import { openKeys } from '../platform/keys/index.ts';
import { startEmbeddedBroker, type EmbeddedBroker } from '../platform/mqtt/index.ts';
import { testApp } from '../testing/app.ts';
import { testClock } from '../testing/clock.ts';
import { connectDevice, givenArea, givenCredentials, givenDevice } from '../testing/devices.ts';
import { createDeviceAccess } from '../wires/link/index.ts';
import { createIngest, type Ingest } from './index.ts';

const clock = testClock(new Date('2026-11-21T12:00:00Z'));
const folder = mkdtempSync(join(tmpdir(), 'lampyris-trouble-'));
let broker: EmbeddedBroker;
let ingest: Ingest;
let checks = 0;
/** The check of guesses at these devices waits for it. */
const heldNames = /^lampyris-20\d{3}$/;
let held: Promise<void> | undefined;
const stops: (() => unknown)[] = [];
const app = await testApp({
  clock,
  logLevel: 'silent',
  routes: async ({ db, bus, log }) => {
    const keys = openKeys(join(folder, 'secret.key'));
    await givenArea(db);
    const journal = createJournal({ db, bus, clock, log });
    ingest = createIngest({
      db,
      bus,
      clock,
      log,
      proofs: createProofs({ bus }),
      stored: () => undefined,
      refused: journal.refused,
    });
    const access = createDeviceAccess({ db });
    broker = await startEmbeddedBroker({
      host: '127.0.0.1',
      port: 0,
      tlsPort: null,
      tls: null,
      log,
      limits: { waiting: 600, waitingOfAddress: 300 },
      witness: journal.witness,
      authenticate: async (who) => {
        checks += 1;
        if (heldNames.test(who.username)) await held;
        return access(who);
      },
    });
    stops.push(
      () => ingest.stop(),
      () => broker.stop(),
      await ingest.start(broker),
      journal.start(),
      () => journal.settled(),
    );
    const devices = createDevices({ db, bus, keys, clock, log });
    const pending = createPending({
      db,
      bus,
      clock,
      keys,
      log,
      provision: () => Promise.resolve(),
      grant: () => Promise.resolve(),
    });
    return provisioningRoutes(
      createBatches({ db, bus, clock, keys, pending }),
      createInbox({ db, bus, clock, keys, log, devices, pending, builtIn: true, replay: () => Promise.resolve() }),
    );
  },
});
const { db, call } = app;
afterAll(async () => {
  for (const stop of stops.toReversed()) await stop();
  rmSync(folder, { recursive: true, force: true });
});

const url = () => `mqtt://127.0.0.1:${broker.port}`;
const now = () => clock.now().getTime();
interface Line {
  events: { kind: string; reason: string | null; detail: string | null; times: number }[];
}
const line = async (id: number) =>
  (await call<Line>(`/api/v1/devices/${id}/link`)).body.events.map(({ kind, reason, detail, times }) => [
    kind,
    reason,
    detail,
    times,
  ]);
const own = (id: number, kind: 'readings' | 'commands') => topicOf({ kind, deviceId: id, viaId: null });
const closing = (client: { once(event: 'close', listener: () => void): unknown }) =>
  new Promise<void>((resolve) => client.once('close', resolve));
async function device(family = 'single-lamp-controller') {
  const id = await givenDevice(db, { family });
  const password = await givenCredentials(db, id);
  return { id, password, client: await connectDevice(url(), id, password) };
}
const reading = (level = 50, at = now()) =>
  encode({ sentAt: timeText(now()), readings: [{ at: timeText(at), values: { level } }] });
const stored = async (id: number) =>
  (
    await db
      .selectFrom('reading')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('device_id', '=', id)
      .executeTakeFirst()
  )?.count;

describe('what a device is refused stays with it, though nobody looked', () => {
  it('a message that is too large is acknowledged and dropped, up to 1 MiB, and the line goes on', async () => {
    const { id, client } = await device();
    for (const bytes of [500_000, 66_600, 1024 * 1024])
      await client.publishAsync(own(id, 'readings'), Buffer.alloc(bytes, 32), { qos: 1 });
    await client.publishAsync(own(id, 'readings'), reading(), { qos: 1 });
    expect([client.connected, await stored(id)]).toEqual([true, 1]);
    await expect
      .poll(() => line(id))
      .toEqual([1024 * 1024, 66_600, 500_000].map((bytes) => ['messageRefused', 'tooLarge', `${bytes} bytes`, 1]));
  });

  it('beyond 1 MiB the line ends, with the reason and the size', async () => {
    const { id, client } = await device();
    const gone = closing(client);
    client.publish(own(id, 'readings'), Buffer.alloc(1_100_000), { qos: 1 });
    await gone;
    await expect
      .poll(() => line(id))
      .toEqual([['publishRefused', 'packetTooLarge', expect.stringMatching(/^11000\d\d bytes$/), 1]]);
  });

  it('a lamp has no children: neither subscription nor publication below them, with the reason; a controller has', async () => {
    const lamp = await device();
    const below = `lampyris/v1/devices/${lamp.id}/children/+/commands`;
    await expect(lamp.client.subscribeAsync(below, { qos: 1 })).rejects.toThrow();
    const gone = closing(lamp.client);
    lamp.client.publish(topicOf({ kind: 'readings', deviceId: 5, viaId: lamp.id }), reading(), { qos: 1 });
    await gone;
    await expect
      .poll(() => line(lamp.id))
      .toEqual([
        ['publishRefused', 'foreignChild', topicOf({ kind: 'readings', deviceId: 5, viaId: lamp.id }), 1],
        ['subscriptionRefused', 'foreignChild', below, 1],
      ]);
    const controller = await device('central-controller');
    expect(
      await controller.client.subscribeAsync(`lampyris/v1/devices/${controller.id}/children/+/commands`, { qos: 1 }),
    ).toMatchObject([{ qos: 1 }]);
    await controller.client.publishAsync(
      topicOf({ kind: 'readings', deviceId: lamp.id, viaId: controller.id }),
      reading(),
      { qos: 1 },
    );
    await expect.poll(() => line(controller.id)).toEqual([['messageRefused', 'foreignChild', null, 1]]);
  });

  it('a foreign topic ends the line, and of many refusals the last 20 stay, the same one counted', async () => {
    const { id, client } = await device();
    for (let level = 101; level < 131; level += 1)
      await client.publishAsync(own(id, 'readings'), reading(level, now() - level), { qos: 1 });
    for (let count = 0; count < 30; count += 1) await client.publishAsync(own(id, 'readings'), '{', { qos: 1 });
    const gone = closing(client);
    client.publish('lampyris/v1/devices/1/readings', 'x', { qos: 1 });
    await gone;
    await expect.poll(() => line(id)).toHaveLength(20);
    const [last, before] = await line(id);
    expect(last).toEqual(['publishRefused', 'foreignTopic', 'lampyris/v1/devices/1/readings', 1]);
    expect(before).toEqual(['messageRefused', 'notJson', expect.anything(), 30]);
    await clock.advance(3_600_000 * 30);
    expect(await line(id)).toHaveLength(20);
  });
});

describe('whoever says more than its budget', () => {
  it('is read more slowly and named, loses nothing, and slows nobody else', async () => {
    const [loud, quiet] = [await device(), await device()];
    const messages = Array.from({ length: 41 }, (_, message) =>
      encode({
        sentAt: timeText(now()),
        readings: Array.from({ length: 500 }, (_unused, index) => ({
          at: timeText(now() - (message * 500 + index) * 1000),
          values: { level: 1 },
        })),
      }),
    );
    await Promise.all(
      messages.map((payload) => loud.client.publishAsync(own(loud.id, 'readings'), payload, { qos: 1 })),
    );
    expect(await stored(loud.id)).toBe(20_500);
    expect(ingest.stats()).toMatchObject({ slowed: [loud.id], refused: {} });
    expect(ingest.debtMs(loud.id)).toBeGreaterThan(0);
    await quiet.client.publishAsync(own(quiet.id, 'readings'), reading(), { qos: 1 });
    expect(await stored(quiet.id)).toBe(1);
  });

  it('is a controller for each of its children apart', async () => {
    const { id, client } = await device('central-controller');
    const children = [await givenDevice(db, { parentId: id }), await givenDevice(db, { parentId: id })];
    for (const child of children) {
      for (let message = 0; message < 21; message += 1) {
        await client.publishAsync(
          topicOf({ kind: 'readings', deviceId: child, viaId: id }),
          encode({
            sentAt: timeText(now()),
            readings: Array.from({ length: 500 }, (_, index) => ({
              at: timeText(now() - (message * 500 + index) * 1000),
              values: { level: 1 },
            })),
          }),
          { qos: 1 },
        );
      }
    }
    expect(ingest.stats().slowed).not.toContain(id);
  });
});

describe('strangers at the port', () => {
  it('that say nothing displace each other, and no device', async () => {
    const sockets = Array.from({ length: 380 }, () =>
      connectTcp(broker.port, '127.0.0.1').on('error', () => undefined),
    );
    const closed = sockets.map((socket) => once(socket, 'close'));
    sockets.forEach((socket) => socket.write(Buffer.from([0x10])));
    await Promise.all(closed.slice(0, 80));
    const { client } = await device();
    expect(client.connected).toBe(true);
    expect(broker.stats().refused['tooManyWaiting']).toBeGreaterThanOrEqual(80);
    sockets.forEach((socket) => socket.destroy());
  });

  it('that guess at one device after another wait in a line, some are not checked at all; a device beside them gets in at once, one that is guessed at in turn', async () => {
    const [known, guessed] = [await device(), await device()];
    await Promise.all([known.client.endAsync(true), guessed.client.endAsync(true)]);
    const guess = (id: number) => connectDevice(url(), id, 'wrong').catch(() => undefined);
    for (let round = 0; round < 16; round += 1)
      await Promise.all(Array.from({ length: 20 }, (_, index) => guess(10_000 + round * 20 + index)));
    for (let count = 0; count < 21; count += 1) await guess(guessed.id);
    const before = checks;
    const release = Promise.withResolvers<void>();
    held = release.promise;
    const flood = Array.from({ length: 260 }, (_, index) => guess(20_000 + index));
    // One is being checked, two hundred wait; the others are sent away.
    let away = 0;
    await new Promise<void>((resolve) => {
      for (const one of flood)
        void one.then(() => {
          if ((away += 1) === 59) resolve();
        });
    });
    const good = await connectDevice(url(), known.id, known.password);
    expect([good.connected, checks - before, broker.stats().refused['tooManyTries'], away]).toEqual([true, 2, 59, 59]);
    release.resolve();
    await Promise.all(flood);
    expect(checks - before).toBe(202);
    expect((await connectDevice(url(), guessed.id, guessed.password)).connected).toBe(true);
  });
});
