import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { defaultTable } from '../../../../catalogue/lighting/plan/table.ts';
import { readSettings } from '../../../../protocols/mqtt-json/codec.ts';
import { topicOf } from '../../../../protocols/mqtt-json/topics.ts';
import { createDeviceAccess, linkBy } from '../link/index.ts';
import { startBus } from '../../platform/bus/index.ts';
import { createLog } from '../../platform/log.ts';
import { startEmbeddedBroker, type EmbeddedBroker } from '../../platform/mqtt/index.ts';
import { testClock } from '../../testing/clock.ts';
import { testDatabase } from '../../testing/database.ts';
import { connectDevice, givenArea, givenCredentials, givenDevice, listen } from '../../testing/devices.ts';
import { createDeviceSettings, type DeviceSettings } from './index.ts';

const database = await testDatabase();
const { db, pool } = database;
const log = createLog('silent');
const clock = testClock();
const bus = await startBus(database.connection, log);
let broker: EmbeddedBroker;
let settings: DeviceSettings;
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
  settings = createDeviceSettings({ db, clock, bus, link: linkBy(broker), log });
});
afterAll(async () => {
  await broker.stop();
  await bus.stop();
});
const ear = async (deviceId: number) => {
  const client = await connectDevice(`mqtt://127.0.0.1:${broker.port}`, deviceId, await givenCredentials(db, deviceId));
  const heard = listen(client);
  return { client, heard };
};

it('gives a device its place, its table and its periods whenever it connects', async () => {
  const lamp = await givenDevice(db);
  const { client, heard } = await ear(lamp);
  await settings.publish();
  await client.subscribeAsync(topicOf({ kind: 'settings', deviceId: lamp, viaId: null }), { qos: 1 });
  const { message } = await heard.take();
  expect(readSettings(Buffer.from(JSON.stringify(message)))).toBeDefined();
  expect(message).toMatchObject({
    timeZone: 'Asia/Shanghai',
    latitude: 30.25,
    longitude: 120.2,
    sunOffsetMinutes: 0,
    table: defaultTable,
    reportSeconds: { lit: 900, unlit: 3600 },
  });
});

it('tells a controller’s lamps through it, and says a change with a new version', async () => {
  const controller = await givenDevice(db, { family: 'central-controller' });
  const lamp = await givenDevice(db, { parentId: controller });
  const { client, heard } = await ear(controller);
  await settings.publish([controller]);
  await client.subscribeAsync(topicOf({ kind: 'settings', deviceId: lamp, viaId: controller }), { qos: 1 });
  const before = (await heard.take()).message;
  await sql`UPDATE work_area SET sun_offset_minutes = 90 WHERE id = 1`.execute(db);
  await settings.publish();
  const after = (await heard.take()).message;
  expect(after).toMatchObject({ sunOffsetMinutes: 90 });
  expect(after['version']).not.toBe(before['version']);
  await settings.publish();
  expect(heard.kept).toHaveLength(0);
});

it('publishes by itself when credentials are issued and when the area’s settings change', async () => {
  const stop = settings.start();
  const lamp = await givenDevice(db);
  const { client, heard } = await ear(lamp);
  await client.subscribeAsync(topicOf({ kind: 'settings', deviceId: lamp, viaId: null }), { qos: 1 });
  bus.publish('credentials.changed', { ids: [lamp] });
  expect((await heard.take()).message).toMatchObject({ sunOffsetMinutes: 90 });
  await sql`UPDATE work_area SET sun_offset_minutes = 0 WHERE id = 1`.execute(db);
  bus.publish('settings.changed', { workAreaId: 1 });
  expect((await heard.take()).message).toMatchObject({ sunOffsetMinutes: 0 });
  await sql`DELETE FROM device WHERE id = ${lamp}`.execute(db);
  bus.publish('credentials.changed', { ids: [lamp] });
  expect((await heard.take()).message).toBeNull();
  stop();
});

it('reads plans of a few batches at once, and leaves connections of the pool to others', async () => {
  const controller = await givenDevice(db, { family: 'central-controller' });
  await givenCredentials(db, controller);
  await sql`INSERT INTO device (family, work_area_id, equipment_code, parent_id)
    SELECT 'single-lamp-controller', 1, 'AHEAD-' || i, ${controller} FROM generate_series(1, 5500) i`.execute(db);
  let [reading, most, read] = [0, 0, 0];
  const plans = {
    async of(ids: readonly number[]) {
      reading += 1;
      most = Math.max(most, reading);
      // The next ones are asked for while nothing is told yet; one more would be by then.
      if (read === 0) await expect.poll(() => most, { timeout: 20_000 }).toBeGreaterThanOrEqual(3);
      // Nothing is being read: nobody is about to ask for one more.
      await expect.poll(() => pool.totalCount - pool.idleCount + pool.waitingCount, { timeout: 20_000 }).toBe(0);
      reading -= 1;
      read += ids.length;
      return new Map();
    },
    tableLamps: () => Promise.resolve([]),
    refusedSize: () => Promise.resolve(),
  };
  const own = createDeviceSettings({ db, clock, bus, link: linkBy(broker), plans, log });
  await own.publish();
  expect(own.counts.published).toBeGreaterThan(5500);
  expect([read, most]).toEqual([own.counts.published, 3]);
});
