import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ReplyOf } from '../../../../contract/route.ts';
import type { getHistoryQuantities, getHistorySeries } from '../../../../contract/history/history.ts';
import { timeText } from '../../../../protocols/mqtt-json/codec.ts';
import { topicOf } from '../../../../protocols/mqtt-json/topics.ts';
import { createIngest } from '../../ingest/index.ts';
import { testApp } from '../../testing/app.ts';
import { testClock } from '../../testing/clock.ts';
import { givenArea, givenDevice } from '../../testing/devices.ts';
import { createProofs } from '../../light/commands/index.ts';
import { createEnergy, createHistory, createHistoryStorage, createRoller, historyRoutes } from './index.ts';

type Series = ReplyOf<typeof getHistorySeries>;
const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
/** 20:30 in the area. */
const start = Date.parse('2026-11-21T12:30:00Z');
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
let lamp = 0;
let screen = 0;

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
const series = async (query: Record<string, string | number>) => {
  const reply = await call<Series>(
    `/api/v1/history/series?${new URLSearchParams(Object.entries({ from: timeText(start - day), to: timeText(start), ...query }).map(([key, value]) => [key, String(value)])).toString()}`,
  );
  expect(reply.body).toMatchObject({ series: expect.anything() as unknown });
  return reply.body;
};

beforeAll(async () => {
  await givenArea(db);
  lamp = await givenDevice(db);
  screen = await givenDevice(db, { family: 'charging-pile' });
  // Three days, a quarter of an hour apart, silent from 30 to 20 hours ago; one value out of range.
  const readings: [number, Record<string, unknown>][] = [];
  for (let at = start - 3 * day; at <= start; at += 15 * minute) {
    if (at > start - 30 * hour && at < start - 20 * hour) continue;
    readings.push([
      at,
      {
        voltage: 220 + ((at / (15 * minute)) % 4),
        relay: at < start - day,
        energy: Number((100 + ((at - start + 3 * day) / hour) * 0.05).toFixed(3)),
      },
    ]);
  }
  readings.push([start - 2 * hour + minute, { voltage: 990, relay: false }]);
  await send(lamp, readings);
  await send(screen, [
    [start - 30 * minute, { connectorStatus: 'charging', chargingPower: 6898 }],
    [start - 10 * minute, { connectorStatus: 'available' }],
  ]);
  await clock.advance(1);
  await roller.roll();
});
afterAll(() => ingest.stop());

