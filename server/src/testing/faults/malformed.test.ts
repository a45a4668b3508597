import mqtt from 'mqtt';
import { describe, expect, test } from 'vitest';
import { clientIdOf, deviceRights } from '../../../../protocols/mqtt-json/topics.ts';
import { createIngest } from '../../ingest/index.ts';
import { createProofs } from '../../light/commands/index.ts';
import { startBus } from '../../platform/bus/index.ts';
import { createLog } from '../../platform/log.ts';
import { startEmbeddedBroker } from '../../platform/mqtt/index.ts';
import { givenArea, givenDevice } from '../devices.ts';
import { testClock } from '../clock.ts';
import { testDatabase } from '../database.ts';
import { chance } from './kills.ts';
import { spoilers, talkNonsense } from './malformed.ts';

const { db, connection } = await testDatabase();
const log = createLog('silent');
const bus = await startBus(connection, log);
const clock = testClock(new Date('2026-11-21T12:00:00.000Z'));
const ingest = createIngest({ db, bus, clock, log, proofs: createProofs({ bus }), stored: () => undefined });
await givenArea(db);
const lamp = await givenDevice(db);

const count = 10_000;
const topic = `lampyris/v1/devices/${lamp}/readings`;
const sentAt = clock.now().toISOString();
const sound = (index: number) =>
  JSON.stringify({
    sentAt,
    readings: [{ at: new Date(clock.now().getTime() - index).toISOString(), values: { power: 50 } }],
  });

describe('ten thousand malformed messages among a thousand sound ones', () => {
  test('each is counted once with its reason, none is stored, the sound ones all are, and memory stays', async () => {
    const random = chance(20_261_121);
    const memory = process.memoryUsage().heapUsed;
    const taken: Promise<void>[] = [];
    for (let index = 0; index < count; index += 1) {
      const spoil = spoilers[index % spoilers.length] ?? (() => ({ payload: Buffer.alloc(0) }));
      taken.push(ingest.take({ topic, username: null, ...spoil(sound(index), random) }));
      if (index % 10 === 0) taken.push(ingest.take({ topic, username: null, payload: Buffer.from(sound(index)) }));
      if (taken.length > 2000) await Promise.all(taken.splice(0));
    }
    await Promise.all(taken);
    const { messages, refused } = ingest.stats();
    expect(messages).toBe(count + count / 10);
    expect(Object.values(refused).reduce((sum, one) => sum + one, 0)).toBe(count);
    expect(Object.keys(refused).length).toBeGreaterThan(6);
    const { n } = await db
      .selectFrom('reading')
      .select((row) => row.fn.countAll<number>().as('n'))
      .executeTakeFirstOrThrow();
    expect(n).toBe(count / 10);
    expect(process.memoryUsage().heapUsed - memory).toBeLessThan(300 * 2 ** 20);
    await ingest.stop();
    await bus.stop();
  });
});

test('a broker that is talked nonsense to in bytes goes on, and hears who talks sense', async () => {
  const heard: string[] = [];
  const speaker = { id: 7, password: 'secret-7' };
  const broker = await startEmbeddedBroker({
    host: '127.0.0.1',
    port: 0,
    tlsPort: null,
    tls: null,
    log,
    authenticate: async ({ username, password }) =>
      username === clientIdOf(7) && password.toString() === speaker.password ? deviceRights(7) : null,
  });
  broker.onMessage(async (message) => void heard.push(message.topic));
  await talkNonsense({ port: broker.port, speaker, connections: 500, seed: 20_261_121 });
  const client = await mqtt.connectAsync(`mqtt://127.0.0.1:${broker.port}`, {
    clientId: clientIdOf(7),
    username: clientIdOf(7),
    password: speaker.password,
  });
  await client.publishAsync('lampyris/v1/devices/7/readings', 'sense', { qos: 1 });
  expect(heard.at(-1)).toBe('lampyris/v1/devices/7/readings');
  await client.endAsync();
  await broker.stop();
});
