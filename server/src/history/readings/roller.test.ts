import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { timeText } from '../../../../protocols/mqtt-json/codec.ts';
import { topicOf } from '../../../../protocols/mqtt-json/topics.ts';
import { createIngest } from '../../ingest/index.ts';
import { startBus } from '../../platform/bus/index.ts';
import { createLog } from '../../platform/log.ts';
import { testClock } from '../../testing/clock.ts';
import { testDatabase } from '../../testing/database.ts';
import { givenArea, givenDevice } from '../../testing/devices.ts';
import { writtenLog } from '../../testing/written-log.ts';
import { createProofs } from '../../light/commands/index.ts';
import { createRoller } from './index.ts';

const database = await testDatabase();
const { db } = database;
const log = createLog('silent');
const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
/** An evening of the area, lamps lit since 17 o'clock (17:05 there). */
const start = Date.parse('2026-11-21T12:00:00Z');
const clock = testClock(new Date(start));
const bus = await startBus(database.connection, log);
const ingest = createIngest({ db, bus, clock, log, proofs: createProofs({ bus }), stored: () => undefined });
// So few readings at once that the devices of most tests are reckoned in several pieces.
const roller = createRoller({ db, clock, log, readingsAtOnce: 5 });
const written = writtenLog('error');

beforeAll(() => givenArea(db));
afterAll(async () => {
  await ingest.stop();
  await bus.stop();
});

const now = () => clock.now().getTime();
const send = (deviceId: number, readings: readonly (readonly [number, Record<string, unknown>])[]) =>
  ingest.take({
    topic: topicOf({ kind: 'readings', deviceId, viaId: null }),
    username: null,
    payload: Buffer.from(
      JSON.stringify({
        sentAt: timeText(now()),
        readings: readings.map(([at, values]) => ({ at: timeText(at), values })),
      }),
    ),
  });
/** A lamp that counted from `kwh` on, `kwhAnHour` an hour, every quarter of an hour up to now. */
const counted = (from: number, to: number, kwh: number, kwhAnHour: number): [number, Record<string, unknown>][] =>
  Array.from({ length: Math.floor((to - from) / (15 * minute)) + 1 }, (_, i) => [
    from + i * 15 * minute,
    { level: 100, power: kwhAnHour * 1000, relay: true, energy: Number((kwh + (kwhAnHour * i) / 4).toFixed(3)) },
  ]);

const hoursOf = async (deviceId: number) =>
  (
    await sql<{ at: Date; readings: number; key: string; mean: number; low: number; high: number; n: number }>`
  SELECT h.at, h.readings, q.key, v.mean, coalesce(v.low, v.mean) AS low, coalesce(v.high, v.mean) AS high,
    coalesce(v.n, h.readings) AS n
  FROM reading_hour h CROSS JOIN LATERAL unnest(h.keys, h.means, h.lows, h.highs, h.counts) AS v(id, mean, low, high, n)
    JOIN history_quantity q ON q.id = v.id WHERE h.device_id = ${deviceId} ORDER BY h.at, q.key`.execute(db)
  ).rows;
/** The same from the readings, by plain SQL. */
const oracle = async (deviceId: number, to: number) =>
  (
    await sql`
  SELECT r.hour AS at, r.readings, e.key, avg(e.value::float8)::real AS mean, min(e.value::float8)::real AS low,
    max(e.value::float8)::real AS high, count(*)::int AS n
  FROM (SELECT date_trunc('hour', at, 'UTC') AS hour, values,
    count(*) OVER (PARTITION BY date_trunc('hour', at, 'UTC'))::int AS readings FROM reading
    WHERE device_id = ${deviceId} AND at < ${new Date(to)}) r
  CROSS JOIN LATERAL jsonb_each(r.values) e WHERE e.key IN ('level', 'power', 'voltage')
    GROUP BY r.hour, r.readings, e.key ORDER BY r.hour, e.key`.execute(db)
  ).rows;
const energyOf = async (deviceId: number) =>
  (
    await sql<{ at: Date; measured: number; estimated: number; calculated: number; invalid: number; resets: number }>`
  SELECT at, measured, estimated, calculated, invalid_seconds AS invalid, resets FROM energy_hour
    WHERE device_id = ${deviceId} ORDER BY at`.execute(db)
  ).rows;
const total = (rows: readonly { measured: number; estimated: number; calculated: number }[]) =>
  rows.reduce((sum, row) => sum + row.measured + row.estimated + row.calculated, 0);
