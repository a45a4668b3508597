import { setTimeout as sleep } from 'node:timers/promises';
import mqtt from 'mqtt';
import { WebSocket } from 'ws';
import type { ServerMessage } from '../../contract/live.ts';
import { login, signInAdmin } from '../../e2e/fixtures/api.ts';
import { startProduct } from '../../e2e/fixtures/product.ts';
import { startAloneBroker } from '../alone.ts';
import { nameOf, registerSigned, secret } from '../devices-signed.ts';
import type { Measure } from '../measure.ts';
import { messageBytes, openTalker, type Talker } from '../mqtt-talker.ts';
import { percentile } from '../percentile.ts';
import { productDatabase } from '../product-database.ts';

const firstId = 7_000_001;
const devices = 500;
const operators = 50;
/** So many of them read what they are told; the others only take it. */
const reading = 5;
const tickMs = 20;
const password = 'Bench-4711-live';

/**
 * A reading on its way to an operator's screen: 1,000 messages a second of 500 devices, committed, told to 50 operators
 * who watch the list of the family. From the publish of a device to the message at the socket, against a subscriber of
 * the broker alone.
 */
export const live: Measure = {
  key: 'live',
  async run() {
    const seconds = process.argv.includes('--small') ? 10 : 30;
    const product = await startProduct();
    const database = await productDatabase(product.dataDir);
    const alone = await startAloneBroker();
    try {
      await registerSigned(database, firstId, devices);
      await signInAdmin(product, password);
      const {
        body: { token = '' },
      } = await login(product.url, 'admin', password);
      const broker = await throughBroker(alone.port, Math.min(seconds, 10));
      const screens = await Promise.all(
        Array.from({ length: operators }, (_, index) => watch(product.url, token, index < reading)),
      );
      const talkers = await openAll(product.mqttPort, true);
      const sent = await flow(talkers, seconds);
      await sleep(2000);
      const told = screens.slice(0, reading).map((screen) => latencies(sent, screen.seen));
      const {
        rows: [counted],
      } = await database.query<{ n: number }>('SELECT count(*)::int AS n FROM reading WHERE device_id >= $1', [
        firstId,
      ]);
      if (counted?.n !== sent.size) throw new Error(`${counted?.n} rows of ${sent.size}`);
      for (const { newest } of screens.slice(0, reading))
        if (newest.size !== devices || [...newest].some(([id, energy]) => energy !== sent.last.get(id)))
          throw new Error('a screen does not show what came last');
      for (const { socket } of screens) socket.terminate();
      for (const talker of talkers) talker.close();
      const all = told.flatMap(({ ms }) => ms);
      const skipped = told.reduce((sum, { missed }) => sum + missed, 0) / reading;
      return [
        {
          name: 'Reading to the operator’s screen at 1,000 messages/s, 99 of 100',
          value: percentile(all, 0.99),
          unit: 'ms',
          reach: 1000,
          samples: [percentile(all, 0.5), percentile(all, 0.9), percentile(all, 0.99), percentile(all, 1)],
          note: `half within ${percentile(all, 0.5).toFixed(0)} ms, against ${percentile(broker, 0.5).toFixed(2)} ms at a subscriber of the broker alone; ${(sent.size / seconds).toFixed(0)} messages/s, ${operators} operators, ${skipped.toFixed(0)} of ${sent.size} readings replaced by a newer one before they were told; samples: p50, p90, p99, the longest`,
        },
      ];
    } finally {
      await alone.stop();
      await database.end();
      await product.stop();
    }
  },
};

interface Sent {
  readonly size: number;
  readonly at: ReadonlyMap<string, number>;
  readonly last: ReadonlyMap<number, number>;
}

const keyOf = (id: number, energy: number): string => `${id} ${energy}`;

async function openAll(port: number, signed: boolean): Promise<Talker[]> {
  const talkers: Talker[] = [];
  for (let at = 0; at < devices; at += 100) {
    talkers.push(
      ...(await Promise.all(
        Array.from({ length: 100 }, (_, index) => {
          const name = nameOf(firstId + at + index);
          return openTalker({ port, clientId: name, username: name, password: signed ? secret : '' });
        }),
      )),
    );
  }
  return talkers;
}

