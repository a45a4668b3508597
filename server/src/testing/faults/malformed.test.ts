import { describe, expect, test } from 'vitest';
import { createIngest } from '../../ingest/index.ts';
import { createProofs } from '../../features/commands/index.ts';
import { startBus } from '../../platform/bus/index.ts';
import { createLog } from '../../platform/log.ts';
import { givenArea, givenDevice } from '../devices.ts';
import { testClock } from '../clock.ts';
import { testDatabase } from '../database.ts';
import { chance } from './kills.ts';

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
const sound = (index: number) => JSON.stringify({ sentAt, readings: [{ at: new Date(clock.now().getTime() - index).toISOString(), values: { power: 50 } }] });

/** One way each to spoil a sound message so that nothing of it may be stored. */
const spoilers: readonly ((text: string, random: () => number) => { topic?: string; payload: Buffer })[] = [
  (text, random) => ({ payload: Buffer.from(text).subarray(0, 1 + Math.floor(random() * (text.length - 2))) }),
  (_text, random) => ({ payload: Buffer.from(Array.from({ length: 1 + Math.floor(random() * 200) }, () => 128 + Math.floor(random() * 128))) }),
  (text) => ({ payload: Buffer.from(text.replace('"readings"', '"reading"')) }),
  (text) => ({ payload: Buffer.from(text.replace(/"at":"[^"]*"/, '"at":"yesterday"')) }),
  (text) => ({ payload: Buffer.from(text.replace(/"sentAt":"[^"]*"/, '"sentAt":1e999')) }),
  (_text, random) => ({ payload: Buffer.from('['.repeat(10 + Math.floor(random() * 2000))) }),
  (text) => ({ payload: Buffer.from(text.replace('{"power":50}', '{"__proto__":{"power":1}}')) }),
  () => ({ payload: Buffer.alloc(70_000, '7') }),
  (text, random) => ({ topic: `lampyris/v1/devices/${['', '0', '-1', '1e9', '9'.repeat(30), '..', '+', '#', '\u0000'][Math.floor(random() * 9)]}/readings`, payload: Buffer.from(text) }),
  (text) => ({ topic: 'lampyris/v1/devices/999999/readings', payload: Buffer.from(text) }),
  (text) => ({ payload: Buffer.from(text.replace(/"sentAt":"[^"]*"/, '"sentAt":"1970-01-01T00:00:00.000Z"')) }),
  (text) => ({ payload: Buffer.from(text.replace(/"at":"[^"]*"/, '"at":"2031-01-01T00:00:00.000Z"')) }),
  () => ({ payload: Buffer.alloc(0) }),
  () => ({ payload: Buffer.from('null') }),
];

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
    const { n } = await db.selectFrom('reading').select((row) => row.fn.countAll<number>().as('n')).executeTakeFirstOrThrow();
    expect(n).toBe(count / 10);
    expect(process.memoryUsage().heapUsed - memory).toBeLessThan(300 * 2 ** 20);
    await ingest.stop();
    await bus.stop();
  });
});
