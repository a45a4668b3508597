import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { timeText } from '../../../protocols/mqtt-json/codec.ts';
import { clientIdOf, topicOf } from '../../../protocols/mqtt-json/topics.ts';
import { createProofs } from '../light/commands/index.ts';
import { testApp } from '../testing/app.ts';
import { givenArea, givenCredentials, givenDevice } from '../testing/devices.ts';
import { createDeviceAccess } from '../wires/link/index.ts';
import { createIngest, ingestionRoutes, type Ingest } from './index.ts';

let ingest: Ingest;
/** How old the messages were, milliseconds, as it is measured. */
const ages: number[] = [];
let checks = 0;
/** What the check of a wrong password waits for. */
let held = Promise.resolve();
const limits = { requestsPerMinute: 20, bytesInWork: 16_000_000, messagesInWork: 1000, answerMs: 30_000 };
const site = await testApp({
  routes: ({ db, clock, log, bus, rates }) => {
    ingest = createIngest({
      db,
      bus,
      clock,
      log,
      proofs: createProofs({ bus }),
      stored: () => undefined,
      meter: { committed: () => undefined, aged: (milliseconds) => ages.push(milliseconds) },
    });
    const authenticate = createDeviceAccess({ db });
    return ingestionRoutes({
      ingest,
      authenticate: async (who) => {
        checks += 1;
        if (who.password.toString() === 'wrong') await held;
        return authenticate(who);
      },
      rates,
      limits,
    });
  },
  logLevel: 'silent',
});
const { db, clock, app } = site;
afterAll(() => ingest.stop());

interface Signed {
  readonly id: number;
  readonly authorization: string;
}
let lamp: Signed;
let gateway: Signed;
let child = 0;

async function signed(family: string): Promise<Signed> {
  const id = await givenDevice(db, { family });
  return {
    id,
    authorization: `Basic ${Buffer.from(`${clientIdOf(id)}:${await givenCredentials(db, id)}`).toString('base64')}`,
  };
}

beforeAll(() => givenArea(db));
beforeEach(async () => {
  await clock.advance(60_000);
  lamp = await signed('single-lamp-controller');
  gateway = await signed('central-controller');
  child = await givenDevice(db, { parentId: gateway.id });
});

const full = { level: 60, power: 57.5, relay: true, voltage: 226.8 };
const now = () => clock.now().getTime();
const reading = (minutesAgo = 0, values: object = full) => ({ at: timeText(now() - minutesAgo * 60_000), values });
const message = (readings: object[] = [reading()], more: object = {}) => ({
  sentAt: timeText(now()),
  readings,
  ...more,
});
interface Reply {
  status: number;
  body: {
    code?: number;
    stored: number;
    duplicates: number;
    refused: number;
    messages: {
      status: string;
      stored: number;
      duplicates: number;
      problems: { reading: number | null; reason: string; detail: string | null }[];
    }[];
  };
  headers: Record<string, unknown>;
}

async function send(
  who: Signed | null,
  body: unknown,
  { type = 'application/json', ...headers }: Record<string, string> = {},
  from = '192.0.2.1',
): Promise<Reply> {
  const payload = typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body);
  const reply = await app.inject({
    method: 'POST',
    url: '/api/v1/ingest/readings',
    payload,
    remoteAddress: from,
    headers: { 'content-type': type, ...(who ? { authorization: who.authorization } : {}), ...headers },
  });
  return { status: reply.statusCode, body: JSON.parse(reply.body) as Reply['body'], headers: reply.headers };
}
const rowsOf = async (id: number) =>
  (
    await sql<{
      at: Date;
      quality: number;
      values: unknown;
    }>`SELECT at, quality, values FROM reading WHERE device_id = ${id} ORDER BY at`.execute(db)
  ).rows;

