import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { givenDevice } from '../../testing/devices.ts';
import { createRoller } from './index.ts';
import { rolledHistory } from './testing/rolled.ts';

const { db, minute, hour, start, clock, roller, written, send, energyOf, total } = await rolledHistory();

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
