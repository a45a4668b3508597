import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { exampleScheme } from '../../../../catalogue/lighting/plan/examples.ts';
import { topicOf } from '../../../../protocols/mqtt-json/topics.ts';
import { startBus } from '../../platform/bus/index.ts';
import { createLog } from '../../platform/log.ts';
import { startEmbeddedBroker, type EmbeddedBroker } from '../../platform/mqtt/index.ts';
import { testClock } from '../../testing/clock.ts';
import { testDatabase } from '../../testing/database.ts';
import { connectDevice, givenArea, givenCredentials, givenDevice, listen } from '../../testing/devices.ts';
import { createDeviceSettings } from '../../wires/device-settings/index.ts';
import { createDeviceAccess, linkBy } from '../../wires/link/index.ts';
import { assign, createLampPlans, createToldSettings } from './index.ts';

const database = await testDatabase();
const { db } = database;
const log = createLog('silent');
const clock = testClock(new Date('2026-11-25T12:00:00Z'));
const bus = await startBus(database.connection, log);
const plans = createLampPlans(bus);
let broker: EmbeddedBroker;
beforeAll(async () => {
  await givenArea(db);
  const authenticate = createDeviceAccess({ db });
  broker = await startEmbeddedBroker({ host: '127.0.0.1', port: 0, tlsPort: null, tls: null, log, authenticate });
});
afterAll(async () => {
  plans.stop();
  await broker.stop();
  await bus.stop();
});

async function lampWith(content: object): Promise<number> {
  const lamp = await givenDevice(db);
  const { rows } = await sql<{ id: number }>`
    WITH item AS (INSERT INTO scheme (code, name) VALUES (${`B-${lamp}`}, '方案') RETURNING id)
    INSERT INTO scheme_version (scheme_id, number, content, content_hash, created_by, created_at)
    SELECT id, 1, ${JSON.stringify(content)}::jsonb, 'h', 'test', now() FROM item RETURNING id`.execute(db);
  await db.transaction().execute((tx) =>
    assign(tx, {
      deviceIds: [lamp],
      schemeVersionIds: [rows[0]?.id ?? 0],
      templateVersionIds: [null],
      fromDay: '2026-11-25',
      publicationId: null,
      by: 'test',
      at: clock.now(),
    }),
  );
  return lamp;
}

it('a lamp whose plan cannot be made keeps the settings that it has, and all others get theirs', async () => {
  const [broken, sound] = [await lampWith({}), await lampWith(exampleScheme())];
  const told = createToldSettings(db, plans);
  const settings = createDeviceSettings({ db, clock, bus, link: linkBy(broker), plans: told, log });
  const hear = async (id: number) => {
    const client = await connectDevice(`mqtt://127.0.0.1:${broker.port}`, id, await givenCredentials(db, id));
    const heard = listen(client);
    await client.subscribeAsync(topicOf({ kind: 'settings', deviceId: id, viaId: null }), { qos: 1 });
    return heard;
  };
  const [silent, heard] = [await hear(broken), await hear(sound)];
  await settings.publish();
  expect((await heard.take()).message).toMatchObject({ plan: { scheme: `B-${sound}` } });
  expect(silent.kept).toEqual([]);
  const failures: unknown[] = [];
  const made = await told.of([broken, sound], clock.now().getTime(), (thrown) => failures.push(thrown));
  expect([made.get(broken), made.get(sound)?.plan?.scheme]).toEqual([null, `B-${sound}`]);
  expect(failures).toEqual([expect.any(TypeError)]);
  // Who does not hear of it gets the error.
  await expect(told.of([broken, sound], clock.now().getTime())).rejects.toThrow(TypeError);
});
