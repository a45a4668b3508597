import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ReplyOf } from '../../../../contract/route.ts';
import type { getEnergy, getHistorySeries } from '../../../../contract/history/history.ts';
import { timeText } from '../../../../protocols/mqtt-json/codec.ts';
import { topicOf } from '../../../../protocols/mqtt-json/topics.ts';
import { createIngest } from '../../ingest/index.ts';
import { testApp } from '../../testing/app.ts';
import { testClock } from '../../testing/clock.ts';
import { givenArea, givenDevice } from '../../testing/devices.ts';
import { createProofs } from '../../light/commands/index.ts';
import { createEnergy, createHistory, createHistoryStorage, createRoller, historyRoutes } from './index.ts';

type Energy = ReplyOf<typeof getEnergy>;
const hour = 3_600_000;
/** The first of December in the area, 10 o'clock. */
const start = Date.parse('2026-12-01T02:00:00Z');
const clock = testClock(new Date(start));
const { db, log, bus, call, signIn } = await testApp({
  clock,
  logLevel: 'silent',
  routes: ({ db: database }) =>
    historyRoutes(
      createHistory({ db: database, clock }),
      createEnergy({ db: database }),
      createHistoryStorage({ db: database, clock, dataDir: null }),
    ),
});
const ingest = createIngest({ db, bus, clock, log, proofs: createProofs({ bus }), stored: () => undefined });
const roller = createRoller({ db, clock, log });
const lamps: number[] = [];

const send = (deviceId: number, readings: readonly (readonly [number, Record<string, unknown>])[]) =>
  ingest.take({
    topic: topicOf({ kind: 'readings', deviceId, viaId: null }),
    username: null,
    payload: Buffer.from(
      JSON.stringify({
        sentAt: timeText(clock.now().getTime()),
        readings: readings.map(([at, values]) => ({ at: timeText(at), values })),
      }),
    ),
  });
const ask = (query: Record<string, string>, token?: string) =>
  call<Energy>(
    `/api/v1/history/energy?${new URLSearchParams({ from: '2026-11-29', to: '2026-12-01', by: 'day', ...query }).toString()}`,
    token === undefined ? {} : { token },
  );
const energy = async (query: Record<string, string>) => {
  const { status, body } = await ask(query);
  expect(status).toBe(200);
  return body;
};
const steps = ({ rows }: Energy) => rows.map(({ step, kwh, devices }) => [step, Math.round(kwh * 1e6) / 1e6, devices]);

/** 60 W from 17 to 7 o'clock of the place, four nights; the counter tells it every quarter of an hour. */
function nights(): [number, Record<string, unknown>][] {
  const list: [number, Record<string, unknown>][] = [];
  let kwh = 1000;
  for (let at = start - 90 * hour; at <= start; at += hour / 4) {
    const local = new Date(at + 8 * hour).getUTCHours();
    list.push([at, { energy: Number(kwh.toFixed(3)), level: local >= 17 || local < 7 ? 60 : 0 }]);
    if (local >= 17 || local < 7) kwh += 0.015;
  }
  return list;
}

beforeAll(async () => {
  await givenArea(db);
  for (let i = 0; i < 3; i += 1) lamps.push(await givenDevice(db));
  for (const lamp of lamps.slice(0, 2)) await send(lamp, nights());
  await roller.roll();
});
afterAll(() => ingest.stop());

