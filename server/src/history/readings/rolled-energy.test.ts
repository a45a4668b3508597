import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { givenDevice } from '../../testing/devices.ts';
import { createRoller } from './index.ts';
import { rolledHistory } from './testing/rolled.ts';

const { db, log, minute, hour, start, clock, roller, send, counted, energyOf, total } = await rolledHistory();

// An hour is rolled 2 min after its end.
beforeAll(() => clock.advance(3 * minute));

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
