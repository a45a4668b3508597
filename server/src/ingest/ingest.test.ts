import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { encode, timeText } from '../../../protocols/mqtt-json/codec.ts';
import { topicOf } from '../../../protocols/mqtt-json/topics.ts';
import { connectDevice, givenCredentials, givenDevice } from '../testing/devices.ts';
import { DevicesHeard } from './devices-heard.ts';
import { ingestSite } from './testing/ingest-site.ts';

const site = await ingestSite();
const { db, start, clock, bus, stored, lines, ingest, full, now, send, rowsOf, latestOf, refused } = site;

describe('one reading', () => {
  it('is in the history and the latest values once it is acknowledged', async () => {
    const lamp = await givenDevice(db);
    const client = await connectDevice(site.url, lamp, await givenCredentials(db, lamp));
    await client.publishAsync(
      topicOf({ kind: 'readings', deviceId: lamp, viaId: null }),
      encode({ sentAt: timeText(now()), readings: [{ at: timeText(now() - 500), values: full }] }),
      { qos: 1 },
    );
    expect(await rowsOf(lamp)).toEqual([{ at: new Date(now() - 500), quality: 0, values: full, rejected: null }]);
    expect(await latestOf(lamp)).toMatchObject({ at: new Date(now() - 500), values: full, clock_offset_ms: 0 });
    await expect.poll(() => stored).toContain(lamp);
  });

  it('changes nothing when it is sent again, and the first one stays', async () => {
    const lamp = await givenDevice(db);
    await send(lamp, [[now(), full]]);
    await send(lamp, [
      [now(), { ...full, level: 10 }],
      [now(), { ...full, level: 20 }],
    ]);
    expect(await rowsOf(lamp)).toHaveLength(1);
    expect(await rowsOf(lamp)).toMatchObject([{ values: full }]);
  });

  it('after the clock was set back is the latest again once what is stored was healed, and what was registered meanwhile is heard of', async () => {
    const lamp = await givenDevice(db);
    clock.set(new Date(start + 3_600_000));
    await send(lamp, [[now(), full]]);
    clock.set(new Date(start + 60_000));
    const controller = await givenDevice(db, { family: 'central-controller' });
    await db.updateTable('device').set({ parent_id: controller }).where('id', '=', lamp).execute();
    await db
      .updateTable('device_latest')
      .set({ at: clock.now(), received_at: clock.now() })
      .where('device_id', '=', lamp)
      .execute();
    clock.set(new Date(start + 120_000));
    await send(lamp, [[now(), { ...full, level: 70 }]], { viaId: controller });
    expect(await latestOf(lamp)).toMatchObject({ at: clock.now(), values: { level: 70 } });
    clock.set(new Date(start));
  });

  it('that is late goes into the history and not over newer values', async () => {
    const lamp = await givenDevice(db);
    await send(lamp, [[now(), full]]);
    await send(lamp, [
      [now() - 3_600_000, { ...full, level: 100 }],
      [now() - 90 * 86_400_000, full],
    ]);
    expect(await rowsOf(lamp)).toHaveLength(3);
    expect(await latestOf(lamp)).toMatchObject({ at: new Date(now()), values: full });
  });

  it('that carries only some values keeps the others in the latest ones', async () => {
    const lamp = await givenDevice(db);
    await send(lamp, [
      [now() - 1000, full],
      [now(), { level: 0, power: 0 }],
    ]);
    expect(await latestOf(lamp)).toMatchObject({ values: { ...full, level: 0, power: 0 } });
    let at = now();
    const next = async (values: Record<string, unknown>) => {
      await send(lamp, [[(at += 1000), values]]);
      return (await latestOf(lamp))?.values;
    };
    // Whatever names come after which, in whatever order: as if all were told one after the other.
    let all: Record<string, unknown> = { ...full, level: 0, power: 0 };
    for (const values of [
      { power: 1, level: 1 },
      { level: 2, power: 2 },
      { voltage: 230 },
      { voltage: 231 },
      { ...full, level: 3 },
      { ...full, level: 4 },
      { temperature: 20 },
      { ...full, level: 5 },
      { relay: false, temperature: 21 },
    ]) {
      all = { ...all, ...values };
      expect(await next(values)).toEqual(all);
    }
  });

  it('of which the device says that it is not known any more is not known: null in what is known now, nothing in the history', async () => {
    const lamp = await givenDevice(db);
    await send(lamp, [[now() - 4000, full]]);
    await send(lamp, [[now() - 3000, { ...full, current: 0, powerFactor: null }]]);
    expect((await latestOf(lamp))?.values).toEqual({ ...full, current: 0, powerFactor: null });
    // Several at once are told one after the other.
    await send(lamp, [
      [now() - 2000, { ...full, powerFactor: 0.9 }],
      [now() - 1000, { powerFactor: null, level: 0 }],
    ]);
    expect((await latestOf(lamp))?.values).toEqual({ ...full, current: 0, powerFactor: null, level: 0 });
    await send(lamp, [[now(), { ...full, powerFactor: 0.9 }]]);
    expect((await latestOf(lamp))?.values).toEqual({ ...full, current: 0, powerFactor: 0.9 });
    expect((await rowsOf(lamp)).map(({ values }) => (values as Record<string, unknown>)['powerFactor'])).toEqual([
      undefined,
      undefined,
      0.9,
      undefined,
      0.9,
    ]);
  });

  it('with values out of range or of the wrong type is kept without them, marked invalid', async () => {
    const lamp = await givenDevice(db);
    await send(lamp, [[now(), { ...full, voltage: 999, power: 'much', mystery: 1, temperature: null }]]);
    const { voltage: _voltage, power: _power, ...believed } = full;
    expect(await rowsOf(lamp)).toEqual([
      {
        at: clock.now(),
        quality: 3,
        values: believed,
        rejected: [
          { key: 'power', rule: 'type' },
          { key: 'voltage', rule: 'range', value: 999 },
        ],
      },
    ]);
  });

  it('that its device calls estimated is kept as such and is the latest; invalid is said rather', async () => {
    const lamp = await givenDevice(db);
    await send(lamp, [
      [now() - 1000, full, 'estimated'],
      [now(), { ...full, voltage: 999 }, 'estimated'],
    ]);
    expect((await rowsOf(lamp)).map(({ quality }) => quality)).toEqual([1, 3]);
    expect(await latestOf(lamp)).toMatchObject({ at: clock.now() });
  });

  it('that is an older value told again stands in the history only', async () => {
    const lamp = await givenDevice(db);
    await send(lamp, [
      [now() - 1000, full],
      [now(), { ...full, level: 0 }, 'stale'],
    ]);
    expect((await rowsOf(lamp)).map(({ quality }) => quality)).toEqual([0, 2]);
    expect(await latestOf(lamp)).toMatchObject({ at: new Date(now() - 1000), values: full });
  });

  it('with the time of the latest one changes neither it nor the history', async () => {
    const lamp = await givenDevice(db);
    await send(lamp, [[now(), full]]);
    await send(lamp, [[now(), { ...full, level: 1 }]]);
    expect(await latestOf(lamp)).toMatchObject({ values: full });
  });

  it('that comes late into an hour that was closed has it rolled up anew, once', async () => {
    const lamp = await givenDevice(db);
    const closed = new Date(start - 3_600_000);
    await sql`UPDATE rollup_state SET closed_to = ${closed}`.execute(db);
    await send(lamp, [
      [start - 4_000_000, full],
      [start - 4_000_001, full],
      [now(), full],
    ]);
    await sql`UPDATE rollup_state SET closed_to = '-infinity'`.execute(db);
    const { rows } = await sql<{ at: Date }>`SELECT at FROM rollup_late WHERE device_id = ${lamp}`.execute(db);
    expect(rows).toEqual([{ at: new Date('2026-11-21T10:00:00Z') }]);
  });

  it('of a lamp behind a controller is taken from that controller only', async () => {
    const [controller, other] = [
      await givenDevice(db, { family: 'central-controller' }),
      await givenDevice(db, { family: 'central-controller' }),
    ];
    const lamp = await givenDevice(db, { parentId: controller });
    await send(lamp, [[now(), full]], { viaId: controller });
    const before = refused('foreignChild');
    await send(lamp, [[now() + 1, full]], { viaId: other });
    expect(await rowsOf(lamp)).toHaveLength(1);
    expect(refused('foreignChild')).toBe(before + 1);
  });

  it('of a lamp that somebody moved is taken from its new controller as soon as that is told; until then nothing is read again', async () => {
    const [controller, other] = [
      await givenDevice(db, { family: 'central-controller' }),
      await givenDevice(db, { family: 'central-controller' }),
    ];
    const lamp = await givenDevice(db, { parentId: controller });
    await send(lamp, [[now(), full]], { viaId: controller });
    await db.updateTable('device').set({ parent_id: other }).where('id', '=', lamp).execute();
    await send(lamp, [[now() + 1, full]], { viaId: controller });
    bus.publish('register.changed', {});
    const before = refused('foreignChild');
    await Promise.all([
      send(lamp, [[now() + 2, full]], { viaId: controller }),
      send(lamp, [[now() + 3, full]], { viaId: other }),
    ]);
    expect((await rowsOf(lamp)).map(({ at }) => at.getTime() - now())).toEqual([0, 1, 3]);
    expect(refused('foreignChild')).toBe(before + 1);
  });

  it('of a device that somebody changes just while it is looked up is judged by the change from the next one on', async () => {
    const [controller, other] = [
      await givenDevice(db, { family: 'central-controller' }),
      await givenDevice(db, { family: 'central-controller' }),
    ];
    const lamp = await givenDevice(db, { parentId: controller });
    const devices = new DevicesHeard(db);
    const reading = devices.load(new Set([lamp]), now());
    devices.registerChanged();
    expect((await reading).get(lamp)?.parentId).toBe(controller);
    await db.updateTable('device').set({ parent_id: other }).where('id', '=', lamp).execute();
    expect((await devices.load(new Set([lamp]), now())).get(lamp)?.parentId).toBe(other);
  });

  it('of a clock five minutes behind is told in right time, and the offset is kept', async () => {
    const lamp = await givenDevice(db);
    await send(lamp, [[now() - 300_000, full]], { sentAt: now() - 300_000 });
    expect(await rowsOf(lamp)).toMatchObject([{ at: clock.now() }]);
    expect(await latestOf(lamp)).toMatchObject({ clock_offset_ms: 300_000 });
  });

  it('of the far future or past is refused, its neighbours are kept', async () => {
    const lamp = await givenDevice(db);
    await send(lamp, [
      [now() + 11 * 60_000, full],
      [now() - 401 * 86_400_000, full],
      [now(), full],
    ]);
    expect(await rowsOf(lamp)).toHaveLength(1);
    expect([refused('future'), refused('tooOld')]).toEqual([1, 1]);
  });

  it('of a device without a clock, or of nobody, is refused', async () => {
    const lamp = await givenDevice(db);
    await send(lamp, [[1000, full]], { sentAt: 1000 });
    await send(999_999_999, [[now(), full]]);
    expect(await rowsOf(lamp)).toHaveLength(0);
    expect([refused('noClock'), refused('unknownDevice')]).toEqual([1, 1]);
  });
});

