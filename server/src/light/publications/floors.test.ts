import { sql } from 'kysely';
import { beforeEach, describe, expect, it } from 'vitest';
import { exampleProgramme, exampleScheme, exampleTemplate } from '../../../../catalogue/lighting/plan/examples.ts';
import type { SchemeContent } from '../../../../catalogue/lighting/plan/scheme.ts';
import { noon, publishingOffice } from './testing/office.ts';
import { givenRow } from './testing/rows.ts';

const office = await publishingOffice();
const { db, clock, publish, turn } = office;
beforeEach(() => clock.set(new Date(noon)));

const rowOf = (count: number, roadClass = 'arterial') => givenRow(db, count, roadClass);
const scheme = (level: number, more: Partial<SchemeContent> = {}) =>
  office.version('scheme', { ...exampleScheme(level), ...more });
const alternate = (): Partial<SchemeContent> => ({
  mode: 'alternateOne',
  programmes: [
    {
      key: 1,
      name: '平日',
      programme: {
        ...exampleProgramme(),
        periods: [{ start: 'on', level: 100, pattern: 'alternateOne', rampSeconds: 0 }],
      },
    },
  ],
  calendar: { rules: [], default: 1 },
});
/** What was published to them speaks to them no more. */
const over = (lamps: readonly number[]) =>
  sql`UPDATE publication_item SET open = false WHERE device_id = ANY(${[...lamps]}::bigint[])`.execute(db);
const accepted = { acceptedFindings: ['darker', 'unknownHolidays', 'floorException'] };
const floorsOf = ({ body }: Awaited<ReturnType<typeof publish>>) =>
  (body.findings ?? []).filter(({ code }) => code === 'belowFloor');