const waiting = async () =>
  (await sql<{ n: number }>`SELECT count(*)::int AS n FROM rollup_late`.execute(db)).rows[0]?.n;

describe('hours', () => {
  it('are rolled when they are over, from what was really sent, and the one that is open is not', async () => {
    const lamp = await givenDevice(db);
    await send(lamp, [
      [now() - 130 * minute, { level: 60, power: 55.5, voltage: 228 }],
      [now() - 125 * minute, { level: 80, voltage: 231 }],
      [now() - 61 * minute, { level: 80, power: 70 }],
      [now() - 5 * minute, { level: 80, power: 71 }],
      [now() + minute, { level: 80, power: 72 }],
    ]);
    await clock.advance(3 * minute);
    await roller.roll();
    expect(await hoursOf(lamp)).toEqual(await oracle(lamp, start));
    expect((await hoursOf(lamp)).map(({ at }) => at.getTime() - start)).toEqual(
      [-3, -3, -3, -2, -2, -1, -1].map((hours) => hours * hour),
    );
  });

  it('are corrected by what comes late, within the next round', async () => {
    const lamp = await givenDevice(db);
    await send(lamp, [[start - 5 * hour + 10 * minute, { level: 60, power: 55.5 }]]);
    expect(await waiting()).toBe(1);
    await roller.roll();
    await send(lamp, [
      [start - 5 * hour + 20 * minute, { level: 20, power: 20 }],
      [start - 30 * day, { level: 10 }],
      [start - 30 * day, { level: 10 }],
    ]);
    await roller.roll();
    expect(await hoursOf(lamp)).toEqual(await oracle(lamp, start));
    expect(await waiting()).toBe(0);
  });
});

describe('numbers no meter shows', () => {
  it('are 0 in single precision, and the rolling goes on', async () => {
    const lamp = await givenDevice(db);
    const begin = Date.parse('2026-11-15T04:00:00Z');
    await send(lamp, [
      [begin, { voltage: 1e-50, powerFactor: -1e-40, energy: 1e-320 }],
      [begin + minute, { voltage: 3e-46, level: 60 }],
    ]);
    await roller.roll();
    expect((await hoursOf(lamp)).map(({ key, mean, low, high }) => [key, mean, low, high])).toEqual([
      ['level', 60, 60, 60],
      ['powerFactor', 0, 0, 0],
      ['voltage', 0, 0, 0],
    ]);
    expect((await sql`SELECT readings FROM reading_day WHERE device_id = ${lamp}`.execute(db)).rows).toEqual([
      { readings: 2 },
    ]);
  });
});