describe('a link', () => {
  const status = (deviceId: number, body: object) =>
    ingest.take({
      topic: topicOf({ kind: 'status', deviceId, viaId: null }),
      payload: Buffer.from(JSON.stringify(body)),
      username: null,
    });

  it('that came is known, one that broke is an event', async () => {
    const lamp = await givenDevice(db);
    await status(lamp, { online: true, at: timeText(now()), settingsVersion: 7 });
    expect(await latestOf(lamp)).toMatchObject({
      connected: true,
      settings_version: 7,
      connection_changed_at: clock.now(),
    });
    await status(lamp, { online: false });
    // A device that says good-bye itself knows the time; the broker, in its name, does not.
    await status(lamp, { online: false, at: timeText(now()) });
    expect(lines.filter(([id]) => id === lamp)).toEqual([
      [lamp, true, false],
      [lamp, false, true],
      [lamp, false, false],
    ]);
    expect(await latestOf(lamp)).toMatchObject({ connected: false, settings_version: 7 });
    await status(lamp, { online: false });
    const events = await db.selectFrom('device_event').select('kind').where('device_id', '=', lamp).execute();
    expect(events.map((event) => event.kind)).toEqual(['disconnected']);
  });

  it('that breaks is told by the last will', async () => {
    const lamp = await givenDevice(db);
    const topic = topicOf({ kind: 'status', deviceId: lamp, viaId: null });
    const client = await connectDevice(site.url, lamp, await givenCredentials(db, lamp), {
      will: { topic, payload: Buffer.from('{"online":false}'), qos: 1, retain: true },
    });
    await client.publishAsync(topic, `{"online":true,"at":"${timeText(now())}"}`, { qos: 1, retain: true });
    expect(await latestOf(lamp)).toMatchObject({ connected: true });
    client.stream.destroy();
    await expect.poll(async () => (await latestOf(lamp))?.connected).toBe(false);
  });
});