describe('readings over HTTP', () => {
  it('are in the history and the latest values when they are answered', async () => {
    const { status, body } = await send(lamp, message([reading(1), reading()]));
    expect([status, body]).toEqual([
      200,
      {
        stored: 2,
        duplicates: 0,
        refused: 0,
        messages: [{ status: 'accepted', stored: 2, duplicates: 0, problems: [] }],
      },
    ]);
    expect(await rowsOf(lamp.id)).toHaveLength(2);
    expect(
      await db.selectFrom('device_latest').select('values').where('device_id', '=', lamp.id).executeTakeFirst(),
    ).toEqual({ values: full });
  });

  it('sent again are duplicates, over MQTT or HTTP, also within one request', async () => {
    await ingest.take({
      topic: topicOf({ kind: 'readings', deviceId: lamp.id, viaId: null }),
      username: null,
      payload: Buffer.from(JSON.stringify(message())),
    });
    expect((await send(lamp, [message(), message([reading(), reading(5)]), message([reading(5)])])).body).toMatchObject(
      {
        stored: 1,
        duplicates: 3,
        refused: 0,
        messages: [
          { status: 'duplicate', duplicates: 1 },
          { status: 'accepted', stored: 1, duplicates: 1 },
          { status: 'duplicate', duplicates: 1 },
        ],
      },
    );
    expect(await rowsOf(lamp.id)).toHaveLength(2);
  });

  it('of one instant are kept as the first of them says, in the history, the latest values and the answer', async () => {
    const several = (minutesAgo: number) => [
      reading(minutesAgo, { level: 10 }),
      reading(minutesAgo, { level: 20, power: 9 }),
      reading(minutesAgo, { level: 30 }),
    ];
    const { body } = await send(lamp, [
      message(several(5)),
      ...several(4).map((one) => message([one])),
      message([reading(3, { level: 700 }), ...several(3)]),
    ]);
    expect(body.messages.map(({ stored, duplicates }) => [stored, duplicates])).toEqual([
      [1, 2],
      [1, 0],
      [0, 1],
      [0, 1],
      [1, 3],
    ]);
    expect((await rowsOf(lamp.id)).map(({ values, quality }) => [values, quality])).toEqual([
      [{ level: 10 }, 0],
      [{ level: 10 }, 0],
      [{}, 3],
    ]);
    expect(
      await db.selectFrom('device_latest').select('values').where('device_id', '=', lamp.id).executeTakeFirst(),
    ).toEqual({ values: { level: 10 } });
  });

  it('of nulls alone end what is known, which an older one does not undo; the history has no nulls', async () => {
    const known = async () =>
      (await db.selectFrom('device_latest').select('values').where('device_id', '=', lamp.id).executeTakeFirst())
        ?.values;
    await send(lamp, message([reading(5)]));
    expect((await send(lamp, message([reading(3, { power: null, current: null })]))).body).toMatchObject({
      stored: 1,
      messages: [{ status: 'accepted', problems: [] }],
    });
    await send(lamp, message([reading(4, { power: 3 })]));
    expect(await known()).toEqual({ ...full, power: null, current: null });
    expect((await rowsOf(lamp.id)).map(({ values }) => values)).toEqual([full, { power: 3 }, {}]);
  });

  it('of a gateway carry those of its children, and of nobody else', async () => {
    const { body } = await send(gateway, [
      message([reading(0, { voltageA: 228 })]),
      message([reading()], { deviceId: child }),
      message([reading()], { deviceId: String(lamp.id) }),
      message([reading()], { deviceId: 999_999_999 }),
    ]);
    expect(body.messages.map(({ status, problems }) => [status, problems[0]?.reason])).toEqual([
      ['accepted', undefined],
      ['accepted', undefined],
      ['refused', 'foreignChild'],
      ['refused', 'unknownDevice'],
    ]);
    expect(body).toMatchObject({ stored: 2, refused: 2 });
    expect(await rowsOf(child)).toHaveLength(1);
    expect(await rowsOf(lamp.id)).toHaveLength(0);
  });

  it('come as lines too, and packed', async () => {
    const lines = [message([reading(2)]), message([reading(1)])].map((one) => JSON.stringify(one)).join('\n');
    expect((await send(lamp, lines, { type: 'application/x-ndjson' })).body).toMatchObject({ stored: 2 });
    const packings = { gzip: gzipSync, br: brotliCompressSync, deflate: deflateSync };
    for (const [at, [name, pack]] of Object.entries(packings).entries())
      expect(
        (await send(lamp, pack(JSON.stringify(message([reading(10 + at)]))), { 'content-encoding': name })).body,
        name,
      ).toMatchObject({ stored: 1 });
  });

  it('tell everything that is wrong at once, and keep what is right', async () => {
    const good = JSON.stringify(message());
    const { body } = await send(
      lamp,
      `[${good}, {"sentAt": }, {"sentAt":"noon","readings":[]}, ${JSON.stringify(message([reading(-11), reading(401 * 1440), reading(3, { ...full, voltage: 999, mystery: 1 }), reading(4, {}), reading(5, { level: null })]))}, {"a":{"__proto__":1}}, ${JSON.stringify({ ...message(), sentAt: '1970-01-01T00:00:01Z' })}, ${JSON.stringify(message([reading()], { deviceId: 'x' }))}]`,
    );
    expect(
      body.messages.map(({ status, problems }) => [
        status,
        problems.map(({ reading: place, reason }) => [place, reason]),
      ]),
    ).toEqual([
      ['accepted', []],
      ['refused', [[null, 'notJson']]],
      ['refused', [[null, 'schema']]],
      [
        'accepted',
        [
          [0, 'future'],
          [1, 'tooOld'],
          [2, 'unknownValue'],
          [2, 'implausibleValue'],
          [3, 'noValues'],
        ],
      ],
      ['refused', [[null, 'forbiddenName']]],
      ['refused', [[null, 'noClock']]],
      ['refused', [[null, 'schema']]],
    ]);
    expect(body).toMatchObject({ stored: 3, refused: 5 });
    expect((await rowsOf(lamp.id)).map(({ quality }) => quality)).toEqual([0, 3, 0]);
    // Fifty years that somebody has no clock are nobody's delay.
    expect(Math.max(...ages)).toBeLessThan(60_000);
  });
});