describe('energy', () => {
  it('of a lamp that reports is measured, hour by hour, and nothing is lost where hours meet', async () => {
    const lamp = await givenDevice(db);
    await send(lamp, counted(start - 6 * hour + 5 * minute, start, 100, 0.08));
    await roller.roll();
    const rows = await energyOf(lamp);
    expect(rows.slice(1, 5).every(({ measured }) => Math.abs(measured - 0.08) < 1e-9)).toBe(true);
    expect(total(rows)).toBeCloseTo(0.08 * 5.75, 9);
  });

  it('comes after a silence: spread over it by the plan, and called estimated', async () => {
    const lamp = await givenDevice(db);
    await send(lamp, [[start - 30 * hour, { level: 0, energy: 50 }]]);
    await roller.roll();
    await send(lamp, [[start - 2 * hour, { level: 100, energy: 51 }]]);
    await roller.roll();
    const rows = await energyOf(lamp);
    expect(total(rows)).toBeCloseTo(1, 9);
    expect(rows.every(({ estimated, measured }) => measured === 0 && estimated >= 0)).toBe(true);
    // By day nothing, in the middle of the night as much each hour.
    const at = (hours: number) => rows.find((row) => row.at.getTime() === start - hours * hour)?.estimated ?? 0;
    expect(at(10)).toBe(0);
    expect(at(18)).toBeGreaterThan(0.05);
    expect(at(18)).toBeCloseTo(at(19), 9);
  });

  it('is as it would have been, whatever the order in which readings came', async () => {
    const [early, mixed] = [await givenDevice(db), await givenDevice(db)];
    const readings = counted(start - 20 * hour + 7 * minute, start - hour, 10, 0.09).filter((_, i) => i < 20 || i > 40);
    await send(early, readings);
    await roller.roll();
    const shuffled = readings
      .map((reading, i) => ({ reading, place: (i * 37) % readings.length }))
      .sort((a, b) => a.place - b.place)
      .map(({ reading }) => reading);
    for (let i = 0; i < shuffled.length; i += 6) {
      await send(mixed, shuffled.slice(i, i + 6));
      await roller.roll();
    }
    const expected = await energyOf(early);
    const found = await energyOf(mixed);
    expect(found.map(({ at }) => at)).toEqual(expected.map(({ at }) => at));
    found.forEach((row, i) => {
      expect(row.measured).toBeCloseTo(expected[i]?.measured ?? Number.NaN, 9);
      expect(row.estimated).toBeCloseTo(expected[i]?.estimated ?? Number.NaN, 9);
    });
    expect(total(found)).toBeCloseTo(Number(readings.at(-1)?.[1]['energy']) - 10, 9);
  });

  it('is reckoned from so many readings at once and no more, also of one device, and is what it is from all of them', async () => {
    const answers: number[] = [];
    const counting = db.withPlugin({
      transformQuery: ({ node }) => node,
      transformResult: ({ result }) => {
        answers.push(result.rows.length);
        return Promise.resolve(result);
      },
    });
    const energies = [];
    for (const one of [
      createRoller({ db: counting, clock, log, readingsAtOnce: 60 }),
      createRoller({ db, clock, log }),
    ]) {
      const [quick, late, few] = [await givenDevice(db), await givenDevice(db), await givenDevice(db)];
      const every = (
        from: number,
        to: number,
        values: (i: number) => Record<string, unknown>,
      ): [number, Record<string, unknown>][] =>
        Array.from({ length: (to - from) / (2 * minute) }, (_, i) => [from + i * 2 * minute, values(i)]);
      await send(
        quick,
        every(start - 12 * hour, start - 7 * hour, (i) => ({ level: 100, energy: Number((7 + i * 0.003).toFixed(3)) })),
      );
      await send(
        quick,
        every(start - 5 * hour, start - 2 * hour, (i) => ({ level: 100, energy: Number((8 + i * 0.003).toFixed(3)) })),
      );
      await send(
        late,
        every(start - 12 * hour, start - 4 * hour, () => ({ level: 50 })),
      );
      await send(few, counted(start - 12 * hour, start - 7 * hour, 3, 0.08));
      await one.roll();
      // Now all its levels up to here tell nothing any more.
      await send(late, [
        [start - 11 * hour + minute, { energy: 3 }],
        [start - 6 * hour + minute, { energy: 3.2 }],
      ]);
      await one.roll();
      energies.push([await energyOf(quick), await energyOf(late), await energyOf(few)]);
    }
    expect(Math.max(...answers)).toBe(60);
    expect(energies[0]).toEqual(energies[1]);
    expect(energies[0]?.map((rows) => rows.length)).toEqual([10, 7, 5]);
  });

  it('of a lamp without a counter is calculated, and measured from the first count on', async () => {
    const lamp = await givenDevice(db);
    await send(
      lamp,
      [0, 1, 2, 3, 4].map((quarter) => [start - 8 * hour + quarter * 15 * minute, { level: 50, relay: true }]),
    );
    await roller.roll();
    expect(total(await energyOf(lamp))).toBeCloseTo(0.1 * (0.05 + 0.95 * 0.5), 9);
    await send(lamp, [
      [start - 7 * hour + 15 * minute, { level: 100, energy: 5 }],
      [start - 7 * hour + 30 * minute, { level: 100, energy: 5.025 }],
    ]);
    await roller.roll();
    const rows = await energyOf(lamp);
    expect(rows.at(-1)).toMatchObject({
      at: new Date(start - 7 * hour),
      measured: expect.closeTo(0.025, 9) as number,
      calculated: expect.closeTo((0.1 * 0.525) / 4, 9) as number,
    });
  });

  it('of a lamp whose first count comes late: nothing is calculated beside it any more, on its day neither', async () => {
    const lamp = await givenDevice(db);
    await send(
      lamp,
      [0, 1, 2, 3, 4, 5].map((hours) => [start - (45 - hours) * hour, { level: 50 }]),
    );
    await roller.roll();
    await send(lamp, [[start - 43 * hour + minute, { energy: 5 }]]);
    await roller.roll();
    expect((await energyOf(lamp)).map(({ at }) => (at.getTime() - start) / hour)).toEqual([-45, -44, -43]);
    await send(lamp, [[start - 39 * hour, { energy: 5.1 }]]);
    await roller.roll();
    expect(
      (await energyOf(lamp))
        .filter(({ at }) => at.getTime() > start - 43 * hour)
        .every(({ calculated }) => calculated === 0),
    ).toBe(true);
    expect((await energyOf(lamp)).reduce((sum, { measured, estimated }) => sum + measured + estimated, 0)).toBeCloseTo(
      0.1,
      9,
    );
    const {
      rows: [sums],
    } = await sql<{
      hours: number;
      days: number;
    }>`SELECT (SELECT sum(calculated) FROM energy_hour WHERE device_id = ${lamp}) AS hours,
      (SELECT sum(calculated) FROM energy_day WHERE device_id = ${lamp}) AS days`.execute(db);
    expect(sums?.days).toBeCloseTo(sums?.hours ?? Number.NaN, 9);
  });

  it('leaves out what cannot be, writes it down, and takes a counter that began anew', async () => {
    const lamp = await givenDevice(db);
    const at = (minutes: number) => start - 9 * hour + minutes * minute;
    await send(lamp, [
      [at(0), { energy: 700 }],
      [at(15), { energy: 700.02 }],
      [at(30), { energy: 900 }],
      [at(45), { energy: 900.02 }],
      [at(55), { energy: 0.01 }],
    ]);
    await roller.roll();
    expect(await energyOf(lamp)).toEqual([
      {
        at: new Date(at(0)),
        measured: expect.closeTo(0.05, 9) as number,
        estimated: 0,
        calculated: 0,
        invalid: 900,
        resets: 1,
      },
    ]);
    expect(
      (await sql`SELECT kind, from_kwh, to_kwh FROM energy_event WHERE device_id = ${lamp} ORDER BY at`.execute(db))
        .rows,
    ).toEqual([
      { kind: 'invalid', from_kwh: 700.02, to_kwh: 900 },
      { kind: 'reset', from_kwh: 900.02, to_kwh: 0.01 },
    ]);
  });

  it('rolls over where the device’s own counter ends, not where the quantity does', async () => {
    const [own, other] = [await givenDevice(db), await givenDevice(db)];
    await sql`UPDATE device SET props = '{"counterMax": 9999.99}' WHERE id = ${own}`.execute(db);
    for (const lamp of [own, other])
      await send(lamp, [
        [start - 9 * hour, { energy: 9999.98 }],
        [start - 9 * hour + 15 * minute, { energy: 0.01 }],
      ]);
    await roller.roll();
    expect([total(await energyOf(own)), total(await energyOf(other))]).toEqual([
      expect.closeTo(0.03, 9),
      expect.closeTo(0.01, 9),
    ]);
    expect(
      (await sql`SELECT kind FROM energy_event WHERE device_id IN (${own}, ${other}) ORDER BY device_id`.execute(db))
        .rows,
    ).toEqual([{ kind: 'rollover' }, { kind: 'reset' }]);
  });
});

