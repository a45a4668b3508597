import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { topicOf } from '../../../protocols/mqtt-json/topics.ts';
import { httpSite } from './testing/http-site.ts';

const site = await httpSite();
const { ingest, ages, db, full, reading, message, send, rowsOf } = site;

describe('readings over HTTP', () => {
  it('are in the history and the latest values when they are answered', async () => {
    const { status, body } = await send(site.lamp, message([reading(1), reading()]));
    expect([status, body]).toEqual([
      200,
      {
        stored: 2,
        duplicates: 0,
        refused: 0,
        messages: [{ status: 'accepted', stored: 2, duplicates: 0, problems: [] }],
      },
    ]);
    expect(await rowsOf(site.lamp.id)).toHaveLength(2);
    expect(
      await db.selectFrom('device_latest').select('values').where('device_id', '=', site.lamp.id).executeTakeFirst(),
    ).toEqual({ values: full });
  });

  it('sent again are duplicates, over MQTT or HTTP, also within one request', async () => {
    await ingest.take({
      topic: topicOf({ kind: 'readings', deviceId: site.lamp.id, viaId: null }),
      username: null,
      payload: Buffer.from(JSON.stringify(message())),
    });
    expect(
      (await send(site.lamp, [message(), message([reading(), reading(5)]), message([reading(5)])])).body,
    ).toMatchObject({
      stored: 1,
      duplicates: 3,
      refused: 0,
      messages: [
        { status: 'duplicate', duplicates: 1 },
        { status: 'accepted', stored: 1, duplicates: 1 },
        { status: 'duplicate', duplicates: 1 },
      ],
    });
    expect(await rowsOf(site.lamp.id)).toHaveLength(2);
  });

  it('of one instant are kept as the first of them says, in the history, the latest values and the answer', async () => {
    const several = (minutesAgo: number) => [
      reading(minutesAgo, { level: 10 }),
      reading(minutesAgo, { level: 20, power: 9 }),
      reading(minutesAgo, { level: 30 }),
    ];
    const { body } = await send(site.lamp, [
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
    expect((await rowsOf(site.lamp.id)).map(({ values, quality }) => [values, quality])).toEqual([
      [{ level: 10 }, 0],
      [{ level: 10 }, 0],
      [{}, 3],
    ]);
    expect(
      await db.selectFrom('device_latest').select('values').where('device_id', '=', site.lamp.id).executeTakeFirst(),
    ).toEqual({ values: { level: 10 } });
  });

  it('of nulls alone end what is known, which an older one does not undo; the history has no nulls', async () => {
    const known = async () =>
      (await db.selectFrom('device_latest').select('values').where('device_id', '=', site.lamp.id).executeTakeFirst())
        ?.values;
    await send(site.lamp, message([reading(5)]));
    expect((await send(site.lamp, message([reading(3, { power: null, current: null })]))).body).toMatchObject({
      stored: 1,
      messages: [{ status: 'accepted', problems: [] }],
    });
    await send(site.lamp, message([reading(4, { power: 3 })]));
    expect(await known()).toEqual({ ...full, power: null, current: null });
    expect((await rowsOf(site.lamp.id)).map(({ values }) => values)).toEqual([full, { power: 3 }, {}]);
  });

  it('of a gateway carry those of its children, and of nobody else', async () => {
    const { body } = await send(site.gateway, [
      message([reading(0, { voltageA: 228 })]),
      message([reading()], { deviceId: site.child }),
      message([reading()], { deviceId: String(site.lamp.id) }),
      message([reading()], { deviceId: 999_999_999 }),
    ]);
    expect(body.messages.map(({ status, problems }) => [status, problems[0]?.reason])).toEqual([
      ['accepted', undefined],
      ['accepted', undefined],
      ['refused', 'foreignChild'],
      ['refused', 'unknownDevice'],
    ]);
    expect(body).toMatchObject({ stored: 2, refused: 2 });
    expect(await rowsOf(site.child)).toHaveLength(1);
    expect(await rowsOf(site.lamp.id)).toHaveLength(0);
  });

  it('come as lines too, and packed', async () => {
    const lines = [message([reading(2)]), message([reading(1)])].map((one) => JSON.stringify(one)).join('\n');
    expect((await send(site.lamp, lines, { type: 'application/x-ndjson' })).body).toMatchObject({ stored: 2 });
    const packings = { gzip: gzipSync, br: brotliCompressSync, deflate: deflateSync };
    for (const [at, [name, pack]] of Object.entries(packings).entries())
      expect(
        (await send(site.lamp, pack(JSON.stringify(message([reading(10 + at)]))), { 'content-encoding': name })).body,
        name,
      ).toMatchObject({ stored: 1 });
  });

  it('tell everything that is wrong at once, and keep what is right', async () => {
    const good = JSON.stringify(message());
    const { body } = await send(
      site.lamp,
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
    expect((await rowsOf(site.lamp.id)).map(({ quality }) => quality)).toEqual([0, 3, 0]);
    // Fifty years that somebody has no clock are nobody's delay.
    expect(Math.max(...ages)).toBeLessThan(60_000);
  });
});
