import { sql } from 'kysely';
import { beforeEach, describe, expect, it } from 'vitest';
import { exampleProgramme, exampleScheme } from '../../../../catalogue/lighting/plan/examples.ts';
import { nightOf } from '../../../../catalogue/lighting/plan/lamp-plan.ts';
import { givenLoop } from './testing/rows.ts';
import { minuteMs, noon, publishingOffice, wall } from './testing/office.ts';

const office = await publishingOffice();
const { db, clock, get, read } = office;
beforeEach(() => clock.set(new Date(noon)));

const iso = (at: number) => new Date(at).toISOString();
const dimmed = wall('2026-11-23T23:00');

/** The job goes on at this time, twice: what one look finds the next phase sees. */
async function until(at: number): Promise<void> {
  clock.set(new Date(at));
  await office.turn();
  await office.turn();
}
async function told(lamps: readonly number[], more: object = {}): Promise<number> {
  const { status, body } = await office.publish(lamps, more);
  expect(status, JSON.stringify(body)).toBe(201);
  await office.turn();
  return body.id;
}

describe('the next proof of a publication', () => {
  it('is the first step that tells, until the last lamp that was told has shown it', async () => {
    const [good = 0, late = 0] = await office.lamps(2);
    const id = await told([good, late]);
    // At dusk the lamps did the same before.
    expect((await get(id)).nextProof).toEqual({ first: iso(dimmed), last: iso(dimmed) });
    for (const lamp of [good, late]) await read(lamp, wall('2026-11-23T17:05'), 100);
    await until(wall('2026-11-23T18:00'));
    expect((await get(id)).nextProof).toEqual({ first: iso(dimmed), last: iso(dimmed) });
    await read(good, dimmed + 5 * minuteMs, 60);
    await until(dimmed + 6 * minuteMs);
    const waiting = await get(id);
    expect(waiting.states).toEqual({ proven: 1, told: 1 });
    expect(waiting.nextProof).toEqual({ first: iso(dimmed), last: iso(dimmed) });
    // It does otherwise once: the next evening tells again.
    await read(late, dimmed + 7 * minuteMs, 100);
    await until(wall('2026-11-24T01:00'));
    const missed = await get(id);
    expect(missed.items.find(({ deviceId }) => deviceId === late)?.proof?.misses).toBe(1);
    const next = iso(wall('2026-11-24T23:00'));
    expect(missed.nextProof).toEqual({ first: next, last: next });
    await read(late, wall('2026-11-24T17:05'), 100);
    await read(late, wall('2026-11-24T23:05'), 60);
    await until(wall('2026-11-24T23:06'));
    expect(await get(id)).toMatchObject({ states: { proven: 2 }, nextProof: null });
  });

  it('comes at the places of its lamps', async () => {
    const programme = exampleProgramme();
    const schemeId = await office.version('scheme', {
      ...exampleScheme(),
      programmes: [
        {
          ...(exampleScheme().programmes[0] ?? expect.fail('a programme')),
          programme: {
            ...programme,
            periods: programme.periods.map((period, index) =>
              index === 0 ? period : { ...period, start: { at: 'sunset' as const, offsetMinutes: 60 * index } },
            ),
          },
        },
      ],
    });
    const lamps = await office.lamps(3);
    const [east = 0, , west = 0] = lamps;
    for (const [lamp, longitude] of [
      [east, 120.6],
      [west, 119.9],
    ] as const)
      await sql`UPDATE device SET latitude = 30.25, longitude = ${longitude} WHERE id = ${lamp}`.execute(db);
    const id = await told(lamps, { schemeId });
    const plans = await office.plans.of(db, lamps, noon);
    const stepOf = (lamp: number) => {
      const { steps } = nightOf(plans.get(lamp) ?? expect.fail('a plan'), '2026-11-23');
      return steps[1]?.at ?? expect.fail('a step');
    };
    // 0.7° of longitude are 2.8 minutes.
    expect(stepOf(west) - stepOf(east)).toBeGreaterThan(2 * minuteMs);
    expect((await get(id)).nextProof).toEqual({ first: iso(stepOf(east)), last: iso(stepOf(west)) });
  });

  /** Dimmed after the time at which loops of half a night are switched off. */
  async function dimmedLate(): Promise<number> {
    const scheme = exampleScheme();
    return office.version('scheme', {
      ...scheme,
      programmes: scheme.programmes.map((one) => ({
        ...one,
        programme: {
          ...one.programme,
          periods: one.programme.periods.map((period, index) =>
            index === 0 ? period : { ...period, start: { at: '02:00', offsetMinutes: 10 * (index - 1) } },
          ),
        },
      })),
    });
  }
  const late = iso(wall('2026-11-24T02:00'));

  it('is that of every loop, also of the last lamp behind many of another one', async () => {
    const lamps = await office.lamps(6);
    const last = lamps.slice(-1);
    await givenLoop(db, lamps.slice(0, -1), 'half_night');
    await givenLoop(db, last, 'all_night');
    const id = await told(lamps, {
      schemeId: await dimmedLate(),
      acceptedFindings: ['darker', 'unknownHolidays', 'loopOff'],
    });
    expect((await get(id)).nextProof?.last).toBe(late);
  });

  it('is that of every kind, where there are more lamps than are looked at', async () => {
    const places = 501;
    const [lamp = 0] = await office.lamps(1);
    const id = await told([lamp], { schemeId: await dimmedLate() });
    // Four at each place, the last of all alone on a loop that has power.
    await sql`WITH made AS (INSERT INTO device (family, work_area_id, equipment_code, latitude, longitude)
        SELECT 'single-lamp-controller', 1, 'KIND-' || n, 30.25 + 0.01 * ((n - 1) / 4), 120.2
        FROM generate_series(1, ${4 * places}::int) n RETURNING id, latitude, longitude),
      given AS (INSERT INTO plan_assignment (device_id, scheme_version_id, from_day, publication_id, assigned_by, at,
          latitude, longitude)
        SELECT m.id, x.scheme_version_id, x.from_day, x.publication_id, 'test', x.at, m.latitude, m.longitude
        FROM made m, plan_assignment x WHERE x.device_id = ${lamp}),
      told AS (INSERT INTO publication_item (publication_id, device_id, state, plan_hash, told_at, open, latitude, longitude)
        SELECT i.publication_id, m.id, i.state, i.plan_hash, i.told_at, i.open, m.latitude, m.longitude
        FROM made m, publication_item i WHERE i.device_id = ${lamp} AND i.publication_id = ${id})
      INSERT INTO publication_watch SELECT w.publication_id, m.id, w.look_at
        FROM made m, publication_watch w WHERE w.device_id = ${lamp} AND w.publication_id = ${id}`.execute(db);
    const { rows } = await sql<{ id: number }>`SELECT device_id AS id FROM publication_item
      WHERE publication_id = ${id} ORDER BY device_id`.execute(db);
    const all = rows.map((row) => row.id);
    expect(all).toHaveLength(4 * places + 1);
    await givenLoop(db, all.slice(0, -4), 'half_night');
    clock.set(new Date(noon + minuteMs));
    expect((await get(id)).nextProof?.last).toBe(late);
  });

  it('is none before a lamp was told, and none of lamps that are away', async () => {
    const lamps = await office.lamps(1);
    const { body } = await office.publish(lamps);
    expect((await get(body.id)).nextProof).toBeNull();
    await office.turn();
    await until(wall('2026-11-24T01:00'));
    expect(await get(body.id)).toMatchObject({ states: { away: 1 }, nextProof: null });
  });
});