describe('power over level', () => {
  it('is learned of lamps of a model, and lamps of it that count nothing are reckoned by it', async () => {
    const lamps = await Promise.all(Array.from({ length: 6 }, () => givenDevice(db)));
    await sql`UPDATE device SET props = '{"manufacturer": "M", "model": "LED-100"}' WHERE id = ANY(${lamps})`.execute(
      db,
    );
    const [silent = 0, broken = 0, ...sound] = lamps;
    const lit = (power: number, level: number, long = 4): [number, Record<string, unknown>][] =>
      Array.from({ length: long }, (_, i) => [
        start - (5 + i) * hour + minute,
        { level, power: power + (5 + i) / 100 },
      ]);
    for (const lamp of sound)
      await send(lamp, [
        ...lit(38, 50),
        [start - 4 * hour + minute, { level: 50, power: 38 }],
        [start - 4 * hour + 20 * minute, { level: 100, power: 92 }],
      ]);
    // Of more hours than all the others together; and most lamps of the model have never said anything.
    await send(broken, lit(0.1, 50, 20));
    await sql`INSERT INTO device (family, work_area_id, equipment_code, rated_watts, props)
      SELECT family, work_area_id, 'silent ' || n, rated_watts, props FROM device, generate_series(1, 60) AS n
      WHERE id = ${silent}`.execute(db);
    await sql`UPDATE rollup_state SET curves_at = '-infinity'`.execute(db);
    await roller.roll();
    expect(
      (await sql`SELECT manufacturer, model, levels, shares, lamps, hours FROM lamp_curve`.execute(db)).rows,
    ).toEqual([
      { manufacturer: 'M', model: 'LED-100', levels: [50], shares: [expect.closeTo(0.3806, 3)], lamps: 5, hours: 36 },
    ]);
    await sql`DELETE FROM device WHERE equipment_code LIKE 'silent %'`.execute(db);
    // It is read again by the minute.
    await clock.advance(2 * minute);
    await send(silent, [
      [start - 2 * hour, { level: 50 }],
      [start - 2 * hour + 15 * minute, { level: 75 }],
      [start - 2 * hour + 30 * minute, { level: 0 }],
    ]);
    await roller.roll();
    expect(total(await energyOf(silent))).toBeCloseTo((0.1 * (0.3806 + (0.3806 + 1) / 2)) / 4, 4);
  });
});

