import { sql } from 'kysely';
import { beforeEach, describe, expect, it } from 'vitest';
import { exampleScheme } from '../../../../catalogue/lighting/plan/examples.ts';
import { noon, publishingOffice, wall, type Publication } from './testing/office.ts';

const office = await publishingOffice();
const { db, clock, get, publish, read, turn } = office;
beforeEach(() => clock.set(new Date(noon)));
async function until(at: number): Promise<void> {
  clock.set(new Date(at));
  await turn();
  await turn();
}
/** Three lamps of four are told first; what is judged beside their light asks nothing of them. */
async function first(criteria: object = {}, autoRevert = false) {
  const lamps = await office.lamps(4);
  const made = await publish(lamps, {
    canary: { count: 3 },
    criteria: { reportedPercent: 0, provenPercent: 0, ...criteria },
    autoRevert,
  });
  expect(made.status, JSON.stringify(made.body)).toBe(201);
  await turn();
  const { items } = await get(made.body.id, 'canary=true');
  return { id: made.body.id, told: items.map(({ deviceId }) => deviceId) };
}

describe('the first part', () => {
  it('is not less lit than the same lamps were in the night before', async () => {
    const asked = await first();
    const { told } = asked;
    for (const lamp of told) await read(lamp, wall('2026-11-22T23:10'), 100);
    for (const lamp of told.slice(1)) await read(lamp, wall('2026-11-23T23:05'), 60);
    await until(wall('2026-11-24T00:30'));
    expect(await get(asked.id)).toMatchObject({
      phase: 'halted',
      criteria: { litDropPoints: 2 },
      judged: { passed: false, litPercent: 66.6, litBeforePercent: 100 },
    });
  });

  it('is taken back with numbers as the reader writes them', async () => {
    const asked = await first({}, true);
    for (const lamp of asked.told) await read(lamp, wall('2026-11-22T23:10'), 100);
    for (const lamp of asked.told.slice(1)) await read(lamp, wall('2026-11-23T23:05'), 60);
    await until(wall('2026-11-24T00:30'));
    const { revertedBy } = await get(asked.id);
    const reason = async (language: string) => {
      const { token } = office.publisher;
      const path = `/api/v1/publications/${revertedBy}`;
      return (await office.call<Publication>(path, { token, headers: { 'accept-language': language } })).body.reason;
    };
    expect(await reason('fr-FR')).toContain('taux d’allumage 66,6\u00a0%, 100\u00a0% la nuit précédente');
    expect(await reason('en-US')).toContain('lit rate 66.6%, 100% the night before');
  });

  it('passes where as many were dark before, where more may be, and where nothing is known of the night before', async () => {
    const [asDark, allowed, unknown] = [await first(), await first({ litDropPoints: 40 }), await first()];
    for (const { told } of [asDark, allowed, unknown])
      for (const lamp of told.slice(1)) await read(lamp, wall('2026-11-23T23:05'), 60);
    for (const lamp of asDark.told) await read(lamp, wall('2026-11-22T23:10'), lamp === asDark.told[2] ? 0 : 100);
    for (const lamp of allowed.told) await read(lamp, wall('2026-11-22T23:10'), 100);
    await until(wall('2026-11-24T00:30'));
    expect((await get(asDark.id)).judged).toMatchObject({ passed: true, litPercent: 66.6, litBeforePercent: 66.6 });
    expect((await get(allowed.id)).judged).toMatchObject({ passed: true, litPercent: 66.6, litBeforePercent: 100 });
    expect((await get(unknown.id)).judged).toMatchObject({ passed: true, litBeforePercent: null, failed: [] });
  });

  it('is judged when the plan of a lamp that was looked at cannot be made any more', async () => {
    const { id, told } = await first();
    const [one, two, three = 0] = told;
    for (const lamp of [one, two]) await read(lamp ?? 0, wall('2026-11-23T23:05'), 60);
    await until(wall('2026-11-23T23:12'));
    const schemeId = await office.version('scheme', exampleScheme());
    await sql`WITH broken AS (UPDATE scheme_version SET content = '{}' WHERE scheme_id = ${schemeId} RETURNING id)
      INSERT INTO plan_assignment (device_id, scheme_version_id, from_day, assigned_by, at)
      SELECT ${one}, id, '2026-11-01', 'test', ${clock.now()} FROM broken`.execute(db);
    office.restart();
    await read(three, wall('2026-11-23T23:13'), 60);
    await until(wall('2026-11-23T23:15'));
    expect(await get(id)).toMatchObject({ phase: 'judging', judged: { passed: true, litPercent: 100 } });
  });

  it('counts alarms that were over before it was judged', async () => {
    const { id, told } = await first();
    for (const lamp of told) await read(lamp, wall('2026-11-23T23:05'), 60);
    for (const lamp of told.slice(0, 2))
      await sql`INSERT INTO fault_log (device_id, fault, began_at, ended_at)
        VALUES (${lamp}, 'L111', ${new Date(wall('2026-11-23T18:00'))}, ${new Date(wall('2026-11-23T18:30'))})`.execute(
        db,
      );
    // Another kind of fault, and one that began before, are none.
    await sql`INSERT INTO fault_log (device_id, fault, began_at)
      VALUES (${told[2]}, 'L104', ${new Date(wall('2026-11-23T18:00'))}),
        (${told[2]}, 'L111', ${new Date(wall('2026-11-22T18:00'))})`.execute(db);
    await until(wall('2026-11-24T00:30'));
    expect(await get(id)).toMatchObject({ phase: 'halted', judged: { passed: false, newAlarms: 2 } });
  });
});