describe('the floor of a road', () => {
  it('lets one lamp be dim between two bright ones, and refuses the third of three schemes', async () => {
    const [first = 0, second = 0, third = 0] = await rowOf(3);
    const one = await publish([second], { schemeId: await scheme(30), ...accepted });
    expect(one.status, JSON.stringify(one.body)).toBe(201);
    await turn();
    const two = await publish([first], { schemeId: await scheme(40), ...accepted });
    expect(two.status, JSON.stringify(two.body)).toBe(201);
    await turn();
    const three = await publish([third], { schemeId: await scheme(45), ...accepted });
    expect(three.status).toBe(400);
    // 40, 30 and 45; the programme and the period are those of the lamp that was asked about.
    expect(floorsOf(three)).toMatchObject([
      {
        severity: 'error',
        params: { level: 38.3, floor: 50, roadClass: 'arterial', programme: 1, period: 1, lamps: 1 },
      },
    ]);
    expect((await publish([third], { schemeId: await scheme(90), ...accepted })).status).toBe(201);
  });

  it('sees what is on its way: the third of three schemes is refused though none was sent', async () => {
    for (const [first, last] of [
      ['2026-11-24', '2026-11-24'],
      // Further ahead than lamps are told.
      ['2027-01-20', '2026-11-24'],
      ['2026-11-24', '2027-01-20'],
    ]) {
      const [one = 0, two = 0, three = 0] = await rowOf(3);
      const later = { ...accepted, effectiveFrom: first };
      expect((await publish([two], { schemeId: await scheme(30), ...later })).status).toBe(201);
      expect((await publish([one], { schemeId: await scheme(40), ...later })).status).toBe(201);
      const third = { schemeId: await scheme(45), ...accepted, effectiveFrom: last };
      const refused = await publish([three], third);
      expect([first, last, refused.status]).toEqual([first, last, 400]);
      expect(floorsOf(refused)).toMatchObject([{ params: { level: 38.3, floor: 50, lamps: 1 } }]);
      await over([one, two]);
      expect((await publish([three], third)).status).toBe(201);
    }
  });

  it('sees a return that waits for a second person', async () => {
    const lamps = await rowOf(3);
    const [one = 0, two = 0, three = 0] = lamps;
    await sql`INSERT INTO plan_assignment (device_id, scheme_version_id, from_day, assigned_by, at)
      SELECT lamp, (SELECT id FROM scheme_version WHERE scheme_id = ${await scheme(30)}), '2026-11-01'::date, 'test',
        ${clock.now()} FROM unnest(${[one, two]}::bigint[]) AS lamp`.execute(db);
    const bright = await publish([one, two], { schemeId: await scheme(100), ...accepted });
    expect(bright.status, JSON.stringify(bright.body)).toBe(201);
    await turn();
    const { rows } = await sql<{ id: number }>`WITH back AS (INSERT INTO publication (scope, effective_from, phase,
        phase_since, criteria, auto_revert, go_on, reverts, total, actor_id, actor_name, created_at)
      SELECT '{}', p.effective_from, 'awaitingApproval', now(), '{}', false, true, p.id, 2, 1, 'x', now() FROM publication p
        WHERE p.id = ${bright.body.id} RETURNING id),
      freed AS (UPDATE publication_item SET open = false WHERE publication_id = ${bright.body.id})
      SELECT id FROM back`.execute(db);
    await sql`INSERT INTO publication_item (publication_id, device_id, state)
      SELECT ${rows[0]?.id}, lamp, 'waiting' FROM unnest(${[one, two]}::bigint[]) AS lamp`.execute(db);
    expect(floorsOf(await publish([three], { schemeId: await scheme(60), ...accepted }))).toMatchObject([
      { params: { level: 40, lamps: 1 } },
    ]);
  });

  it('counts lamps that patterns keep lit', async () => {
    const [long, short] = [await rowOf(9, 'secondary'), await rowOf(4, 'secondary')];
    const schemeId = await scheme(100, alternate());
    const refused = await publish(long, { schemeId, ...accepted });
    expect(floorsOf(refused)).toMatchObject([{ params: { level: 33.3, floor: 40, roadClass: 'secondary' } }]);
    expect((await publish(short, { schemeId, ...accepted })).status).toBe(201);
    await sql`UPDATE lamp_position SET keep = true WHERE position % 3 <> 0
      AND pole_id IN (SELECT pole_id FROM device WHERE id = ANY(${long}::bigint[]))`.execute(db);
    expect((await publish(long, { schemeId, ...accepted })).status).toBe(201);
  });

  it('finds periods that only another season reaches', async () => {
    const lamps = await rowOf(3);
    const content = exampleScheme(100);
    const dusk = {
      start: { at: '05:30' as const, offsetMinutes: 0 },
      level: 10,
      pattern: 'all' as const,
      rampSeconds: 0,
    };
    clock.set(new Date(noon - 160 * 86_400_000));
    const schemeId = await office.version('scheme', {
      ...content,
      programmes: content.programmes.map((one) => ({
        ...one,
        programme: { ...one.programme, periods: [...one.programme.periods, dusk] },
      })),
    });
    expect(floorsOf(await publish(lamps, { schemeId, ...accepted }))).toMatchObject([
      { params: { level: 10, lamps: 3 } },
    ]);
  });

  it('is nothing to a publication that changes no light, whatever the lamps do', async () => {
    const lamps = await rowOf(3, 'lane');
    const schemeId = await scheme(20);
    expect((await publish(lamps, { schemeId, ...accepted })).status).toBe(201);
    await turn();
    await over(lamps);
    await sql`UPDATE road SET road_class = 'arterial' WHERE id = (SELECT road_id FROM device
      WHERE id = ${lamps[0]})`.execute(db);
    const templateId = await office.version('template', exampleTemplate());
    const made = await publish(lamps, { schemeId: undefined, templateId, ...accepted });
    expect(made.status, JSON.stringify(made.body)).toBe(201);
    await turn();
    await over(lamps);
    expect(floorsOf(await publish(lamps, { schemeId: await scheme(19), ...accepted }))).toMatchObject([
      { params: { level: 19, lamps: 3 } },
    ]);
    expect(floorsOf(await publish(lamps, { schemeId: await scheme(30), ...accepted }))).toMatchObject([
      { params: { level: 30, lamps: 3 } },
    ]);
  });
});