describe('learning of many models', () => {
  const models = ['A', 'B', 'C', 'D', 'E'];
  const learned = async () =>
    (
      await sql<{
        model: string;
      }>`SELECT model FROM lamp_curve WHERE manufacturer = 'A-many' ORDER BY model COLLATE "C"`.execute(db)
    ).rows.map(({ model }) => model);
  const piecewise = createRoller({ db, clock, log: written.log, modelsAtOnce: 2 });

  it('takes a piece of them a turn until all are known; a piece that fails is told once, comes last, and holds up neither the others nor the history', async () => {
    for (const model of models) {
      for (const lamp of await Promise.all([1, 2, 3].map(() => givenDevice(db)))) {
        await sql`UPDATE device SET props = jsonb_build_object('manufacturer', 'A-many', 'model', ${model}::text)
          WHERE id = ${lamp}`.execute(db);
        await send(
          lamp,
          Array.from({ length: 5 }, (_, i): [number, Record<string, unknown>] => [
            start - (5 + i) * hour + minute,
            { level: 50, power: 40 },
          ]),
        );
      }
    }
    await piecewise.roll();
    await sql`CREATE FUNCTION fall() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'no curve'; END
      $$`.execute(db);
    await sql`CREATE TRIGGER fall BEFORE INSERT ON lamp_curve FOR EACH ROW
      WHEN (NEW.model = 'A') EXECUTE FUNCTION fall()`.execute(db);
    await sql`UPDATE rollup_state SET curves_at = '-infinity'`.execute(db);
    for (let turns = 0; turns < 3; turns += 1) await piecewise.roll();
    expect(written.lines()).toMatchObject([{ seconds: 600, err: { message: 'no curve' } }]);
    expect(await learned()).toEqual([]);
    await clock.advance(11 * minute);
    await piecewise.roll();
    expect(await learned()).toEqual(['C', 'D']);
    await sql`DROP TRIGGER fall ON lamp_curve`.execute(db);
    for (let turns = 0; turns < 2; turns += 1) await piecewise.roll();
    expect(await learned()).toEqual(models);
    expect(written.lines()).toHaveLength(1);
    await sql`DROP FUNCTION fall`.execute(db);
  });
});