/** Every device in turn, so that a thousand messages go out a second, evenly; the counter tells them apart. */
async function flow(talkers: readonly Talker[], seconds: number): Promise<Sent> {
  const at = new Map<string, number>();
  const last = new Map<number, number>();
  const perTick = tickMs;
  const begun = performance.now();
  const waiting: Promise<void>[] = [];
  for (let tick = 0; tick < (seconds * 1000) / tickMs; tick += 1) {
    await sleep(Math.max(0, begun + tick * tickMs - performance.now()));
    for (let index = 0; index < perTick; index += 1) {
      const number = tick * perTick + index;
      const id = firstId + (number % devices);
      const energy = number + 1;
      const now = new Date().toISOString();
      const values = {
        level: 60,
        power: number % 200,
        relay: true,
        voltage: 226.8,
        current: 0.402,
        energy,
        powerFactor: 0.958,
        temperature: 41.2,
      };
      at.set(keyOf(id, energy), performance.now());
      last.set(id, energy);
      waiting.push(
        talkers[number % devices]?.say(
          [
            messageBytes(
              `lampyris/v1/devices/${id}/readings`,
              JSON.stringify({ sentAt: now, readings: [{ at: now, values }] }),
              (number % 60_000) + 1,
            ),
          ],
          1,
        ) ?? Promise.resolve(),
      );
    }
  }
  await Promise.all(waiting);
  return { size: at.size, at, last };
}

/** Somebody who watches the list of lamps. */
async function watch(url: string, token: string, reads: boolean) {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/api/v1/live`);
  const seen = new Map<string, number>();
  const newest = new Map<number, number>();
  const ready = Promise.withResolvers<void>();
  socket.on('error', ready.reject);
  socket.on('open', () => {
    for (const message of [
      { type: 'hello', token, workAreaId: null },
      { type: 'subscribe', topics: ['devices:single-lamp-controller'] },
      { type: 'ping' },
    ])
      socket.send(JSON.stringify(message));
  });
  let greeted = false;
  socket.on('message', (data: Buffer) => {
    if (greeted && !reads) return;
    const message = JSON.parse(data.toString()) as ServerMessage;
    if (message.type === 'pong') {
      greeted = true;
      ready.resolve();
    }
    if (message.type !== 'devices') return;
    const now = performance.now();
    for (const { id, values } of message.devices) {
      const energy = values?.['energy'];
      if (typeof energy !== 'number') continue;
      seen.set(keyOf(id, energy), now);
      newest.set(id, energy);
    }
  });
  await ready.promise;
  return { socket, seen, newest };
}

function latencies(sent: Sent, seen: ReadonlyMap<string, number>): { readonly ms: number[]; readonly missed: number } {
  const ms = [...seen].flatMap(([key, now]) => {
    const from = sent.at.get(key);
    return from === undefined ? [] : [now - from];
  });
  return { ms, missed: sent.size - ms.length };
}

/** The same messages through the broker alone. */
async function throughBroker(port: number, seconds: number): Promise<number[]> {
  const listener = await mqtt.connectAsync(`mqtt://127.0.0.1:${port}`);
  const seen = new Map<string, number>();
  listener.on('message', (topic, payload) => {
    const {
      readings: [one],
    } = JSON.parse(payload.toString()) as { readings: [{ values: { energy: number } }] };
    seen.set(keyOf(Number(topic.split('/')[3]), one.values.energy), performance.now());
  });
  await listener.subscribeAsync('lampyris/#', { qos: 1 });
  const talkers = await openAll(port, false);
  const sent = await flow(talkers, seconds);
  await sleep(500);
  for (const talker of talkers) talker.close();
  await listener.endAsync(true);
  const { ms, missed } = latencies(sent, seen);
  if (missed > 0) throw new Error(`the broker alone lost ${missed} messages`);
  return ms;
}
