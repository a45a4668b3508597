import { gzipSync } from 'node:zlib';
import { sql } from 'kysely';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { timeText } from '../../../protocols/mqtt-json/codec.ts';
import { clientIdOf } from '../../../protocols/mqtt-json/topics.ts';
import { givenDevice } from '../testing/devices.ts';
import { httpSite } from './testing/http-site.ts';

const site = await httpSite();
const { ingest, limits, adminToken, db, clock, now, reading, message, send, rowsOf } = site;

describe('a request is refused', () => {
  it('without credentials, with wrong ones, and with those of a session or of another device', async () => {
    const none = await send(null, message());
    expect([none.status, none.body.code, none.headers['www-authenticate']]).toEqual([
      401,
      1103,
      'Basic realm="devices", charset="UTF-8"',
    ]);
    const basic = (text: string) => ({ id: 0, authorization: `Basic ${Buffer.from(text).toString('base64')}` });
    expect((await send(basic(`${clientIdOf(site.lamp.id)}:wrong`), message())).status).toBe(401);
    expect((await send(basic('lampyris-batch-1:secret'), message())).status).toBe(401);
    expect((await send({ id: 0, authorization: adminToken }, message())).status).toBe(401);
    const crossed = Buffer.from(site.gateway.authorization.slice(6), 'base64')
      .toString()
      .replace(clientIdOf(site.gateway.id), clientIdOf(site.lamp.id));
    expect((await send(basic(crossed), message())).status).toBe(401);
    expect(await rowsOf(site.lamp.id)).toHaveLength(0);
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
    expect((await send(site.lamp, message(), {}, from)).status).toBe(200);
    for (let round = 0; round < 16; round += 1)
      await Promise.all(Array.from({ length: 20 }, (_, index) => guess(10_000 + round * 20 + index)));
    const before = site.checks;
    const { promise, resolve: release } = Promise.withResolvers<void>();
    site.held = promise;
    const beginning = send(site.gateway, message([reading(0, { voltageA: 228 })]), {}, from);
    const flood = Promise.all(Array.from({ length: 220 }, (_, index) => guess(20_000 + index)));
    const at = await send(site.lamp, message([reading(1)]), {}, from);
    const during = site.checks - before;
    release();
    const late = (await flood).filter(({ status }) => status === 429);
    // One of the strangers is being checked at most, two hundred wait.
    expect([at.status, during <= 3, (await beginning).status]).toEqual([200, true, 200]);
    expect([
      late.length > 0,
      late.every(({ headers }) => headers['retry-after'] === '5'),
      site.checks - before,
    ]).toEqual([true, true, 222 - late.length]);
  });

  it('when one device asks too often in a minute', async () => {
    for (let tries = 0; tries < 20; tries += 1) expect((await send(site.lamp, [])).status).toBe(200);
    expect((await send(site.lamp, message())).status).toBe(429);
    expect((await send(site.gateway, [])).status).toBe(200);
    await clock.advance(60_000);
    expect((await send(site.lamp, message())).status).toBe(200);
  });

  it('when too much is said of a child: nothing of it is taken, and it says when to come again; what speaks of others is taken', async () => {
    const sibling = await givenDevice(db, { parentId: site.gateway.id });
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
    expect((await send(site.gateway, many(site.child))).body).toMatchObject({ stored: 21_000 });
    const told = ingest.stats().rests;
    const late = await send(site.gateway, [
      message([reading()], { deviceId: sibling }),
      message([reading()], { deviceId: site.child }),
      message([reading(1)], { deviceId: site.child }),
    ]);
    // Told once, however often it was asked whether there is a debt.
    expect([ingest.debtMs(site.gateway.id), ingest.stats().rests - told]).toEqual([0, 1]);
    expect([late.status, Number(late.headers['retry-after'])]).toEqual([
      429,
      expect.toSatisfy((seconds: number) => seconds > 60 && seconds <= 100),
    ]);
    expect([await rowsOf(sibling), ingest.stats().slowed]).toEqual([[], [site.gateway.id]]);
    expect(
      (
        await send(site.gateway, [
          message([reading()], { deviceId: sibling }),
          message([reading(0, { voltageA: 228 })]),
        ])
      ).body,
    ).toMatchObject({ stored: 2 });
    expect(await rowsOf(site.child)).toHaveLength(21_000);
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
    expect((await send(site.lamp, many)).body).toMatchObject({ stored: 20_500 });
    const told = ingest.stats().rests;
    const late = await send(site.lamp, '[{');
    expect([late.status, Number(late.headers['retry-after']), ingest.stats().rests - told]).toEqual([429, 50, 1]);
    vi.advanceTimersByTime(50_000);
    expect((await send(site.lamp, '[{')).status).toBe(400);
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
  ])('%s', async (_name, body, headers, status) => expect((await send(site.lamp, body, headers)).status).toBe(status));

  it('for a while when the database does not take it; it is stored once the database is back, and sending again is safe', async () => {
    limits.answerMs = 20;
    const { promise: back, resolve: comesBack } = Promise.withResolvers<void>();
    const { promise: away, resolve: goesAway } = Promise.withResolvers<void>();
    const locked = db.transaction().execute(async (tx) => {
      await sql`LOCK TABLE device_latest IN EXCLUSIVE MODE`.execute(tx);
      goesAway();
      await back;
    });
    await away;
    const sent = message();
    const before = ingest.stats().messages;
    const late = await send(site.lamp, sent);
    expect([late.status, late.headers['retry-after']]).toEqual([503, '5']);
    // What waits for the database counts as in memory, answered or not.
    limits.bytesInWork = Buffer.byteLength(JSON.stringify(sent)) + 100;
    expect((await send(site.gateway, message([reading(1, { voltageA: 228 })]))).status).toBe(503);
    limits.bytesInWork = 16_000_000;
    limits.messagesInWork = 1;
    expect((await send(site.gateway, message([reading(1, { voltageA: 228 })]))).status).toBe(503);
    expect(ingest.stats().messages).toBe(before + 1);
    limits.messagesInWork = 1000;
    limits.answerMs = 30_000;
    comesBack();
    await locked;
    expect((await send(site.lamp, sent)).body).toMatchObject({ stored: 0, duplicates: 1, refused: 0 });
    expect(await rowsOf(site.lamp.id)).toHaveLength(1);
  });

  it('for a while when more is on its way than may be in memory; nothing of it stays there', async () => {
    limits.bytesInWork = 200_000;
    const large = Buffer.from(' '.repeat(150_000));
    const replies = await Promise.all([1, 2, 3, 4].map(() => send(site.lamp, large)));
    for (const { status } of replies) expect([200, 503]).toContain(status);
    expect((await send(site.lamp, ' '.repeat(300_000))).status).toBe(503);
    expect((await send(site.lamp, large)).status).toBe(200);
  });
});