describe('curves', () => {
  it('of a day are the readings themselves, with what was out of range and the silence', async () => {
    const {
      resolution,
      series: [voltage],
      truncated,
    } = await series({ deviceIds: lamp, quantities: 'voltage' });
    expect({ resolution, truncated, kind: voltage?.kind, unit: voltage?.unit }).toEqual({
      resolution: 'raw',
      truncated: false,
      kind: 'measured',
      unit: 'V',
    });
    expect(voltage?.points.filter(([, value]) => value === null)).toEqual([
      [start - 2 * hour + minute, null, null, null, 0, 3],
    ]);
    expect(voltage?.points.at(-1)?.[0]).toBe(start - 15 * minute);
    expect(voltage?.gaps).toEqual([[start - day, start - 20 * hour]]);
    expect(voltage?.quality).toEqual({ measured: 80, estimated: 0, stale: 0, invalid: 1 });
  });

  it('are the same whether hours are rolled or not, and the open hour is of its readings', async () => {
    const query = {
      deviceIds: lamp,
      quantities: 'voltage,relay,energy',
      from: timeText(start - 3 * day),
      to: timeText(start + minute),
      resolution: 'hour',
    };
    const rolled = await series(query);
    expect(rolled.series.map(({ quantity, kind, points }) => [quantity, kind, points.length])).toEqual([
      ['voltage', 'measured', 64],
      ['relay', 'state', 64],
      ['energy', 'counter', 64],
    ]);
    await sql`UPDATE rollup_state SET rolled_to = '-infinity', closed_to = '-infinity'`.execute(db);
    const raw = await series(query);
    await sql`UPDATE rollup_state SET rolled_to = ${new Date(start - 30 * minute)},
      closed_to = ${new Date(start - 30 * minute)}`.execute(db);
    // How many readings had a counter or a switch is not kept of rolled hours: it is how many there were.
    const known = ({ series: all }: Series) =>
      all.map(({ kind, points }) =>
        points.map(([at, mean, low, high, n]) => [at, mean, low, high, kind === 'measured' ? n : null]),
      );
    expect(known(raw)).toEqual(known(rolled));
    expect(rolled.series[0]?.points.at(-1)).toEqual([start - 30 * minute, 221, 220, 222, 3, 0]);
    expect(rolled.series[1]?.points.at(-1)).toEqual([start - 30 * minute, 0, null, null, 3, 0]);
    expect(rolled.series[0]?.gaps).toEqual([[start - 30.5 * hour, start - 20.5 * hour]]);
  });

  it('of days are those of the place, the open one too', async () => {
    const {
      series: [voltage],
      from,
    } = await series({ deviceIds: lamp, quantities: 'voltage', from: timeText(start - 3 * day), resolution: 'day' });
    const midnight = Date.parse('2026-11-17T16:00:00Z');
    expect(from).toBe(timeText(midnight));
    expect(voltage?.points.map(([at, , , , n, quality]) => [(at - midnight) / day, n, quality])).toEqual([
      [0, 14, 0],
      [1, 96, 0],
      [2, 59, 0],
      [3, 80, 3],
    ]);
    expect(voltage?.points.every(([, mean]) => mean !== null && mean > 221 && mean < 222)).toBe(true);
  });

  it('become coarser by themselves, and choices go by their place', async () => {
    expect(
      (await series({ deviceIds: lamp, quantities: 'voltage', from: timeText(start - 3 * day), points: 100 }))
        .resolution,
    ).toBe('hour');
    expect(
      (await series({ deviceIds: lamp, quantities: 'voltage', from: timeText(start - 3 * day), points: 290 }))
        .resolution,
    ).toBe('raw');
    expect(
      (await series({ deviceIds: lamp, quantities: 'voltage', from: timeText(start - 365 * day) })).resolution,
    ).toBe('day');
    const {
      series: [state],
    } = await series({ deviceIds: `${lamp},${screen}`, quantities: 'connectorStatus', resolution: '15m' });
    expect({ kind: state?.kind, options: state?.options?.slice(0, 3), points: state?.points }).toEqual({
      kind: 'state',
      options: ['available', 'preparing', 'charging'],
      points: [
        [start - 30 * minute, 2, null, null, 1, 0],
        [start - 15 * minute, 0, null, null, 1, 0],
      ],
    });
  });

  it('are refused for what is not there, not the caller’s, too long or too fine', async () => {
    const ask = (query: string, token?: string) =>
      call(`/api/v1/history/series?${query}`, token === undefined ? {} : { token }).then(({ status, body }) => [
        status,
        body['code'],
      ]);
    const span = `from=${timeText(start - day)}&to=${timeText(start)}`;
    expect(await ask(`deviceIds=${lamp}&quantities=happiness&${span}`)).toEqual([400, 4203]);
    expect(await ask(`deviceIds=${lamp},99999&quantities=voltage&${span}`)).toEqual([404, 1301]);
    expect(await ask(`deviceIds=${lamp}&quantities=voltage&from=${timeText(start)}&to=${timeText(start)}`)).toEqual([
      400, 4201,
    ]);
    expect(await ask(`deviceIds=${lamp}&quantities=voltage&from=2010-01-01T00:00:00Z&to=${timeText(start)}`)).toEqual([
      400, 4201,
    ]);
    expect(
      await ask(
        `deviceIds=${lamp}&quantities=voltage&from=${timeText(start - 200 * day)}&to=${timeText(start)}&resolution=raw`,
      ),
    ).toEqual([400, 4202]);
    const { token } = await signIn({ username: 'elsewhere', permissions: ['lamp.monitor'] });
    expect(await ask(`deviceIds=${lamp}&quantities=voltage&${span}`, token)).toEqual([403, 1202]);
  });

  it('end where an answer is full, and say so, though not every reading has the value', async () => {
    const talker = await givenDevice(db);
    const others: number[] = [];
    for (let i = 0; i < 19; i += 1) others.push(await givenDevice(db));
    await sql`INSERT INTO reading (at, device_id, received_at, values)
      SELECT ${new Date(start - 2 * hour)}::timestamptz + n * interval '1 second', ${talker}, now(),
      CASE WHEN n % 2 = 0 THEN '{"level": 60}'::jsonb ELSE '{"power": 50}' END FROM generate_series(1, 1100) n`.execute(
      db,
    );
    const quantities = 'level,power,voltage,current,energy,relay,temperature,powerFactor';
    const all = await series({
      deviceIds: [talker, ...others].join(','),
      quantities,
      from: timeText(start - 3 * hour),
    });
    expect([all.resolution, all.truncated, all.series.reduce((sum, { points }) => sum + points.length, 0)]).toEqual([
      'raw',
      true,
      1000,
    ]);
    const one = await series({ deviceIds: talker, quantities, from: timeText(start - 3 * hour) });
    expect([one.truncated, one.series.reduce((sum, { points }) => sum + points.length, 0)]).toEqual([false, 1100]);
  });

  it('what there is to choose from', async () => {
    const { body } = await call<ReplyOf<typeof getHistoryQuantities>>(`/api/v1/history/quantities?deviceIds=${lamp}`);
    expect(body.data[0]?.quantities.filter(({ reported }) => reported)).toEqual([
      { key: 'voltage', kind: 'measured', unit: 'V', decimals: 1, options: null, reported: true },
      { key: 'energy', kind: 'counter', unit: 'kWh', decimals: 3, options: null, reported: true },
      { key: 'relay', kind: 'state', unit: null, decimals: 0, options: null, reported: true },
    ]);
    expect(body.since).toEqual({
      raw: '2026-11-18T00:00:00.000Z',
      hour: '2026-11-01T00:00:00.000Z',
      day: '2026-01-01T00:00:00.000Z',
    });
  });
});
