import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { encode, timeText } from '../../../protocols/mqtt-json/codec.ts';
import { topicOf } from '../../../protocols/mqtt-json/topics.ts';
import { createProofs } from '../light/commands/index.ts';
import { LeaseLost } from '../platform/leases/index.ts';
import { startScript } from '../testing/child.ts';
import { connectDevice, givenCredentials, givenDevice } from '../testing/devices.ts';
import { createIngest } from './index.ts';
import { ingestSite } from './testing/ingest-site.ts';

const { database, db, log, clock, bus, ingest, full, now, send, rowsOf, latestOf } = await ingestSite();

describe('a mistake of the program', () => {
  const proofs = createProofs({ bus });
  const message = (deviceId: number) => ({
    topic: topicOf({ kind: 'readings', deviceId, viaId: null }),
    username: null,
    payload: Buffer.from(encode({ sentAt: timeText(now()), readings: [{ at: timeText(now()), values: full }] })),
  });

  it('costs the message that it comes of; its neighbours in the batch are stored', async () => {
    const lamps = await Promise.all(Array.from({ length: 9 }, () => givenDevice(db)));
    const bad = lamps[4] ?? 0;
    const stumbling = createIngest({
      db,
      bus,
      clock,
      log,
      stored: () => undefined,
      proofs: {
        ...proofs,
        apply: (tx, acks, ids, at) =>
          ids.includes(bad)
            ? Promise.reject(new TypeError('Cannot read properties of undefined'))
            : proofs.apply(tx, acks, ids, at),
      },
    });
    await Promise.all(lamps.map((lamp) => stumbling.take(message(lamp))));
    expect(await Promise.all(lamps.map(async (lamp) => (await rowsOf(lamp)).length))).toEqual(
      lamps.map((lamp) => (lamp === bad ? 0 : 1)),
    );
    expect(stumbling.stats()).toMatchObject({ readings: 8, duplicates: 0, refused: { internal: 1 } });
    await stumbling.stop();
  });

  it('that does not come again costs nothing, nor does one after the commit', async () => {
    const lamp = await givenDevice(db);
    let tries = 0;
    const stumbling = createIngest({
      db,
      bus,
      clock,
      log,
      stored: () => undefined,
      proofs: {
        apply: (tx, acks, ids, at) =>
          (tries += 1) === 1 ? Promise.reject(new RangeError('Invalid time value')) : proofs.apply(tx, acks, ids, at),
        announce: () => {
          throw new TypeError('nobody there');
        },
      },
    });
    await stumbling.take(message(lamp));
    expect(stumbling.stats()).toMatchObject({ readings: 1, duplicates: 0, refused: {} });
    expect(tries).toBe(2);
    await stumbling.stop();
  });

  it('is not what a connection that breaks is: that is tried again', async () => {
    const lamp = await givenDevice(db);
    let tries = 0;
    const broken = createIngest({
      db,
      bus,
      clock,
      log,
      stored: () => undefined,
      proofs: {
        ...proofs,
        apply: (tx, acks, ids, at) =>
          (tries += 1) <= 2
            ? Promise.reject(new Error('Connection terminated unexpectedly'))
            : proofs.apply(tx, acks, ids, at),
      },
    });
    await broken.take(message(lamp));
    expect(await rowsOf(lamp)).toHaveLength(1);
    expect(broken.stats().refused).toEqual({});
    await broken.stop();
  });
});

describe('kill -9', () => {
  it('loses no acknowledged reading', async () => {
    const lamp = await givenDevice(db);
    const password = await givenCredentials(db, lamp);
    const server = startScript(fileURLToPath(new URL('../testing/scripts/ingest.ts', import.meta.url)), [], {
      env: { DATABASE_URL: database.url },
    });
    const port = /\d+$/.exec(await server.line(/^listening on \d+$/))?.[0] ?? '';
    const client = await connectDevice(`mqtt://127.0.0.1:${port}`, lamp, password);
    const acknowledged: number[] = [];
    const base = Date.now() - 600_000;
    const message = (index: number) =>
      encode({
        sentAt: timeText(Date.now()),
        readings: [{ at: timeText(base + index), values: { ...full, switchCount: index } }],
      });
    const topic = topicOf({ kind: 'readings', deviceId: lamp, viaId: null });
    // Its clock is known before many messages wait for each other.
    await client.publishAsync(topic, message(20_000), { qos: 1 });
    const gone = new Promise<void>((resolve) => client.once('close', () => resolve()));
    for (let index = 0; index < 20_000; index += 1) {
      client.publish(topic, message(index), { qos: 1 }, (thrown) => {
        if (thrown) return;
        acknowledged.push(index);
        if (acknowledged.length === 1500) server.process.kill('SIGKILL');
      });
    }
    await gone;
    await server.ended;
    const there = new Set((await rowsOf(lamp)).map((row) => (row.values as { switchCount: number }).switchCount));
    expect(acknowledged.length).toBeGreaterThanOrEqual(1500);
    expect(acknowledged.filter((index) => !there.has(index))).toEqual([]);
  });
});

