import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { encode, timeText } from '../../../protocols/mqtt-json/codec.ts';
import { readingsOut, statusOut } from '../../../protocols/mqtt-json/device.ts';
import { topicOf } from '../../../protocols/mqtt-json/topics.ts';
import { createProofs } from '../light/commands/index.ts';
import { startBus } from '../platform/bus/index.ts';
import { createLog } from '../platform/log.ts';
import { startEmbeddedBroker, type EmbeddedBroker } from '../platform/mqtt/index.ts';
import { createDeviceAccess } from '../wires/link/index.ts';
import { testClock } from '../testing/clock.ts';
import { testDatabase } from '../testing/database.ts';
import { connectDevice, givenArea, givenCredentials, givenDevice } from '../testing/devices.ts';
import { createIngest } from './index.ts';

const database = await testDatabase();
const { db } = database;
const log = createLog('silent');
const start = Date.parse('2026-11-21T12:00:00Z');
const clock = testClock(new Date(start));
const bus = await startBus(database.connection, log);
const reported: number[] = [];
const ingest = createIngest({
  db,
  bus,
  clock,
  log,
  proofs: createProofs({ bus }),
  stored: () => undefined,
  plansReported: (ids) => reported.push(...ids),
});
let broker: EmbeddedBroker;

beforeAll(async () => {
  await givenArea(db);
  broker = await startEmbeddedBroker({
    host: '127.0.0.1',
    port: 0,
    tlsPort: null,
    tls: null,
    log,
    authenticate: createDeviceAccess({ db }),
  });
  await ingest.start(broker);
});
afterAll(async () => {
  await ingest.stop();
  await broker.stop();
  await bus.stop();
});

const [first, second] = ['9f3c21a0b7de', '0123456789ab'];
const able = { plan: { periods: 6, calendar: true, light: false, cycle: true } };
/** The row and its version: another one was written when `xmin` is another. */
const rowOf = async (deviceId: number) =>
  (
    await sql<{
      plan_hash: string | null;
      capabilities: unknown;
      clock_at: Date | null;
      reported_at: Date;
      xmin: string;
    }>`SELECT plan_hash, capabilities, clock_at, reported_at, xmin::text FROM plan_report
      WHERE device_id = ${deviceId}`.execute(db)
  ).rows[0];
const connected = async (deviceId: number) =>
  await connectDevice(`mqtt://127.0.0.1:${broker.port}`, deviceId, await givenCredentials(db, deviceId));
const reading = () => ({ at: clock.now().getTime(), values: { level: 60, power: 57.5, relay: true } });
const later = (ms: number) => clock.set(new Date(clock.now().getTime() + ms));

it('keeps what a device says that it runs and can, and writes it again only when it is another', async () => {
  const lamp = await givenDevice(db);
  const client = await connected(lamp);
  const say = async (planHash: string | null, minutes = 1) => {
    later(minutes * 60_000);
    const now = clock.now().getTime();
    for (const out of readingsOut({ deviceId: lamp, viaId: null }, now, [reading()], { planHash }))
      await client.publishAsync(out.topic, out.payload, { qos: 1 });
  };
  const status = statusOut(lamp, clock.now().getTime(), 'sim', 3, {
    planHash: first,
    capabilities: able,
    clockAt: start - 5000,
  });
  await client.publishAsync(status.topic, status.payload, { qos: 1, retain: true });
  const written = await rowOf(lamp);
  expect(written).toMatchObject({
    plan_hash: first,
    capabilities: able,
    clock_at: new Date(start - 5000),
    reported_at: clock.now(),
  });
  await expect.poll(() => reported, { timeout: 10_000 }).toContain(lamp);
  reported.length = 0;

  await say(first);
  await say(first);
  // Forgotten meanwhile: looked at once more, and nothing is another.
  await say(first, 40);
  expect(await rowOf(lamp)).toEqual(written);

  await say(second);
  const renewed = await rowOf(lamp);
  expect(renewed).toMatchObject({ plan_hash: second, capabilities: able, reported_at: clock.now() });
  expect(renewed?.xmin).not.toBe(written?.xmin);
  // What changes twice within the moment of one announcement is announced once.
  await expect.poll(() => reported, { timeout: 10_000 }).toEqual([lamp]);
  await say(null);
  expect(await rowOf(lamp)).toMatchObject({ plan_hash: null, capabilities: able, clock_at: new Date(start - 5000) });
  await expect.poll(() => reported, { timeout: 10_000 }).toEqual([lamp, lamp]);
});

it('hears it of a lamp behind a controller, and of no other lamp through it', async () => {
  const controller = await givenDevice(db, { family: 'central-controller' });
  const [lamp, foreign] = [await givenDevice(db, { parentId: controller }), await givenDevice(db)];
  const client = await connected(controller);
  for (const deviceId of [lamp, foreign])
    for (const out of readingsOut({ deviceId, viaId: controller }, clock.now().getTime(), [reading()], {
      planHash: first,
      capabilities: able,
    }))
      await client.publishAsync(out.topic, out.payload, { qos: 1 });
  expect(await rowOf(lamp)).toMatchObject({ plan_hash: first, capabilities: able });
  expect(await rowOf(foreign)).toBeUndefined();
});

it('leaves what the server told a device, and writes nothing of devices that say nothing of plans', async () => {
  const [told, silent] = [await givenDevice(db), await givenDevice(db)];
  await sql`INSERT INTO plan_report (device_id, told_hash, told_at) VALUES (${told}, ${first}, ${clock.now()})`.execute(
    db,
  );
  const client = await connected(told);
  const now = clock.now().getTime();
  await client.publishAsync(
    topicOf({ kind: 'readings', deviceId: told, viaId: null }),
    encode({
      sentAt: timeText(now),
      planHash: first,
      readings: [{ at: timeText(now), values: { level: 60, power: 57.5, relay: true } }],
    }),
    { qos: 1 },
  );
  expect(await rowOf(told)).toMatchObject({ plan_hash: first, reported_at: clock.now() });
  const { rows } = await sql`SELECT told_hash FROM plan_report WHERE device_id = ${told}`.execute(db);
  expect(rows).toEqual([{ told_hash: first }]);
  const quiet = await connected(silent);
  for (const out of readingsOut({ deviceId: silent, viaId: null }, now, [reading()]))
    await quiet.publishAsync(out.topic, out.payload, { qos: 1 });
  expect(await rowOf(silent)).toBeUndefined();
});