describe('a request is refused', () => {
  it('without credentials, with wrong ones, and with those of a session or of another device', async () => {
    const none = await send(null, message());
    expect([none.status, none.body.code, none.headers['www-authenticate']]).toEqual([
      401,
      1103,
      'Basic realm="devices", charset="UTF-8"',
    ]);
    const basic = (text: string) => ({ id: 0, authorization: `Basic ${Buffer.from(text).toString('base64')}` });
    expect((await send(basic(`${clientIdOf(lamp.id)}:wrong`), message())).status).toBe(401);
    expect((await send(basic('lampyris-batch-1:secret'), message())).status).toBe(401);
    expect((await send({ id: 0, authorization: site.adminToken }, message())).status).toBe(401);
    const crossed = Buffer.from(gateway.authorization.slice(6), 'base64')
      .toString()
      .replace(clientIdOf(gateway.id), clientIdOf(lamp.id));
    expect((await send(basic(crossed), message())).status).toBe(401);
    expect(await rowsOf(lamp.id)).toHaveLength(0);
  });

  it('behind an address that guesses: strangers are checked in turn or told to come later, a device that was right from there goes on at once, another waits its turn', async () => {
    const from = '192.0.2.9';
    // What an address may guess comes back by the second: not while this goes on, however slowly.
    vi.useFakeTimers({ toFake: ['performance'] });
    onTestFinished(() => void vi.useRealTimers());
    const guess = (id: number) =>
      send(
        { id: 0, authorization: `Basic ${Buffer.from(`${clientIdOf(id)}:wrong`).toString('base64')}` },
        message(),
        {},
        from,
      );
    expect((await send(lamp, message(), {}, from)).status).toBe(200);
    for (let round = 0; round < 16; round += 1)
      await Promise.all(Array.from({ length: 20 }, (_, index) => guess(10_000 + round * 20 + index)));
    const before = checks;
    const { promise, resolve: release } = Promise.withResolvers<void>();
    held = promise;
    const beginning = send(gateway, message([reading(0, { voltageA: 228 })]), {}, from);
    const flood = Promise.all(Array.from({ length: 220 }, (_, index) => guess(20_000 + index)));
    const at = await send(lamp, message([reading(1)]), {}, from);
    const during = checks - before;
    release();
    const late = (await flood).filter(({ status }) => status === 429);
    // One of the strangers is being checked at most, two hundred wait.
    expect([at.status, during <= 3, (await beginning).status]).toEqual([200, true, 200]);
    expect([late.length > 0, late.every(({ headers }) => headers['retry-after'] === '5'), checks - before]).toEqual([
      true,
      true,
      222 - late.length,
    ]);
  });

  it('when one device asks too often in a minute', async () => {
    for (let tries = 0; tries < 20; tries += 1) expect((await send(lamp, [])).status).toBe(200);
    expect((await send(lamp, message())).status).toBe(429);
    expect((await send(gateway, [])).status).toBe(200);
    await clock.advance(60_000);
    expect((await send(lamp, message())).status).toBe(200);
  });

  it('when too much is said of a child: nothing of it is taken, and it says when to come again; what speaks of others is taken', async () => {
    const sibling = await givenDevice(db, { parentId: gateway.id });
    const many = (of: number) =>
      Array.from({ length: 42 }, (_, at) =>
        message(
          Array.from({ length: 500 }, (_unused, index) => ({
            at: timeText(now() - (at * 500 + index) * 1000),
            values: { level: 1 },
          })),
          { deviceId: of },
        ),
      );
    expect((await send(gateway, many(child))).body).toMatchObject({ stored: 21_000 });
    const told = ingest.stats().rests;
    const late = await send(gateway, [
      message([reading()], { deviceId: sibling }),
      message([reading()], { deviceId: child }),
      message([reading(1)], { deviceId: child }),
    ]);
    // Told once, however often it was asked whether there is a debt.
    expect([ingest.debtMs(gateway.id), ingest.stats().rests - told]).toEqual([0, 1]);
    expect([late.status, Number(late.headers['retry-after'])]).toEqual([
      429,
      expect.toSatisfy((seconds: number) => seconds > 60 && seconds <= 100),
    ]);
    expect([await rowsOf(sibling), ingest.stats().slowed]).toEqual([[], [gateway.id]]);
    expect(
      (await send(gateway, [message([reading()], { deviceId: sibling }), message([reading(0, { voltageA: 228 })])]))
        .body,
    ).toMatchObject({ stored: 2 });
    expect(await rowsOf(child)).toHaveLength(21_000);
  });

  it('when its device has said too much: before its body is looked at, until that is paid', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    onTestFinished(() => void vi.useRealTimers());
    const many = Array.from({ length: 41 }, (_, at) =>
      message(
        Array.from({ length: 500 }, (_unused, index) => ({
          at: timeText(now() - (at * 500 + index) * 1000),
          values: { level: 1 },
        })),
      ),
    );
    expect((await send(lamp, many)).body).toMatchObject({ stored: 20_500 });
    const told = ingest.stats().rests;
    const late = await send(lamp, '[{');
    expect([late.status, Number(late.headers['retry-after']), ingest.stats().rests - told]).toEqual([429, 50, 1]);
    vi.advanceTimersByTime(50_000);
    expect((await send(lamp, '[{')).status).toBe(400);
  });

  it.each<[string, unknown, Record<string, string>, number]>([
    ['for a type it does not know', 'x', { type: 'text/plain' }, 415],
    ['for a list that does not close', '[{"a":1}', {}, 400],
    ['for what does not unpack', Buffer.from('no gzip at all'), { 'content-encoding': 'gzip' }, 400],
    ['for too many messages', `[${'1,'.repeat(1000)}1]`, {}, 413],
    [
      'for too much that is packed into little',
      gzipSync(Buffer.alloc(9 * 1024 * 1024, 0x20)),
      { 'content-encoding': 'gzip' },
      413,
    ],
  ])('%s', async (_name, body, headers, status) => expect((await send(lamp, body, headers)).status).toBe(status));

  it('for a while when the database does not take it; it is stored once the database is back, and sending again is safe', async () => {
    limits.answerMs = 20;
    const { promise: back, resolve: comesBack } = Promise.withResolvers<void>();
    const { promise: away, resolve: goesAway } = Promise.withResolvers<void>();
    const held = db.transaction().execute(async (tx) => {
      await sql`LOCK TABLE device_latest IN EXCLUSIVE MODE`.execute(tx);
      goesAway();
      await back;
    });
    await away;
    const sent = message();
    const before = ingest.stats().messages;
    const late = await send(lamp, sent);
    expect([late.status, late.headers['retry-after']]).toEqual([503, '5']);
    // What waits for the database counts as in memory, answered or not.
    limits.bytesInWork = Buffer.byteLength(JSON.stringify(sent)) + 100;
    expect((await send(gateway, message([reading(1, { voltageA: 228 })]))).status).toBe(503);
    limits.bytesInWork = 16_000_000;
    limits.messagesInWork = 1;
    expect((await send(gateway, message([reading(1, { voltageA: 228 })]))).status).toBe(503);
    expect(ingest.stats().messages).toBe(before + 1);
    limits.messagesInWork = 1000;
    limits.answerMs = 30_000;
    comesBack();
    await held;
    expect((await send(lamp, sent)).body).toMatchObject({ stored: 0, duplicates: 1, refused: 0 });
    expect(await rowsOf(lamp.id)).toHaveLength(1);
  });

  it('for a while when more is on its way than may be in memory; nothing of it stays there', async () => {
    limits.bytesInWork = 200_000;
    const large = Buffer.from(' '.repeat(150_000));
    const replies = await Promise.all([1, 2, 3, 4].map(() => send(lamp, large)));
    for (const { status } of replies) expect([200, 503]).toContain(status);
    expect((await send(lamp, ' '.repeat(300_000))).status).toBe(503);
    expect((await send(lamp, large)).status).toBe(200);
  });
});