describe('two processes', () => {
  const another = () => createIngest({ db, bus, clock, log, proofs: createProofs({ bus }), stored: () => undefined });
  const message = (deviceId: number, at: number, values: object, sentAt = now()) => ({
    topic: topicOf({ kind: 'readings', deviceId, viaId: null }),
    username: null,
    payload: Buffer.from(JSON.stringify({ sentAt: timeText(sentAt), readings: [{ at: timeText(at), values }] })),
  });

  it('that hear the same device in turn keep the newest values, whoever writes last', async () => {
    const other = another();
    const lamp = await givenDevice(db);
    await send(lamp, [[now() - 5000, { ...full, level: 1 }]]);
    await other.take(message(lamp, now() - 1000, { ...full, level: 3 }));
    // This one has not heard of it.
    await send(lamp, [[now() - 3000, { ...full, level: 2 }]]);
    expect(await latestOf(lamp)).toMatchObject({ at: new Date(now() - 1000), values: { ...full, level: 3 } });
    await send(lamp, [[now(), { ...full, level: 4 }]]);
    expect(await latestOf(lamp)).toMatchObject({ at: clock.now(), values: { ...full, level: 4 } });
    await other.stop();
  });

  it('that are given the same messages store them once, and each knows the clock that the other learnt', async () => {
    const other = another();
    const lamp = await givenDevice(db);
    const behind = now() - 300_000;
    await other.take(message(lamp, behind, full, behind));
    await Promise.all(
      Array.from({ length: 50 }, (_, minute) =>
        [ingest, other].map((one) => one.take(message(lamp, behind - minute * 60_000, full, behind))),
      ).flat(),
    );
    expect(await rowsOf(lamp)).toHaveLength(50);
    expect((await rowsOf(lamp)).at(-1)).toMatchObject({ at: clock.now() });
    await other.stop();
  });

  it('of which one repeats what the other stored: nothing is stored twice, and nothing that came with it is lost', async () => {
    // Has seen no repeats yet, and so expects none.
    const other = another();
    const [lamp, neighbour] = [await givenDevice(db), await givenDevice(db)];
    const take = (id: number, at: number, values: object) => other.take(message(id, at, values));
    await take(lamp, now() - 9000, full);
    await send(lamp, [[now() - 1000, { ...full, level: 3 }]]);
    await Promise.all([
      take(lamp, now() - 1000, { ...full, level: 3 }),
      take(lamp, now(), { level: 4 }),
      take(neighbour, now(), full),
    ]);
    await Promise.all([take(lamp, now(), { level: 4 }), take(neighbour, now() + 1000, full)]);
    expect(other.stats()).toMatchObject({ readings: 4, duplicates: 2, refused: {} });
    expect([await rowsOf(lamp), await rowsOf(neighbour)].map(({ length }) => length)).toEqual([3, 2]);
    expect(await latestOf(lamp)).toMatchObject({ at: new Date(now()), values: { ...full, level: 4 } });
    await other.stop();
  });

  it('of which one has lost its slot: what came with it is not acknowledged, its neighbours in the batch are stored', async () => {
    const [lamp, neighbour] = [await givenDevice(db), await givenDevice(db)];
    const fence = () => Promise.reject(new LeaseLost('ingest 1'));
    const [lost, kept] = await Promise.allSettled([
      ingest.take({ ...message(lamp, now(), full), fence }),
      ingest.take(message(neighbour, now(), full)),
    ]);
    expect([lost.status, kept.status]).toEqual(['rejected', 'fulfilled']);
    expect([await rowsOf(lamp), await rowsOf(neighbour)].map(({ length }) => length)).toEqual([0, 1]);
  });
});
