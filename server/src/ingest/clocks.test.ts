import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { encode, timeText } from '../../../protocols/mqtt-json/codec.ts';
import { topicOf } from '../../../protocols/mqtt-json/topics.ts';
import type { MqttClient } from 'mqtt';
import { createLamps, lampsRoutes } from '../light/lamps/index.ts';
import { commandOffice } from '../testing/command-office.ts';
import { connectDevice, givenCredentials, givenDevice, listen } from '../testing/devices.ts';

const start = Date.parse('2026-11-21T12:00:00Z');
const office = await commandOffice(start, {
  alsoRoutes: ({ db, clock }) =>
    lampsRoutes(createLamps({ db, clock, periods: { litSeconds: 900, unlitSeconds: 3600 } })),
});
const { db, call, clock, now, ask, detail, dispatcher, ingest } = office;
const [second, minute, hour, day] = [1000, 60_000, 3_600_000, 86_400_000];

/** A lamp whose clock is `ahead` of ours, with a line of its own. */
async function lampWith(first: number) {
  const id = await givenDevice(db);
  const password = await givenCredentials(db, id);
  let ahead = first;
  let client: MqttClient;
  let heard: ReturnType<typeof listen>;
  const connect = async () => {
    client = await connectDevice(`mqtt://127.0.0.1:${office.broker.port}`, id, password);
    heard = listen(client);
    await client.subscribeAsync(topicOf({ kind: 'commands', deviceId: id, viaId: null }), { qos: 1 });
  };
  await connect();
  const say = (kind: 'readings' | 'acks' | 'status', payload: Buffer) =>
    client.publishAsync(topicOf({ kind, deviceId: id, viaId: null }), payload, { qos: 1 });
  return {
    id,
    set: (to: number) => {
      ahead = to;
    },
    clockNow: () => now() + ahead,
    reconnect: async () => {
      await client.endAsync(true);
      await connect();
      await say('status', encode({ online: true, at: timeText(now() + ahead) }));
    },
    /** A reading of now, or one that was made and signed `late` ago. */
    report: (level: number, late = 0) =>
      say(
        'readings',
        encode({
          sentAt: timeText(now() + ahead - late),
          readings: [{ at: timeText(now() + ahead - late), values: { level, relay: level > 0, power: level } }],
        }),
      ),
    accept: (commandId: unknown) =>
      say('acks', encode({ commandId: String(commandId), accepted: true, executedAt: timeText(now() + ahead) })),
    hear: async () => (await heard.take()).message,
  };
}
/** What is in the history: how long before now (ms), and the level. */
const history = async (id: number) =>
  (
    await sql<{
      at: Date;
      level: number;
    }>`SELECT at, (values->>'level')::int AS level FROM reading WHERE device_id = ${id} ORDER BY at`.execute(db)
  ).rows.map(({ at, level }) => [now() - at.getTime(), level]);
const pass = (milliseconds: number) => clock.advance(milliseconds);
const shown = async (id: number) =>
  (
    await call<{ clockAheadSeconds: number | null; clockWrongSince: string | null; values: { level?: number } }>(
      `/api/v1/lamps/${id}`,
    )
  ).body;

