import { sql } from 'kysely';
import { beforeEach, describe, expect, it } from 'vitest';
import { exampleProgramme, exampleScheme } from '../../../../catalogue/lighting/plan/examples.ts';
import { minuteMs, noon, publishingOffice, wall } from './testing/office.ts';
import { givenLoop } from './testing/rows.ts';

const office = await publishingOffice();
const { db, clock, get, publish, read, turn } = office;
beforeEach(() => clock.set(new Date(noon)));

/** From 02:00 on at 60 %, every night. */
const late = () => {
  const { periods, ...programme } = exampleProgramme();
  return office.version('scheme', {
    ...exampleScheme(),
    programmes: [
      {
        key: 1,
        name: '平日',
        programme: {
          ...programme,
          periods: periods.map((one) =>
            one.start === 'on' ? one : { ...one, start: { at: '02:00', offsetMinutes: 0 } },
          ),
        },
      },
    ],
    calendar: { rules: [], default: 1 },
  });
};
const accepted = { acceptedFindings: ['darker', 'unknownHolidays', 'loopOff'] };
async function until(at: number): Promise<void> {
  clock.set(new Date(at));
  await turn();
  await turn();
}

describe('lamps of a loop that is off after midnight', () => {
  it('are a finding where their plan lights then, and only they', async () => {
    const [half = 0, whole = 0, none = 0] = await office.lamps(3);
    // No floor is asked of a lamp at no road.
    await sql`UPDATE device SET road_id = NULL WHERE id = ${half}`.execute(db);
    await givenLoop(db, [half], 'half_night');
    await givenLoop(db, [whole], 'all_night');
    const refused = await publish([half, whole, none]);
    expect(refused.body.findings).toContainEqual(
      expect.objectContaining({ code: 'loopOff', severity: 'warning', params: { lamps: 1 } }),
    );
    expect((await publish([whole, none])).status).toBe(201);
    const dark = await office.version('scheme', {
      ...exampleScheme(),
      programmes: [
        {
          key: 1,
          name: '半夜',
          programme: {
            ...exampleProgramme(),
            periods: [
              { start: 'on', level: 100, pattern: 'all', rampSeconds: 0 },
              { start: { at: 'middle', offsetMinutes: 0 }, level: 0, pattern: 'all', rampSeconds: 0 },
            ],
          },
        },
      ],
      calendar: { rules: [], default: 1 },
    });
    const made = await publish([half], { schemeId: dark });
    expect(made.status, JSON.stringify(made.body)).toBe(201);
  });

  it('are proven by the steps with power, and not away at those without', async () => {
    const lamps = await office.lamps(3);
    const [silent = 0, proves = 0, fed = 0] = lamps;
    await givenLoop(db, lamps, 'half_night');
    const made = await publish(lamps, { schemeId: await late(), ...accepted });
    expect(made.status, JSON.stringify(made.body)).toBe(201);
    await turn();
    for (const lamp of [proves, fed]) await read(lamp, wall('2026-11-23T17:05'), 100);
    await until(wall('2026-11-23T18:00'));
    const states = async () => {
      const { items } = await get(made.body.id);
      return lamps.map((lamp) => items.find(({ deviceId }) => deviceId === lamp)?.state);
    };
    // No step with power tells the plan from the one before: the first one that was seen is the proof.
    expect(await states()).toEqual(['away', 'proven', 'proven']);
    expect((await get(made.body.id)).phase).toBe('done');
    // The lamp says something at a step without power: it has power, and is judged.
    await read(silent, wall('2026-11-24T02:05'), 100);
    await read(silent, wall('2026-11-24T06:50'), 100);
    await until(wall('2026-11-24T09:00') + minuteMs);
    expect(await states()).toEqual(['diverged', 'proven', 'proven']);
  });

  it('are asked at every step where their loop has power all night', async () => {
    const [lamp = 0] = await office.lamps(1);
    await givenLoop(db, [lamp], 'all_night');
    const made = await publish([lamp], { schemeId: await late(), ...accepted });
    await turn();
    await read(lamp, wall('2026-11-23T17:05'), 100);
    await until(wall('2026-11-24T03:00'));
    const { items } = await get(made.body.id);
    expect(items[0]).toMatchObject({ state: 'away', proof: { expected: 60, observed: null } });
    // It is off by day by its loop: nobody hears of that, and it is no reason to look for it.
    const { rows } = await sql<{ n: number }>`SELECT count(*)::int AS n FROM publication_item
      WHERE publication_id = ${made.body.id} AND proof->>'expected' = '0'`.execute(db);
    expect(rows[0]?.n).toBe(0);
  });
});
