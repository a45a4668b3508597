import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { startProduct } from '../../e2e/fixtures/product.ts';
import { startAloneBroker } from '../alone.ts';
import { nameOf, registerSigned, secret } from '../devices-signed.ts';
import { median, type Measure } from '../measure.ts';
import { messageBytes, openTalker, type Talker } from '../mqtt-talker.ts';
import { timed } from '../percentile.ts';
import { productDatabase } from '../product-database.ts';

const firstId = 6_000_001;
const connections = 200;
const each = 100;
const inFlight = 50;
const topicOf = (id: number): string => `lampyris/v1/devices/${id}/readings`;
const begun = Date.now() - 3_600_000;
const ids = (count: number) => Array.from({ length: count }, (_, index) => firstId + index);

/**
 * Messages at QoS 1 from many connections, acknowledged after their readings are committed, against the same broker
 * with a subscriber and nothing else.
 */
export const mqttEndToEnd: Measure = {
  key: 'mqtt',
  async run() {
    const product = await startProduct();
    const database = await productDatabase(product.dataDir);
    const alone = await startAloneBroker();
    try {
      await registerSigned(database, firstId, connections);
      const talkers = await openAll(product.mqttPort, connections);
      const plain = await openAll(alone.port, connections);
      let heard = 0;
      let all: () => void = () => undefined;
      const listener = await openTalker({
        port: alone.port,
        clientId: 'listener',
        username: '',
        password: '',
        subscribe: ['lampyris/#'],
        heard: () => {
          heard += 1;
          if (heard % (connections * each) === 0) all();
        },
      });
      const loops: number[] = [];
      const stored: number[] = [];
      const slice = async (round: number, which: readonly Talker[], received?: Promise<void>) => {
        const packets = which.map((_, index) => packetsOf(firstId + index, round));
        return timed(() =>
          Promise.all([...which.map((talker, index) => talker.say(packets[index] ?? [], inFlight)), received]),
        );
      };
      const loop = async (round: number) =>
        loops.push(
          await slice(
            round,
            plain,
            new Promise((resolve) => {
              all = resolve;
            }),
          ),
        );
      const end = async (round: number) => stored.push(await slice(round, talkers));
      const rounds = process.argv.includes('--small') ? 3 : 9;
      for (let round = 0; round <= rounds; round += 1)
        for (const part of round % 2 === 0 ? [loop, end] : [end, loop]) await part(round);
      const {
        rows: [counted],
      } = await database.query<{ n: number }>('SELECT count(*)::int AS n FROM reading WHERE device_id >= $1', [
        firstId,
      ]);
      const expected = (rounds + 1) * connections * each;
      if (counted?.n !== expected || heard !== expected)
        throw new Error(`${counted?.n} rows and ${heard} messages of ${expected}`);
      for (const talker of [...talkers, ...plain, listener]) talker.close();
      // The first of each warms up.
      const ratios = stored.slice(1).map((ms, index) => ms / (loops[index + 1] ?? Number.NaN));
      const rate = (ms: readonly number[]) => (((connections * each) / median(ms.slice(1))) * 1000).toFixed(0);
      return [
        {
          name: 'MQTT QoS 1 end to end against publish and subscribe on the same broker',
          value: median(ratios),
          unit: 'times',
          reach: 4,
          samples: ratios,
          note: `${rate(stored)} messages/s acknowledged after commit against ${rate(loops)} received (share ${(1 / median(ratios)).toFixed(2)}); ${connections} connections, the generator on the same cores`,
        },
      ];
    } finally {
      await alone.stop();
      await database.end();
      await product.stop();
    }
  },
};

function packetsOf(id: number, round: number): Buffer[] {
  const now = Date.now();
  // Times of its own for every round and message: a repeated one would not be stored.
  return Array.from({ length: each }, (_, index) => {
    const at = new Date(begun + round * each + index).toISOString();
    const values = {
      level: 60,
      power: index,
      relay: true,
      voltage: 226.8,
      current: 0.402,
      energy: 1204.5 + round,
      powerFactor: 0.958,
      temperature: 41.2,
    };
    return messageBytes(
      topicOf(id),
      JSON.stringify({ sentAt: new Date(now).toISOString(), readings: [{ at, values }] }),
      index + 1,
    );
  });
}

/**
 * Memory that a connected device takes, with its two subscriptions: of the product's process, against the broker alone.
 */
export const mqttMemory: Measure = {
  key: 'mqtt-memory',
  async run() {
    const count = process.argv.includes('--small') ? 2000 : 8000;
    const product = await startProduct();
    const database = await productDatabase(product.dataDir);
    const alone = await startAloneBroker();
    try {
      await registerSigned(database, firstId, count);
      const ours = await growth(product.pid, product.mqttPort, count);
      const theirs = await growth(alone.pid, alone.port, count);
      const ratio = ours / theirs;
      return [
        {
          name: 'Memory of a connected device against the broker alone',
          value: ratio,
          unit: 'times',
          reach: 2,
          samples: [ours, theirs],
          note: `${(ours / 1024).toFixed(1)} against ${(theirs / 1024).toFixed(1)} KiB a connection, ${count} connections, resident`,
        },
      ];
    } finally {
      await alone.stop();
      await database.end();
      await product.stop();
    }
  },
};

/** Bytes a connection, after a fifth of them has warmed the process up. */
async function growth(pid: number, port: number, count: number): Promise<number> {
  const warm = await openAll(port, count / 5, true);
  const before = await settled(pid);
  const rest = await openAll(port, count, true, count / 5);
  const after = await settled(pid);
  for (const talker of [...warm, ...rest]) talker.close();
  return (after - before) / (count - count / 5);
}

/** Resident bytes once they no longer fall. */
async function settled(pid: number): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let tries = 0; tries < 8; tries += 1) {
    await sleep(500);
    least = Math.min(
      least,
      Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? Number.NaN) * 1024,
    );
  }
  return least;
}

async function openAll(port: number, count: number, subscribe = false, from = 0): Promise<Talker[]> {
  const found: Talker[] = [];
  const wanted = ids(count).slice(from);
  for (let at = 0; at < wanted.length; at += 100) {
    found.push(
      ...(await Promise.all(
        wanted.slice(at, at + 100).map((id) =>
          openTalker({
            port,
            clientId: nameOf(id),
            username: nameOf(id),
            password: secret,
            ...(subscribe
              ? { subscribe: [`lampyris/v1/devices/${id}/commands`, `lampyris/v1/devices/${id}/settings`] }
              : {}),
          }),
        ),
      )),
    );
  }
  return found;
}