describe('a lamp whose clock was wrong', () => {
  it('by days ahead is shown so, is believed at once when it is right, and its commands are confirmed', async () => {
    const lamp = await lampWith(3 * day);
    await lamp.report(50);
    expect(await shown(lamp.id)).toMatchObject({
      clockAheadSeconds: 3 * 86_400,
      clockWrongSince: timeText(now()),
      values: { level: 50 },
    });
    await pass(second);
    lamp.set(0);
    await lamp.report(60);
    expect(await shown(lamp.id)).toMatchObject({
      clockAheadSeconds: null,
      clockWrongSince: null,
      values: { level: 60 },
    });
    expect(await history(lamp.id)).toEqual([
      [second, 50],
      [0, 60],
    ]);
    const { body } = await ask({ deviceIds: [lamp.id], command: 'dim', args: { level: 40 } });
    await dispatcher.send();
    expect(await lamp.hear()).toMatchObject({ issuedAt: timeText(now()), expiresAt: timeText(now() + 30_000) });
    await lamp.accept(body.id);
    await pass(second);
    await lamp.report(40);
    expect((await detail(body.id)).finished).toBe(true);
  });

  it('is wrong since it became so by more than a minute, however wrong it becomes, until it is right', async () => {
    const lamp = await lampWith(59 * second);
    const shownBy = async (ahead: number) => {
      await pass(minute);
      lamp.set(ahead);
      await lamp.report(50);
      const { clockAheadSeconds, clockWrongSince } = await shown(lamp.id);
      return [clockAheadSeconds, clockWrongSince];
    };
    expect(await shownBy(59 * second)).toEqual([null, null]);
    expect(await shownBy(3 * day)).toEqual([3 * 86_400, timeText(now())]);
    expect(await shownBy(4 * day)).toEqual([4 * 86_400, timeText(now() - minute)]);
    expect(await shownBy(0)).toEqual([null, null]);
    expect(await shownBy(3 * day)).toEqual([3 * 86_400, timeText(now())]);
  });

  it('ahead and answers a command with the right time is believed by that', async () => {
    const lamp = await lampWith(3 * day);
    await lamp.report(50);
    const { body } = await ask({ deviceIds: [lamp.id], command: 'on' });
    await dispatcher.send();
    lamp.set(0);
    await lamp.accept(body.id);
    expect((await shown(lamp.id)).clockAheadSeconds).toBeNull();
  });

  it('by days behind is believed at once when it is right', async () => {
    const lamp = await lampWith(-3 * day);
    await lamp.report(50);
    expect(await shown(lamp.id)).toMatchObject({ clockAheadSeconds: -3 * 86_400 });
    await pass(second);
    lamp.set(0);
    await lamp.report(60);
    expect(await history(lamp.id)).toEqual([
      [second, 50],
      [0, 60],
    ]);
    expect(await shown(lamp.id)).toMatchObject({ clockAheadSeconds: null, values: { level: 60 } });
  });

  it.each([
    ['stays connected', false],
    ['reconnects in between', true],
  ])(
    'ahead and is behind now and %s is in the history at the right times as soon as it is sure, and no command ends late meanwhile',
    async (_name, reconnects) => {
      const lamp = await lampWith(3 * day);
      await lamp.report(50);
      await pass(minute);
      lamp.set(-3 * day);
      if (reconnects) await lamp.reconnect();
      await lamp.report(60);
      expect(await history(lamp.id), 'nothing is filed under a doubted time').toEqual([[minute, 50]]);
      await ask({ deviceIds: [lamp.id], command: 'dim', args: { level: 40 } });
      await dispatcher.send();
      const { expiresAt, until } = await lamp.hear();
      // By the lamp's own clock.
      expect(Date.parse(String(expiresAt))).toBe(lamp.clockNow() + 30_000);
      expect(Date.parse(String(until))).toBeLessThan(lamp.clockNow() + day);
      await pass(31 * second);
      await lamp.report(70);
      await expect
        .poll(() => history(lamp.id))
        .toEqual([
          [minute + 31 * second, 50],
          [31 * second, 60],
          [0, 70],
        ]);
      expect(await shown(lamp.id)).toMatchObject({ clockAheadSeconds: -3 * 86_400, values: { level: 70 } });
    },
  );

  it('and still is, and hands over what it kept for days, is not taken for one that was set', async () => {
    const lamp = await lampWith(3 * day);
    await lamp.report(50);
    await pass(second);
    for (const late of [2 * day, day, hour]) await lamp.report(60, late);
    await lamp.report(70);
    await expect
      .poll(async () => (await history(lamp.id)).map(([ago, level]) => [Math.round((ago ?? 0) / 1000), level]))
      .toEqual([
        [2 * 86_400, 60],
        [86_400, 60],
        [3600, 60],
        [1, 50],
        [0, 70],
      ]);
    expect(await shown(lamp.id)).toMatchObject({ clockAheadSeconds: 3 * 86_400, values: { level: 70 } });
    expect(await db.selectFrom('doubted_message').select('id').where('speaker_id', '=', lamp.id).execute()).toEqual([]);
  });

  it('and is wrong by seconds, hands over whatever it kept: nothing waits, nothing is lost', async () => {
    const lamp = await lampWith(3 * second);
    await lamp.report(50);
    await pass(second);
    const lates = Array.from({ length: 1100 }, (_, index) => 2 * day - index * minute);
    await Promise.all(lates.map((late) => lamp.report(60, late)));
    await expect.poll(async () => (await history(lamp.id)).length).toBe(lates.length + 1);
    expect((await history(lamp.id)).slice(0, -1).map(([ago]) => Math.round((ago ?? 0) / 1000))).toEqual(
      lates.map((late) => late / 1000),
    );
    expect(await db.selectFrom('doubted_message').select('id').where('speaker_id', '=', lamp.id).execute()).toEqual([]);
  });

  it('hands over what it kept beside what is now, in any order, once its clock is right', async () => {
    const lamp = await lampWith(3 * day);
    await lamp.report(50);
    await pass(second);
    lamp.set(0);
    await lamp.report(60);
    // From before, when the clock was wrong: signed three days ahead, less their age.
    lamp.set(0);
    for (const late of [5 * hour, 4 * hour]) await lamp.report(20, late);
    await lamp.report(61, -1);
    expect((await shown(lamp.id)).clockAheadSeconds).toBeNull();
    expect((await history(lamp.id)).map(([, level]) => level)).toEqual([20, 20, 50, 60, 61]);
  });

  it('keeps what waited when nothing decides, and says so after a day', async () => {
    const lamp = await lampWith(3 * day);
    await lamp.report(50);
    lamp.set(-day);
    await lamp.report(60);
    const stop = await ingest.start(office.broker);
    expect(
      await db.selectFrom('doubted_message').select('id').where('speaker_id', '=', lamp.id).execute(),
    ).toHaveLength(1);
    await pass(25 * hour);
    await expect.poll(() => ingest.stats().refused['doubtedClock']).toBe(1);
    expect(await history(lamp.id)).toHaveLength(1);
    stop();
  });
});
