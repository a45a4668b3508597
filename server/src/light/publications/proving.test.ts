import { sql } from 'kysely';
import { beforeEach, describe, expect, it } from 'vitest';
import { exampleProgramme, exampleTemplate } from '../../../../catalogue/lighting/plan/examples.ts';
import { hashOf } from '../plans/index.ts';
import { minuteMs, noon, publishingOffice, wall, type Publication } from './testing/office.ts';

const office = await publishingOffice();
const { db, clock, get, read } = office;
beforeEach(() => clock.set(new Date(noon)));

/** The job goes on at this time, twice: what one look finds the next phase sees. */
async function until(at: number): Promise<void> {
  clock.set(new Date(at));
  await office.turn();
  await office.turn();
}
async function told(count: number, more: object = {}): Promise<{ id: number; lamps: number[] }> {
  const lamps = await office.lamps(count);
  const { status, body } = await office.publish(lamps, more);
  expect(status, JSON.stringify(body)).toBe(201);
  await office.turn();
  return { id: body.id, lamps };
}
const itemOf = async (id: number, lamp = 0): Promise<Publication['items'][number]> => {
  const { items } = await get(id);
  return (lamp === 0 ? items[0] : items.find(({ deviceId }) => deviceId === lamp)) ?? expect.fail('a lamp');
};
const monday = wall('2026-11-23T23:05');
const tuesday = wall('2026-11-24T23:05');

