import { sql } from 'kysely';
import mqtt, { type MqttClient } from 'mqtt';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { mosquittoIsThere, startMosquitto, type Mosquitto } from '../../../../e2e/fixtures/mosquitto.ts';
import { holdAlone } from '../../testing/alone.ts';
import { testClock } from '../../testing/clock.ts';
import { testDatabase } from '../../testing/database.ts';
import { createLeases } from '../leases/index.ts';
import { createLog } from '../log.ts';
import type { BrokerMessage } from './broker.ts';
import { openConnection } from './connection.ts';
import { startExternalBroker } from './external.ts';

const log = createLog('silent');
const leaseMs = 30_000;
const patient = { timeout: 20_000 };

describe.skipIf(!mosquittoIsThere)('slots of several processes on one Mosquitto', async () => {
  const { connection, db } = await testDatabase();
  let mosquitto: Mosquitto;
  let device: MqttClient;
  beforeAll(async () => {
    mosquitto = await startMosquitto();
    // The first one gives our account its rights, and the broker ends its connections for that.
    await (
      await startExternalBroker({
        url: mosquitto.url,
        filters: [],
        prefix: 't',
        slots: { count: 0, retired: [], hold: holdAlone },
        log,
      })
    ).stop();
    device = await mqtt.connectAsync(mosquitto.url);
  });
  afterAll(async () => {
    await device.endAsync(true);
    await mosquitto.stop();
  });
  const stops: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const stop of stops.splice(0)) await stop();
    await sql`DELETE FROM lease`.execute(db);
  });

  /**
   * One process: its clock stands still unless it is moved. What it gets, but for the first `quick` messages, it keeps
   * until `release`.
   */
  async function process(holder: string, { count = 1, retired = [] as number[], slow = false, quick = 0 } = {}) {
    const clock = testClock();
    const leases = createLeases({ connection, clock, log, holder, leaseMs, monotonic: () => clock.now().getTime() });
    const broker = await startExternalBroker({
      url: mosquitto.url,
      filters: ['t/+/readings'],
      orderedFilters: ['t/+/status'],
      prefix: 't',
      slots: { count, retired, hold: leases.hold },
      log,
    });
    const got: BrokerMessage[] = [];
    let begun = 0;
    let release = (): void => undefined;
    const gate = new Promise<void>((resolve) => {
      release = resolve;
    });
    broker.onMessage(
      async (message) => {
        got.push(message);
        if (slow && got.length > quick) await gate;
      },
      () => {
        begun += 1;
      },
    );
    const stop = async () => {
      release();
      await broker.stop();
      await leases.stop();
    };
    stops.push(stop);
    return {
      clock,
      leases,
      broker,
      release,
      stop,
      begun: () => begun,
      got: () => got.map(({ topic, payload }) => `${topic} ${payload.toString()}`),
      first: () => got[0],
    };
  }
  const receives = (one: Awaited<ReturnType<typeof process>>, slots: readonly string[]) =>
    expect.poll(() => [one.leases.held().toSorted(), one.broker.problem()], patient).toEqual([slots, null]);
  const runOut = () => sql`UPDATE lease SET until = clock_timestamp()`.execute(db);
  const publish = (topic: string, text: string) => device.publishAsync(topic, text, { qos: 1 });

  test('who stood still acknowledges nothing: the next one gets all of it, and only that one goes on', async () => {
    const a = await process('a', { slow: true });
    await receives(a, ['ingest/1']);
    await publish('t/1/readings', 'one');
    await expect.poll(a.got, patient).toEqual(['t/1/readings one']);
    const b = await process('b');
    expect([b.leases.held(), b.broker.problem(), b.begun()]).toEqual([[], null, 0]);
    await runOut();
    await b.clock.advance(1000);
    await receives(b, ['ingest/1']);
    await expect.poll(b.got, patient).toEqual(['t/1/readings one']);
    // Woken, it stores what it had: the fence refuses that.
    await expect(db.transaction().execute((tx) => a.first()?.fence?.(tx) ?? Promise.resolve())).rejects.toThrow(
      'no longer ours',
    );
    await a.clock.advance(leaseMs);
    a.release();
    await publish('t/1/readings', 'two');
    await expect.poll(b.got, patient).toEqual(['t/1/readings one', 't/1/readings two']);
    expect([a.got().length, a.leases.held(), a.broker.stats().acknowledged, b.broker.stats().acknowledged]).toEqual([
      1,
      [],
      0,
      2,
    ]);
  });

  test('what came while nobody was there waits for the next process', async () => {
    const a = await process('a');
    await receives(a, ['ingest/1']);
    await a.stop();
    await publish('t/2/readings', 'waits');
    const b = await process('b');
    await expect.poll(b.got, patient).toEqual(['t/2/readings waits']);
  });

  test('two slots share what is said, each message once, and what needs its order stays with one; a slot given up is emptied', async () => {
    const a = await process('a', { count: 2 });
    await receives(a, ['ingest/1', 'ingest/2']);
    const texts = Array.from({ length: 20 }, (_, index) => `t/3/readings ${index}`);
    for (const [index] of texts.entries()) await publish('t/3/readings', String(index));
    for (const text of ['on', 'off', 'on']) await publish('t/3/status', text);
    await expect.poll(() => a.got().length, patient).toBe(23);
    expect(
      a
        .got()
        .filter((text) => text.includes('readings'))
        .toSorted(),
    ).toEqual(texts.toSorted());
    expect(a.got().filter((text) => text.includes('status'))).toEqual([
      't/3/status on',
      't/3/status off',
      't/3/status on',
    ]);
    await a.stop();
    for (const [index] of texts.entries()) await publish('t/3/readings', `later ${index}`);
    const b = await process('b', { count: 1, retired: [2] });
    await expect.poll(() => b.got().length, patient).toBe(20);
    await receives(b, ['ingest/1', 'ingest/2']);
    await publish('t/3/readings', 'all mine');
    await expect.poll(() => b.got().at(-1), patient).toBe('t/3/readings all mine');
    expect(b.got()).toHaveLength(21);
  });

  test('a broker that hands over at once all that it has kept is read in portions', async () => {
    const text = 'x'.repeat(1000);
    const many = (count: number) => Promise.all(Array.from({ length: count }, () => publish('t/1/readings', text)));
    // One that acknowledges nothing and is killed; more comes while nobody is there.
    let got = 0;
    const receive = () => {
      got += 1;
      return new Promise<void>(() => undefined);
    };
    const dying = await openConnection({
      url: new URL(mosquitto.url),
      clientId: 'lampyris-ingest-1',
      clean: false,
      sessionSeconds: 3600,
      receive,
      ended: () => undefined,
    });
    await dying.subscribe(['t/+/readings']);
    await many(1500);
    await expect.poll(() => got, patient).toBe(1000);
    dying.abandon();
    await many(2500);
    // Some of it is acknowledged: that is what makes a Mosquitto let go of all of it.
    const next = await process('b', { slow: true, quick: 100 });
    await expect.poll(() => next.got().length, patient).toBeGreaterThanOrEqual(1100);
    // Whatever else the broker would send has been sent when it has answered others.
    for (let times = 0; times < 50; times += 1) await publish('t/elsewhere', text);
    expect(next.got().length).toBeLessThanOrEqual(1100 + Math.ceil((2 * 65_536) / text.length));
    next.release();
    await expect.poll(() => next.got().length, patient).toBe(4000);
  });

  test('nothing that comes while the number of slots changes is lost', async () => {
    const a = await process('c', { count: 2 });
    await receives(a, ['ingest/1', 'ingest/2']);
    await a.stop();
    const said: string[] = [];
    let changed = false;
    const saying = Promise.all(
      Array.from({ length: 20 }, async (_, who) => {
        for (let times = 0; !changed; times += 1) {
          await publish('t/5/readings', `${who}/${times}`);
          said.push(`t/5/readings ${who}/${times}`);
        }
      }),
    );
    const b = await process('d', { count: 1, retired: [2] });
    await receives(b, ['ingest/1', 'ingest/2']);
    changed = true;
    await saying;
    await expect
      .poll(() => {
        const got = new Set(b.got());
        return said.filter((text) => !got.has(text)).length;
      }, patient)
      .toBe(0);
  });
});
