import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { givenDevice } from '../../testing/devices.ts';
import { createRoller } from './index.ts';
import { rolledHistory } from './testing/rolled.ts';

const {
  db,
  log,
  minute,
  hour,
  day,
  start,
  clock,
  roller,
  now,
  send,
  counted,
  hoursOf,
  oracle,
  energyOf,
  total,
  waiting,
} = await rolledHistory();

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