describe('energy', () => {
  it('of days, lighting days and months where the devices stand, with the day that is open', async () => {
    const of = (by: string) => energy({ deviceIds: String(lamps[0]), by }).then(steps);
    // By day the morning's 7 hours and the evening's 7; of a night from noon 14 hours.
    expect(await of('day')).toEqual([
      ['2026-11-29', 0.84, 1],
      ['2026-11-30', 0.84, 1],
      ['2026-12-01', 0.42, 1],
    ]);
    expect(await of('lightingDay')).toEqual([
      ['2026-11-29', 0.84, 1],
      ['2026-11-30', 0.84, 1],
    ]);
    expect(await of('month')).toEqual([
      ['2026-11', 1.68, 1],
      ['2026-12', 0.42, 1],
    ]);
    expect((await of('hour')).filter(([, kwh]) => kwh === 0.06)).toHaveLength(7 + 14 + 14);
  });

  it('says of which devices it is the sum, what of it is known how, and up to when', async () => {
    const body = await energy({ family: 'single-lamp-controller', workId: '1' });
    expect(steps(body)).toEqual([
      ['2026-11-29', 1.68, 2],
      ['2026-11-30', 1.68, 2],
      ['2026-12-01', 0.84, 2],
    ]);
    expect(body).toMatchObject({
      definition: 'energy-2',
      countedTo: '2026-12-01T01:00:00.000Z',
      total: {
        kwh: expect.closeTo(4.2, 6) as number,
        measured: expect.closeTo(4.2, 6) as number,
        estimated: 0,
        calculated: 0,
        invalidSeconds: 0,
        resets: 0,
      },
    });
    expect(body.devices).toMatchObject({
      count: 2,
      silent: 1,
      data: [{ id: lamps[0], kwh: expect.closeTo(2.1, 6) as number }, { id: lamps[1] }],
    });
    expect((await energy({ deviceIds: lamps.join(','), each: 'device' })).rows.map(({ deviceId }) => deviceId)).toEqual(
      [0, 1, 0, 1, 0, 1].map((i) => lamps[i]),
    );
  });

  it('is told of a day that waits to be rolled anew as soon as its hours are', async () => {
    await send(lamps[2] ?? 0, [
      [start - 40 * hour, { energy: 5 }],
      [start - 38 * hour, { energy: 5.1 }],
    ]);
    const before = await energy({ deviceIds: String(lamps[2]) });
    await roller.roll();
    expect([before.total.kwh, (await energy({ deviceIds: String(lamps[2]) })).total]).toEqual([
      0,
      expect.objectContaining({ kwh: expect.closeTo(0.1, 9) as number, estimated: expect.closeTo(0.1, 9) as number }),
    ]);
  });

  it('tells how much was left out of a whole city: more seconds than an integer holds', async () => {
    await sql`UPDATE energy_day SET invalid_seconds = 2000000000
      WHERE day = '2026-11-29' AND device_id = ANY(${lamps.slice(0, 2)})`.execute(db);
    expect((await energy({ by: 'day', to: '2026-11-29' })).total.invalidSeconds).toBe(4_000_000_000);
    await sql`UPDATE energy_day SET invalid_seconds = 0 WHERE day = '2026-11-29'
      AND device_id = ANY(${lamps.slice(0, 2)})`.execute(db);
  });

  it('is refused for days that are none, spans too long, and what is not the caller’s', async () => {
    const status = async (query: Record<string, string>, token?: string) =>
      ask(query, token).then(({ status: code, body }) => [code, (body as unknown as { code: number }).code]);
    expect(await status({ from: '2026-02-30' })).toEqual([400, 1001]);
    expect(await status({ from: '2026-12-02' })).toEqual([400, 4201]);
    expect(await status({ from: '2026-01-01', by: 'hour' })).toEqual([400, 4201]);
    const { token } = await signIn({ username: 'elsewhere', permissions: ['device.query'] });
    expect(await status({ deviceIds: String(lamps[0]) }, token)).toEqual([403, 1202]);
    expect((await ask({}, token)).body).toMatchObject({ rows: [], devices: { count: 0, silent: 0 } });
  });
});

