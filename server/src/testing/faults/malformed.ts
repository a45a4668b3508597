import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect as connectTcp } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import mqtt from 'mqtt';
import { sql } from 'kysely';
import { clientIdOf } from '../../../../protocols/mqtt-json/topics.ts';
import { connect } from '../../platform/db/index.ts';
import { createLog } from '../../platform/log.ts';
import { mebibytes, since, type Result } from './figures.ts';
import { startFleet } from './fleet.ts';
import { chance } from './kills.ts';
import { createRig, givenLamps, history, type History } from './rig.ts';

interface Spoiled {
  readonly topic?: string;
  readonly payload: Buffer;
}

/** One way each to spoil a sound message so that nothing of it may be stored. */
export const spoilers: readonly ((text: string, random: () => number) => Spoiled)[] = [
  (text, random) => ({ payload: Buffer.from(text).subarray(0, 1 + Math.floor(random() * (text.length - 2))) }),
  (_text, random) => ({
    payload: Buffer.from(
      Array.from({ length: 1 + Math.floor(random() * 200) }, () => 128 + Math.floor(random() * 128)),
    ),
  }),
  (text) => ({ payload: Buffer.from(text.replace('"readings"', '"reading"')) }),
  (text) => ({ payload: Buffer.from(text.replace(/"at":"[^"]*"/, '"at":"yesterday"')) }),
  (text) => ({ payload: Buffer.from(text.replace(/"sentAt":"[^"]*"/, '"sentAt":1e999')) }),
  (_text, random) => ({ payload: Buffer.from('['.repeat(10 + Math.floor(random() * 2000))) }),
  (text) => ({ payload: Buffer.from(text.replace('{"power":50}', '{"__proto__":{"power":1}}')) }),
  () => ({ payload: Buffer.alloc(70_000, '7') }),
  (text, random) => ({
    topic: `lampyris/v1/devices/${['', '0', '-1', '1e9', '9'.repeat(30), '..', '+', '#', '\u0000'][Math.floor(random() * 9)]}/readings`,
    payload: Buffer.from(text),
  }),
  (text) => ({ topic: 'lampyris/v1/devices/999999/readings', payload: Buffer.from(text) }),
  (text) => ({ payload: Buffer.from(text.replace(/"sentAt":"[^"]*"/, '"sentAt":"1970-01-01T00:00:00.000Z"')) }),
  (text) => ({ payload: Buffer.from(text.replace(/"at":"[^"]*"/, '"at":"2031-01-01T00:00:00.000Z"')) }),
  () => ({ payload: Buffer.alloc(0) }),
  () => ({ payload: Buffer.from('null') }),
];

const text = (words: string | Buffer): Buffer =>
  Buffer.concat([Buffer.from([words.length >> 8, words.length & 255]), Buffer.from(words)]);
const packet = (head: number, ...parts: readonly Buffer[]): Buffer => {
  const body = Buffer.concat(parts);
  return Buffer.concat([
    Buffer.from(body.length < 128 ? [head, body.length] : [head, (body.length & 127) | 128, body.length >> 7]),
    body,
  ]);
};

interface Speaker {
  readonly id: number;
  readonly password: string;
}

/**
 * Bytes of a sound conversation of MQTT 3.1.1: sign-in, subscription, a message, a question whether anybody is there.
 */
function conversation({ id, password }: Speaker): Buffer[] {
  const base = `lampyris/v1/devices/${id}`;
  return [
    packet(
      0x10,
      text('MQTT'),
      Buffer.from([4, 0xc2, 0, 60]),
      text(clientIdOf(id)),
      text(clientIdOf(id)),
      text(password),
    ),
    packet(0x82, Buffer.from([0, 1]), text(`${base}/commands`), Buffer.from([1])),
    packet(0x32, text(`${base}/status`), Buffer.from([0, 2]), Buffer.from('{"online":true}')),
    packet(0xc0),
  ];
}

/**
 * Talks to a broker in bytes that are wrong somewhere, over so many connections; each was ended by somebody when it
 * resolves.
 */
export async function talkNonsense({
  port,
  speaker,
  connections,
  seed,
}: {
  readonly port: number;
  readonly speaker: Speaker;
  readonly connections: number;
  readonly seed: number;
}): Promise<void> {
  const random = chance(seed);
  const any = (below: number) => Math.floor(random() * below);
  const spoil = (bytes: Buffer): Buffer => {
    const spoiled = Buffer.from(bytes);
    for (let times = 1 + any(3); times > 0; times -= 1) spoiled[any(spoiled.length)] = any(256);
    return random() < 0.3 ? spoiled.subarray(0, any(spoiled.length)) : spoiled;
  };
  async function talk(): Promise<void> {
    const sound = conversation(speaker);
    const wrong = any(sound.length);
    const said =
      random() < 0.1
        ? [randomBytes(1 + any(300))]
        : sound.map((bytes, index) => (index === wrong ? spoil(bytes) : bytes));
    const socket = connectTcp(port, '127.0.0.1');
    socket.on('error', () => undefined);
    socket.resume();
    socket.end(Buffer.concat(random() < 0.3 ? said.toReversed() : said));
    await once(socket, 'close').catch(() => undefined);
  }
  for (let done = 0; done < connections; done += 20)
    await Promise.all(Array.from({ length: Math.min(20, connections - done) }, talk));
}

export interface NonsenseVerdict extends History {
  /** Readings of those who talk nonsense. */
  readonly stored: number;
  /** Malformed messages that were not counted as refused. */
  readonly uncounted: number;
  readonly sameProcess: boolean;
}

/**
 * Lamps report while others send so many malformed messages, and with the broker of the program talk nonsense in bytes.
 */
export async function malformedLoad({
  env,
  brokerPort,
  lamps,
  count,
}: {
  readonly env: Readonly<Record<string, string>>;
  readonly brokerPort?: number;
  readonly lamps: number;
  readonly count: number;
}): Promise<Result<NonsenseVerdict>> {
  const began = performance.now();
  const rig = await createRig(env);
  await rig.start();
  const database = connect({ connectionString: env['DATABASE_URL'] ?? rig.embeddedUrl, max: 2 }, createLog('silent'));
  const members = await givenLamps(database.db, lamps);
  const wild = await givenLamps(database.db, 20);
  const port = brokerPort ?? rig.mqttPort;
  const fleet = await startFleet({ port, members, pauseMs: 20 });
  const { pid } = rig;
  try {
    await fleet.further(lamps);
    const before = await rig.metric('lampyris_ingest_refused_total');
    const [speaker] = await givenLamps(database.db, 1);
    await Promise.all([
      ...wild.map((one, index) => sendMalformed(port, one, count / wild.length, index)),
      ...(brokerPort === undefined && speaker
        ? [talkNonsense({ port, speaker, connections: count / 10, seed: 7 })]
        : []),
    ]);
    await fleet.quiet();
    const found = await history(database.db, fleet);
    const {
      rows: [bad],
    } = await sql<{
      stored: number;
    }>`SELECT count(*)::int AS stored FROM reading
      WHERE device_id = ANY(${wild.map(({ id }) => id)}::bigint[])`.execute(database.db);
    const stored = bad?.stored ?? -1;
    // A broker of the site may still be handing them over.
    let uncounted = count;
    for (let tries = 0; tries < 100 && uncounted > 0; tries += 1) {
      uncounted = count - ((await rig.metric('lampyris_ingest_refused_total')) - before);
      if (uncounted > 0) await sleep(100);
    }
    return {
      // What a broker handed over twice is counted twice.
      verdict: { ...found, stored, uncounted: Math.max(0, uncounted), sameProcess: rig.pid === pid },
      figures: {
        malformed: count,
        acknowledged: fleet.acknowledged.size,
        lost: found.lost.length,
        twice: found.twice,
        stored,
        uncounted,
        peakMiB: mebibytes(rig.peak()),
        seconds: since(began),
      },
    };
  } finally {
    await fleet.stop();
    await database.stop();
    await rig.stop();
  }
}

/** Every one is acknowledged: it is refused for good, and sending it again would change nothing. */
async function sendMalformed(port: number, { id, password }: Speaker, count: number, seed: number): Promise<void> {
  const random = chance(seed);
  const name = clientIdOf(id);
  const topic = `lampyris/v1/devices/${id}/readings`;
  const client = mqtt.connect({
    host: '127.0.0.1',
    port,
    protocol: 'mqtt',
    clientId: name,
    username: name,
    password,
    reconnectPeriod: 200,
  });
  for (let sent = 0; sent < count;) {
    const sound = JSON.stringify({
      sentAt: new Date().toISOString(),
      readings: [{ at: new Date().toISOString(), values: { power: 50 } }],
    });
    const spoiled = spoilers[Math.floor(random() * spoilers.length)]?.(sound, random);
    // What a broker itself ends the connection for is said in bytes instead.
    if (!spoiled || spoiled.topic !== undefined || spoiled.payload.length > 65_536) continue;
    await client.publishAsync(topic, spoiled.payload, { qos: 1 });
    sent += 1;
  }
  await client.endAsync();
}