describe('days', () => {
  it('are rolled from their hours when they are over, with the morning apart, and corrected too', async () => {
    const lamp = await givenDevice(db);
    // 2026-11-19 of the area: from 16:00 UTC the day before.
    const begin = Date.parse('2026-11-18T16:00:00Z');
    await send(lamp, counted(begin, begin + day + hour, 10, 0.06));
    await roller.roll();
    const dayOf = async () =>
      (
        await sql<{
          day: string;
          measured: number;
          am: number;
        }>`SELECT day::text AS day, measured, am_measured AS am FROM energy_day WHERE device_id = ${lamp}
          ORDER BY day`.execute(db)
      ).rows;
    expect(await dayOf()).toEqual([
      { day: '2026-11-19', measured: expect.closeTo(1.44, 6) as number, am: expect.closeTo(0.72, 6) as number },
      { day: '2026-11-20', measured: expect.closeTo(0.06, 6) as number, am: expect.closeTo(0.06, 6) as number },
    ]);
    const stats = async () =>
      (
        await sql<{
          readings: number;
          mean: number;
          low: number;
        }>`SELECT d.readings, v.mean, coalesce(v.low, v.mean) AS low FROM reading_day d
          CROSS JOIN LATERAL unnest(d.keys, d.means, d.lows) AS v(id, mean, low)
      JOIN history_quantity q ON q.id = v.id WHERE d.device_id = ${lamp} AND q.key = 'level'
        AND d.day = '2026-11-19'`.execute(db)
      ).rows;
    expect(await stats()).toEqual([{ readings: 96, mean: 100, low: 100 }]);
    await send(lamp, [[begin + 5 * hour + minute, { level: 3 }]]);
    await roller.roll();
    expect(await stats()).toEqual([{ readings: 97, mean: expect.closeTo((96 * 100 + 3) / 97, 3) as number, low: 3 }]);
  });

  it('have as many hours as the zone gives them, and morning ends at its noon', async () => {
    await sql`INSERT INTO work_area (id, work_code, work_name, longitude, latitude, time_zone)
      VALUES (2, 'P', 'Paris', 2.35, 48.86, 'Europe/Paris')`.execute(db);
    const lamp = await givenDevice(db, { workAreaId: 2, roadId: null });
    // 25 October is the day on which clocks go back: 25 hours, 13 of them before noon.
    await send(lamp, counted(Date.parse('2026-10-24T22:00:00Z'), Date.parse('2026-10-25T23:00:00Z'), 10, 0.04));
    await roller.roll();
    const { rows } = await sql`SELECT e.day::text AS day, e.measured, e.am_measured AS am, d.readings FROM energy_day e
        JOIN reading_day d USING (device_id, day) WHERE e.device_id = ${lamp} ORDER BY e.day`.execute(db);
    expect(rows).toEqual([
      {
        day: '2026-10-25',
        measured: expect.closeTo(1, 6) as number,
        am: expect.closeTo(0.52, 6) as number,
        readings: 100,
      },
    ]);
  });
});

describe('a step that fails', () => {
  it('has changed nothing, and the next round does it', async () => {
    const lamp = await givenDevice(db);
    await sql`CREATE FUNCTION fall() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'down'; END
      $$`.execute(db);
    await sql`CREATE TRIGGER fall BEFORE INSERT ON energy_mark EXECUTE FUNCTION fall()`.execute(db);
    await send(lamp, counted(start - 3 * hour, start - hour - minute, 40, 0.08));
    await expect(roller.roll()).rejects.toThrow('down');
    expect([await hoursOf(lamp), await energyOf(lamp), await waiting()]).toEqual([[], [], 2]);
    await sql`DROP TRIGGER fall ON energy_mark`.execute(db);
    await roller.roll();
    expect(await hoursOf(lamp)).toEqual(await oracle(lamp, start));
    expect(total(await energyOf(lamp))).toBeCloseTo(0.14, 9);
  });
});

describe('several processes', () => {
  it('roll beside one another: each thing is done once', async () => {
    const others = [createRoller({ db, clock, log, sliceSize: 2 }), createRoller({ db, clock, log, sliceSize: 3 })];
    const lamps = await Promise.all(Array.from({ length: 7 }, () => givenDevice(db)));
    for (let hours = 0; hours < 3; hours += 1) {
      await Promise.all(lamps.map((lamp) => send(lamp, counted(now() - hour, now(), 20, 0.05))));
      await clock.advance(hour);
      await Promise.all([...others, roller].map((one) => one.roll()));
    }
    await Promise.all([...others, roller].map((one) => one.roll()));
    await roller.roll();
    for (const lamp of lamps) expect(await hoursOf(lamp)).toEqual(await oracle(lamp, start + 4 * hour));
  });

  it('an hour is not closed under a transaction that writes into it, and what it writes is rolled', async () => {
    const lamp = await givenDevice(db);
    const at = now() - minute;
    const { promise: written, resolve: write } = Promise.withResolvers<void>();
    const { promise: held, resolve: hold } = Promise.withResolvers<void>();
    const before = (await db.selectFrom('rollup_state').select('closed_to').executeTakeFirstOrThrow()).closed_to;
    const writer = db.transaction().execute(async (tx) => {
      await sql`SELECT * FROM hold_open_hours()`.execute(tx);
      hold();
      await written;
      await sql`INSERT INTO reading (at, device_id, received_at, values)
        VALUES (${new Date(at)}, ${lamp}, now(), '{"level": 7}')`.execute(tx);
    });
    await held;
    await clock.advance(2 * hour);
    await roller.roll();
    expect((await db.selectFrom('rollup_state').select('closed_to').executeTakeFirstOrThrow()).closed_to).toEqual(
      before,
    );
    write();
    await writer;
    await roller.roll();
    expect((await hoursOf(lamp)).map(({ mean }) => mean)).toEqual([7]);
  });
});