describe('the proof', () => {
  it('is no step that the plan before makes as well', async () => {
    const { id, lamps } = await told(1);
    await read(lamps[0] ?? 0, wall('2026-11-23T17:05'), 100);
    await until(wall('2026-11-23T18:00'));
    expect(await itemOf(id)).toMatchObject({ state: 'told', proof: { expected: 100, observed: 100, misses: 0 } });
    await read(lamps[0] ?? 0, monday, 60);
    await until(monday + minuteMs);
    expect(await itemOf(id)).toMatchObject({ state: 'proven', proof: { expected: 60, observed: 60 } });
    expect((await get(id)).phase).toBe('done');
  });

  it('of a template alone, and of the first plan that a lamp gets, is a step of its programme', async () => {
    const templateId = await office.version('template', {
      ...exampleTemplate(),
      fallbackProgramme: exampleProgramme(40),
    });
    const { id, lamps } = await told(2, { schemeId: undefined, templateId });
    await read(lamps[0] ?? 0, monday, 40);
    await read(lamps[1] ?? 0, monday, 100);
    await until(wall('2026-11-24T01:00'));
    expect((await get(id)).items.map(({ state, proof }) => [state, proof?.misses])).toEqual([
      ['proven', 0],
      ['told', 1],
    ]);
    await read(lamps[1] ?? 0, wall('2026-11-24T06:40'), 100);
    await until(wall('2026-11-24T09:00'));
    expect(await itemOf(id, lamps[1])).toMatchObject({ state: 'diverged', proof: { observed: 100, misses: 2 } });
    expect((await get(id)).phase).toBe('done');
  });

  it('is measured by step, and lamps are counted by their states', async () => {
    const { lamps } = await told(3);
    const [good = 0, bad = 0] = lamps;
    await until(wall('2026-11-23T22:30'));
    const before = office.measured();
    await read(good, monday, 60);
    await read(bad, monday, 100);
    await until(wall('2026-11-24T01:00'));
    const after = office.measured();
    const grown = (name: 'agreed' | 'missed' | 'unseen') => after[name] - before[name];
    expect([grown('agreed'), grown('missed'), grown('unseen')]).toEqual([1, 1, 1]);
    expect(after.delays.slice(before.delays.length)).toEqual([5 * minuteMs]);
    expect(after.devices).toMatchObject({ away: expect.any(Number), proven: expect.any(Number) });
  });

  it('is not asked of a lamp in a manual state', async () => {
    const { id, lamps } = await told(1);
    const [lamp = 0] = lamps;
    const command = await sql<{ id: number }>`INSERT INTO command (command, args, actor_name, created_at)
      VALUES ('on', '{}', 'duty', ${new Date(wall('2026-11-23T22:00'))}) RETURNING id`.execute(db);
    await sql`INSERT INTO command_item (command_id, device_id, state, until, expires_at, acknowledged_at, executed_at)
      VALUES (${command.rows[0]?.id}, ${lamp}, 'confirmed', ${new Date(wall('2026-11-24T08:00'))}, now(),
        ${new Date(wall('2026-11-23T22:00'))}, ${new Date(wall('2026-11-23T22:00'))})`.execute(db);
    await read(lamp, wall('2026-11-23T17:05'), 100);
    for (const at of ['2026-11-23T23:05', '2026-11-24T06:45']) await read(lamp, wall(at), 100);
    await until(wall('2026-11-24T09:00'));
    expect(await itemOf(id)).toMatchObject({ state: 'told', proof: { expected: 100, misses: 0 } });
    expect((await get(id)).phase).toBe('proving');
    await read(lamp, wall('2026-11-24T17:05'), 100);
    await read(lamp, tuesday, 60);
    await until(tuesday + minuteMs);
    expect((await itemOf(id)).state).toBe('proven');
  });

  it('of a lamp that was away comes with its first step afterwards, though the publication has ended', async () => {
    const { id, lamps } = await told(3);
    const [back = 0, otherwise = 0, never = 0] = lamps;
    await until(wall('2026-11-24T01:00'));
    expect(await get(id)).toMatchObject({ phase: 'done', states: { away: 3 } });
    // Others may publish to them.
    await read(back, tuesday, 60);
    await read(otherwise, wall('2026-11-24T17:10'), 0);
    await read(otherwise, tuesday, 100);
    await until(wall('2026-11-25T01:00'));
    const states = async () => Promise.all(lamps.map(async (lamp) => (await itemOf(id, lamp)).state));
    expect(await states()).toEqual(['proven', 'diverged', 'away']);
    // After a week it is final.
    await until(noon + 8 * 86_400_000);
    await read(never, wall('2026-12-01T23:05'), 60);
    await until(wall('2026-12-02T01:00'));
    expect(await states()).toEqual(['proven', 'diverged', 'away']);
  });

  it('is found in readings that come late', async () => {
    const { id, lamps } = await told(1);
    await until(wall('2026-11-24T01:00'));
    expect((await itemOf(id)).state).toBe('away');
    await read(lamps[0] ?? 0, monday, 60);
    await until(wall('2026-11-24T17:30'));
    expect(await itemOf(id)).toMatchObject({ state: 'proven', proof: { stepAt: '2026-11-23T15:00:00.000Z' } });
  });

  it.each([90_000, 3_600_000, -3_600_000])('is judged by the clock of the device, wrong by %i ms', async (offset) => {
    const { id, lamps } = await told(1);
    const [lamp = 0] = lamps;
    await sql`INSERT INTO device_latest (device_id, clock_offset_ms) VALUES (${lamp}, ${offset})`.execute(db);
    const step = wall('2026-11-23T23:00') + offset;
    await read(lamp, wall('2026-11-23T16:50') + offset, 100);
    for (const minutes of [-40, -20, -1]) await read(lamp, step + minutes * minuteMs, 100);
    for (const minutes of [1, 15]) await read(lamp, step + minutes * minuteMs, 60);
    await until(wall('2026-11-24T01:00'));
    expect(await itemOf(id)).toMatchObject({ state: 'proven', reason: 'clock', proof: { misses: 0 } });
  });

  it('of more lamps than are looked at together is found once for each', async () => {
    const { id, lamps } = await told(1);
    const [lamp = 0] = lamps;
    const others = 1100;
    const { rows } = await sql<{ id: number }>`INSERT INTO device (family, work_area_id, equipment_code, road_id,
        longitude, latitude, rated_watts)
      SELECT 'single-lamp-controller', 1, 'MANY-' || i, 1, 120.2, 30.25, 100 FROM generate_series(1, ${others}::int) i
        RETURNING id`.execute(db);
    const ids = rows.map((row) => row.id);
    await sql`INSERT INTO plan_assignment (device_id, scheme_version_id, from_day, publication_id, assigned_by, at)
      SELECT d, x.scheme_version_id, x.from_day, x.publication_id, x.assigned_by, x.at
      FROM plan_assignment x, unnest(${ids}::bigint[]) d WHERE x.device_id = ${lamp}`.execute(db);
    await sql`INSERT INTO publication_item (publication_id, device_id, state, told_at)
      SELECT x.publication_id, d, x.state, x.told_at
      FROM publication_item x, unnest(${ids}::bigint[]) d WHERE x.device_id = ${lamp}`.execute(db);
    await sql`INSERT INTO publication_watch (publication_id, device_id, look_at)
      SELECT x.publication_id, d, x.look_at
      FROM publication_watch x, unnest(${ids}::bigint[]) d WHERE x.device_id = ${lamp}`.execute(db);
    await sql`INSERT INTO reading (at, device_id, received_at, values)
      SELECT r.at, d.id, r.at, jsonb_build_object('level', r.level, 'power', r.level, 'relay', true)
      FROM unnest(${[lamp, ...ids]}::bigint[]) WITH ORDINALITY AS d(id, place), (VALUES
        (${new Date(wall('2026-11-23T17:05'))}::timestamptz, 100),
        (${new Date(monday)}::timestamptz, 60)) AS r(at, level)
      WHERE d.place > 1 OR r.level = 100`.execute(db);
    clock.set(new Date(monday + minuteMs));
    const steps = office.process();
    for (let turns = 0; turns < 50 && steps.counts.proven < others; turns += 1) await steps.turn();
    await steps.turn();
    expect(steps.counts).toMatchObject({ proven: others, diverged: 0, away: 0 });
    expect((await get(id)).states).toEqual({ proven: others, told: 1 });
  });

  it('counts what a lamp says after the month, and so the hash, has changed', async () => {
    clock.set(new Date(wall('2026-11-30T12:00')));
    const { id, lamps } = await told(1);
    const [lamp = 0] = lamps;
    const before = (await itemOf(id)).planHash;
    clock.set(new Date(wall('2026-12-02T12:00')));
    const plan = (await office.plans.of(db, [lamp], clock.now().getTime())).get(lamp) ?? expect.fail('a plan');
    const hash = hashOf(plan, clock.now().getTime());
    expect(hash).not.toBe(before);
    await office.say(lamp, hash);
    await office.turn();
    expect(await itemOf(id)).toMatchObject({ planHash: hash, reportedHash: hash });
    expect((await itemOf(id)).reportedAt).not.toBeNull();
  });

  it('of a lamp that was away across the end of the year comes in the new one, by the hash of then', async () => {
    clock.set(new Date(wall('2026-12-30T12:00')));
    const { token } = await office.app.signIn({
      username: 'winter',
      permissions: ['plan.publish', 'plan.query'],
      workAreas: [1],
    });
    const [lamp = 0] = await office.lamps(1);
    const made = await office.publish([lamp], {}, token);
    expect(made.status, JSON.stringify(made.body)).toBe(201);
    await office.turn();
    const seen = async () =>
      (await office.call<Publication>(`/api/v1/publications/${made.body.id}`, { token })).body.items[0];
    const before = (await seen())?.planHash;
    await until(wall('2026-12-31T01:00'));
    expect(await seen()).toMatchObject({ state: 'away', planHash: before });
    await until(wall('2027-01-04T12:00'));
    const plan = (await office.plans.of(db, [lamp], clock.now().getTime())).get(lamp) ?? expect.fail('a plan');
    const hash = hashOf(plan, clock.now().getTime());
    expect(hash).not.toBe(before);
    await office.say(lamp, hash);
    await read(lamp, wall('2027-01-04T17:30'), 100);
    await read(lamp, wall('2027-01-04T23:05'), 60);
    await until(wall('2027-01-04T23:10'));
    expect(await seen()).toMatchObject({
      ...{ state: 'proven', planHash: hash, reportedHash: hash },
      proof: { stepAt: new Date(wall('2027-01-04T23:00')).toISOString(), misses: 0 },
    });
  });

  it('is not looked for any more once the lamp was given something else', async () => {
    const { id, lamps } = await told(1);
    await until(wall('2026-11-24T01:00'));
    const other = await office.publish(lamps, { schemeId: await office.version('scheme', brighter) });
    expect(other.status, JSON.stringify(other.body)).toBe(201);
    await office.turn();
    await read(lamps[0] ?? 0, tuesday, 90);
    await until(wall('2026-11-25T01:00'));
    expect([(await itemOf(id)).state, (await itemOf(other.body.id)).state]).toEqual(['superseded', 'proven']);
  });
});

const brighter = {
  mode: 'energySaving',
  programmes: [{ key: 1, name: '平日', programme: exampleProgramme(90) }],
  calendar: { rules: [], default: 1 },
  rotation: 'weekly',
  floorExceptions: [],
} as const;