describe('where clocks are changed, or half an hour off', () => {
  const zones = ['Europe/Paris', 'Asia/Kolkata', 'Australia/Lord_Howe'] as const;
  const lampIn = new Map<string, string>();
  /** 0.04 kWh an hour, told every half hour. */
  const steady = (from: string, to: string, kwh: number): [number, Record<string, unknown>][] =>
    Array.from({ length: (Date.parse(to) - Date.parse(from)) / (hour / 2) + 1 }, (_, i) => [
      Date.parse(from) + (i * hour) / 2,
      { energy: Number((kwh + i * 0.02).toFixed(2)), power: 40 },
    ]);
  const of = async (zone: string, by: string, from: string, to: string) =>
    steps(await energy({ deviceIds: lampIn.get(zone) ?? '', by, from, to })).map(([step, kwh]) => [step, kwh]);
  const daysOf = async (zone: string, from: string, to: string) =>
    (
      await call<ReplyOf<typeof getHistorySeries>>(
        `/api/v1/history/series?deviceIds=${lampIn.get(zone)}&quantities=power&from=${from}&to=${to}&resolution=day`,
      )
    ).body.series[0]?.points.map(([at, mean, , , n]) => [new Date(at).toISOString().slice(0, 16), mean, n]);

  beforeAll(async () => {
    for (const [i, zone] of zones.entries()) {
      await sql`INSERT INTO work_area (id, work_code, work_name, longitude, latitude, time_zone)
        VALUES (${i + 2}, ${zone}, ${zone}, 10, 40, ${zone})`.execute(db);
      lampIn.set(zone, String(await givenDevice(db, { workAreaId: i + 2, roadId: null })));
    }
    const [paris, kolkata, lordHowe] = zones.map((zone) => Number(lampIn.get(zone)));
    await send(paris ?? 0, [
      ...steady('2026-03-27T23:00:00Z', '2026-03-30T22:00:00Z', 0),
      ...steady('2026-10-23T22:00:00Z', '2026-10-26T23:00:00Z', 10),
      ...steady('2026-10-31T11:00:00Z', '2026-11-01T11:00:00Z', 12.92),
    ]);
    await send(kolkata ?? 0, steady('2026-10-31T00:00:00Z', '2026-11-02T00:00:00Z', 0));
    await send(lordHowe ?? 0, steady('2026-10-02T14:00:00Z', '2026-10-05T13:00:00Z', 0));
    await roller.roll();
  });

  it('a day has 23 or 25 hours, and a lighting day its own', async () => {
    expect(await of('Europe/Paris', 'day', '2026-03-28', '2026-03-30')).toEqual([
      ['2026-03-28', 0.96],
      ['2026-03-29', 0.92],
      ['2026-03-30', 0.96],
    ]);
    expect(await of('Europe/Paris', 'day', '2026-10-24', '2026-10-26')).toEqual([
      ['2026-10-24', 0.96],
      ['2026-10-25', 1],
      ['2026-10-26', 0.96],
    ]);
    expect(await of('Europe/Paris', 'lightingDay', '2026-10-24', '2026-10-25')).toEqual([
      ['2026-10-24', 1],
      ['2026-10-25', 0.96],
    ]);
    const hours = await of('Europe/Paris', 'hour', '2026-10-25', '2026-10-25');
    expect([hours.length, hours[0], hours.at(-1)]).toEqual([
      25,
      ['2026-10-24T22:00:00.000Z', 0.04],
      ['2026-10-25T22:00:00.000Z', 0.04],
    ]);
    expect(await daysOf('Europe/Paris', '2026-10-24T10:00:00Z', '2026-10-26T10:00:00Z')).toEqual([
      ['2026-10-23T22:00', 40, 48],
      ['2026-10-24T22:00', 40, 50],
      ['2026-10-25T23:00', 40, 48],
    ]);
    expect(await daysOf('Europe/Paris', '2026-03-28T10:00:00Z', '2026-03-29T10:00:00Z')).toEqual([
      ['2026-03-27T23:00', 40, 48],
      ['2026-03-28T23:00', 40, 46],
    ]);
  });

  it('a month ends at midnight of the place', async () => {
    // 23 o'clock UTC in Paris: twelve of the 24 hours are October's.
    expect(await of('Europe/Paris', 'month', '2026-10-31', '2026-11-30')).toEqual([
      ['2026-10', 0.48],
      ['2026-11', 0.48],
    ]);
    // 18:30 UTC in India; the hour that begins before midnight is October's.
    expect(await of('Asia/Kolkata', 'month', '2026-10-01', '2026-11-30')).toEqual([
      ['2026-10', 0.76],
      ['2026-11', 1.16],
    ]);
  });

  it('half an hour at midnight counts with its neighbour, and nothing is lost', async () => {
    expect(await of('Asia/Kolkata', 'day', '2026-10-31', '2026-11-02')).toEqual([
      ['2026-10-31', 0.76],
      ['2026-11-01', 0.96],
      ['2026-11-02', 0.2],
    ]);
    expect((await daysOf('Asia/Kolkata', '2026-10-31T20:00:00Z', '2026-11-01T10:00:00Z'))?.[0]).toEqual([
      '2026-10-31T18:30',
      40,
      48,
    ]);
    // The clocks of Lord Howe go forward by half an hour: 23 hours begin on that day.
    expect(await of('Australia/Lord_Howe', 'day', '2026-10-03', '2026-10-05')).toEqual([
      ['2026-10-03', 0.96],
      ['2026-10-04', 0.92],
      ['2026-10-05', 0.96],
    ]);
  });
});