describe('bad messages', () => {
  it('are acknowledged, counted and disturb nobody', async () => {
    const lamp = await givenDevice(db);
    const client = await connectDevice(site.url, lamp, await givenCredentials(db, lamp));
    const topic = topicOf({ kind: 'readings', deviceId: lamp, viaId: null });
    const bad = [
      '',
      'not json',
      '{"sentAt":1}',
      `{"sentAt":"${timeText(now())}","readings":[{"at":"${timeText(now())}","values":{"level":NaN}}]}`,
      `{"sentAt":"${timeText(now())}","readings":[{"at":"${timeText(now())}","values":{"level":1e400}}]}`,
      '['.repeat(30_000),
      ' '.repeat(65_537),
      '{"__proto__":{"x":1}}',
      'null',
    ];
    const before = ingest.stats();
    const count = (counts: Readonly<Record<string, number>>) => Object.values(counts).reduce((sum, n) => sum + n, 0);
    const good = encode({ sentAt: timeText(now()), readings: [{ at: timeText(now()), values: full }] });
    await Promise.all([...bad, good].map((payload) => client.publishAsync(topic, payload, { qos: 1 })));
    expect(count(ingest.stats().refused) - count(before.refused)).toBe(bad.length);
    expect(await rowsOf(lamp)).toHaveLength(1);
    expect(({} as Record<string, unknown>)['x']).toBeUndefined();
  });
});

describe('many readings', () => {
  it('of many devices are stored together; the numbers add up', async () => {
    const lamps = await Promise.all(Array.from({ length: 200 }, () => givenDevice(db)));
    const before = ingest.stats();
    await Promise.all(
      lamps.flatMap((lamp) => Array.from({ length: 20 }, (_, minute) => send(lamp, [[now() - minute * 60_000, full]]))),
    );
    const { readings, batches } = ingest.stats();
    expect(readings - before.readings).toBe(4000);
    expect(batches - before.batches).toBeLessThan(100);
    const { rows } = await sql<{
      n: number;
    }>`SELECT count(*)::int AS n FROM reading WHERE device_id = ANY(${lamps}::bigint[])`.execute(db);
    expect(rows[0]?.n).toBe(4000);
  });
});
