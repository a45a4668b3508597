import { sql } from 'kysely';
import { beforeEach, describe, expect, it } from 'vitest';
import { exampleProgramme, exampleScheme } from '../../../../catalogue/lighting/plan/examples.ts';
import type { importHolidays } from '../../../../contract/light/calendar.ts';
import type { ReplyOf } from '../../../../contract/route.ts';
import { noon, publishingOffice } from '../publications/testing/office.ts';
import { createHolidayWeighing } from '../weighing/index.ts';
import { calendarRoutes, createCalendars } from './index.ts';

const office = await publishingOffice(({ db, bus, clock }) =>
  calendarRoutes(createCalendars({ db, bus, clock, weigh: createHolidayWeighing({ clock }) })),
);
const { app, db, call, clock, publish, turn } = office;
const { token } = await app.signIn({ username: 'editor', permissions: ['plan.edit', 'plan.query'], workAreas: [1] });
await sql`UPDATE work_area SET time_zone = 'Asia/Shanghai' WHERE id = 1`.execute(db);
const policy = (approvalAbove: number) =>
  sql`INSERT INTO setting (name, value) VALUES ('commands.settings', ${JSON.stringify({ policy: { approvalAbove } })}::jsonb)
    ON CONFLICT (name) DO UPDATE SET value = excluded.value`.execute(db);
beforeEach(() => clock.set(new Date(noon)));

interface Answer extends ReplyOf<typeof importHolidays> {
  readonly code: number;
  readonly count: number;
  readonly answer: { readonly darkens: number };
}
const bring = (file: string, more: Record<string, string> = {}) =>
  call<Answer>(
    `/api/v1/holiday-imports?${new URLSearchParams({ country: 'CN', year: '2027', name: 'x.csv', ...more }).toString()}`,
    { token, body: file, headers: { 'content-type': 'application/octet-stream' } },
  );
/** On public holidays lamps have this level from 23:00 on, else 60 %. */
const onHolidays = (level: number) =>
  office.version('scheme', {
    ...exampleScheme(),
    programmes: [
      { key: 1, name: '平日', programme: exampleProgramme(60) },
      { key: 2, name: '节日', programme: exampleProgramme(level) },
    ],
    calendar: {
      rules: [
        {
          programme: 2,
          label: '节日',
          enabled: true,
          when: [{ kind: 'holiday', class: 'public', name: null }],
        },
      ],
      default: 1,
    },
  });
const newYear = 'date,name\n2027-01-01,元旦';

describe('holidays that lamps begin to follow', () => {
  it('say how many lamps get darker, and are refused above the limit', async () => {
    await policy(200);
    const [dark, bright] = [await office.lamps(3), await office.lamps(2)];
    for (const [lamps, level] of [
      [dark, 20],
      [bright, 90],
    ] as const)
      expect((await publish(lamps, { schemeId: await onHolidays(level) })).status).toBe(201);
    await turn();
    expect((await bring(newYear, { dryRun: '1' })).body.answer.darkens).toBe(3);
    await policy(2);
    const refused = await bring(newYear);
    expect([refused.status, refused.body.code, refused.body.count]).toEqual([400, 4332, 3]);
    expect((await bring(newYear, { confirmCount: '2' })).status).toBe(400);
  });

  it('are imported by who says how many lamps that are, and the log keeps it', async () => {
    const made = await bring(newYear, { confirmCount: '3' });
    expect([made.status, made.body.darkens, made.body.days.length]).toEqual([201, 3, 1]);
    const { rows } = await sql<{ params: string }>`SELECT params FROM operation_log WHERE message = 'holiday.import'
      ORDER BY id DESC LIMIT 1`.execute(db);
    expect(rows[0]?.params).toContain('"darkens":3');
  });

  it('are none of another country, of days that are over, or of days that were holidays before', async () => {
    expect((await bring(newYear)).body.darkens).toBe(0);
    expect((await bring(newYear, { country: 'JP' })).body.darkens).toBe(0);
    expect((await bring('date,name\n2026-02-02,x', { year: '2026' })).body.darkens).toBe(0);
  });

  it('are counted where they cease, too', async () => {
    // Days that cease to be holidays take the light away from those that are brighter on them.
    clock.set(new Date(noon + 3_600_000));
    expect((await bring('date,name\n2027-05-01,劳动节', { dryRun: '1', confirmCount: '5' })).body.answer.darkens).toBe(
      5,
    );
  });

  it('are counted for lamps that follow them until a later scheme, which was sent already, begins', async () => {
    await policy(200);
    const may = 'date,name\n2027-05-01,劳动节';
    const eve = 'date,name\n2026-11-24,试\n2026-11-25,试';
    const late = 'date,name\n2026-11-25,试';
    const lamps = await office.lamps(4);
    const made = await publish(lamps, { schemeId: await onHolidays(50) });
    expect(made.status, JSON.stringify(made.body)).toBe(201);
    await turn();
    expect((await bring(may, { dryRun: '1' })).body.answer.darkens).toBe(9);
    await sql`INSERT INTO plan_assignment (device_id, scheme_version_id, from_day, assigned_by, at)
      SELECT lamp, (SELECT id FROM scheme_version WHERE scheme_id = ${office.schemeId}), '2026-11-25', 'test',
        ${clock.now()} FROM unnest(${lamps}::bigint[]) AS lamp`.execute(db);
    expect((await bring(may, { dryRun: '1' })).body.answer.darkens).toBe(5);
    const year = { dryRun: '1', year: '2026' };
    expect((await bring(eve, year)).body.answer.darkens).toBe(7);
    expect((await bring(late, year)).body.answer.darkens).toBe(3);
  });
});
