import { expect, test } from 'vitest';
import { mosquittoIsThere, startMosquitto } from '../../e2e/fixtures/mosquitto.ts';
import { batchUsername } from '../../protocols/mqtt-json/newcomers.ts';
import { clientIdOf, deviceRights } from '../../protocols/mqtt-json/topics.ts';
import { createLog } from './platform/log.ts';
import { startExternalBroker } from './platform/mqtt/index.ts';
import { claimBroker, takeAwayLeft } from './start-broker.ts';
import { holdAlone } from './testing/alone.ts';
import { testClock } from './testing/clock.ts';
import { testDatabase } from './testing/database.ts';

const database = await testDatabase();
const { db } = database;
const log = createLog('silent');

test('several processes share a database on a broker of the site only', async () => {
  const claim = (databaseUrl: string | null, mqttUrl: string | null) =>
    claimBroker({ config: { databaseUrl, mqttUrl }, log, database, patienceMs: 0 });
  const alone = await claim(database.url, null);
  await expect(claim(database.url, null)).rejects.toThrow(
    /^Another process \(.+\) works on this database: .* Set MQTT_URL in all of them\.$/,
  );
  await expect(claim(database.url, 'mqtt://site')).rejects.toThrow(
    /has the MQTT broker of the program: set MQTT_URL there too/,
  );
  await alone();
  const shared = [await claim(database.url, 'mqtt://site'), await claim(database.url, 'mqtt://site')];
  await expect(claim(database.url, null)).rejects.toThrow(/Set MQTT_URL/);
  await Promise.all(shared.map((stop) => stop()));
  // The embedded database has one process anyway.
  await (
    await claim(null, null)
  )();
});

test.skipIf(!mosquittoIsThere)(
  'accounts that nobody may use any more are taken away from a shared broker',
  async () => {
    const mosquitto = await startMosquitto();
    const broker = await startExternalBroker({
      url: mosquitto.url,
      filters: [],
      prefix: 'lampyris/v1',
      slots: { count: 0, retired: [], hold: holdAlone },
      log,
    });
    try {
      await db.insertInto('work_area').values({ id: 9, work_code: 'B', work_name: 'B' }).execute();
      const { id } = await db
        .insertInto('device')
        .values({ family: 'single-lamp-controller', work_area_id: 9, equipment_code: 'B-1' })
        .returning('id')
        .executeTakeFirstOrThrow();
      const { id: moved } = await db
        .insertInto('device')
        .values({ family: 'single-lamp-controller', work_area_id: 9, equipment_code: 'B-2' })
        .returning('id')
        .executeTakeFirstOrThrow();
      const [kept, gone] = [clientIdOf(id), clientIdOf(moved + 1)];
      await db
        .insertInto('device_credential')
        .values(
          [id, moved].map((one) => ({
            device_id: one,
            client_id: clientIdOf(one),
            username: clientIdOf(one),
            secret_hash: Buffer.alloc(32),
          })),
        )
        .execute();
      // It comes by a door of its own now: its former account at the broker is nobody's.
      await db.insertInto('device_address').values({ device_id: moved, wire: 'binary', address: 'B-2' }).execute();
      await broker.grant([
        ...[kept, gone, clientIdOf(moved)].map((name) => ({
          clientId: name,
          username: name,
          password: 'x',
          rights: deviceRights(id),
        })),
        { clientId: null, username: batchUsername(3), password: 'x', rights: deviceRights(id) },
      ]);
      expect(await broker.accounts()).toEqual(expect.arrayContaining(['lampyris', kept, gone, batchUsername(3)]));
      await takeAwayLeft({ broker, db, clock: testClock(), log });
      const left = await broker.accounts();
      expect(left).toEqual(expect.arrayContaining(['lampyris', kept]));
      expect(left).toHaveLength(2);
    } finally {
      await broker.stop();
      await mosquitto.stop();
    }
  },
);
