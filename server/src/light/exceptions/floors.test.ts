import { buffer } from 'node:stream/consumers';
import { Readable } from 'node:stream';
import { sql } from 'kysely';
import { beforeEach, describe, expect, it } from 'vitest';
import { exampleProgramme, exampleScheme } from '../../../../catalogue/lighting/plan/examples.ts';
import type { getException, previewException } from '../../../../contract/light/exceptions.ts';
import type { ReplyOf } from '../../../../contract/route.ts';
import { sheetsHere } from '../../testing/sheets.ts';
import { noon, publishingOffice } from '../publications/testing/office.ts';
import { givenRow } from '../publications/testing/rows.ts';
import { exceptionExportTask } from './export-task.ts';
import { exceptionsRoutes } from './index.ts';

const office = await publishingOffice((parts) => exceptionsRoutes(parts));
const { app, db, call, clock } = office;
const { token } = await app.signIn({
  username: 'planner',
  permissions: ['plan.exception', 'plan.query', 'lamp.approve'],
  workAreas: [1],
});
beforeEach(() => clock.set(new Date(noon)));

const path = '/api/v1/plan-exceptions';
interface Made {
  readonly id: number;
  readonly state: string;
  readonly count?: number;
}
const nights = { fromDay: '2026-11-24', toDay: '2026-11-26' };
const asked = (deviceIds: readonly number[], more: object) => ({ scope: { deviceIds }, ...nights, ...more });
const preview = async (lamps: readonly number[], more: object) =>
  (await call<ReplyOf<typeof previewException>>(`${path}/preview`, { token, body: asked(lamps, more) })).body;
const make = (lamps: readonly number[], more: object) =>
  call<Made>(path, { token, body: { ...asked(lamps, more), reason: '夜间施工占道' } });
const one = async (id: number) => (await call<ReplyOf<typeof getException>>(`${path}/${id}`, { token })).body;
const set = (level: number) => ({ op: 'set', level });

describe('an exception below the floor of a road', () => {
  it('is none where the neighbours of a lamp are bright', async () => {
    const [, middle = 0] = await givenRow(db, 3, 'arterial');
    expect(await preview([middle], set(30))).toMatchObject({ darkens: 1, belowFloor: [], needsSecond: false });
    const made = await make([middle], set(30));
    expect([made.status, made.body.state]).toEqual([201, 'planned']);
    expect(await one(made.body.id)).toMatchObject({ belowFloor: [], agreedBy: null });
    const quiet = await givenRow(db, 3, 'lane');
    expect((await make(quiet, set(0))).body.state).toBe('planned');
    const busy = await givenRow(db, 3, 'arterial');
    // Raised, or as bright as the floor.
    expect((await make(busy, { op: 'max', level: 20 })).body.state).toBe('planned');
    expect((await make(busy, set(50))).body.state).toBe('planned');
  });

  it('asks for the count where nobody could agree', async () => {
    const lamps = await givenRow(db, 3, 'secondary');
    const refused = await make(lamps, set(20));
    expect([refused.status, refused.body.count]).toEqual([400, 3]);
    const made = await make(lamps, { ...set(20), confirmCount: 3 });
    expect(made.body.state).toBe('planned');
    expect((await one(made.body.id)).belowFloor).toEqual([{ roadClass: 'secondary', lamps: 3, floor: 40, level: 20 }]);
  });

  it('is the end of one that raised lamps beside another that was dimmed meanwhile', async () => {
    const lamps = await givenRow(db, 3, 'arterial');
    const schemeId = await office.version('scheme', exampleScheme(30));
    await sql`INSERT INTO plan_assignment (device_id, scheme_version_id, from_day, assigned_by, at)
      SELECT lamp, (SELECT id FROM scheme_version WHERE scheme_id = ${schemeId}), '2026-11-01'::date, 'test',
        ${clock.now()} FROM unnest(${lamps.slice(0, 2)}::bigint[]) AS lamp`.execute(db);
    const cancel = (id: number, more: object = {}) =>
      call<Made>(`${path}/${id}/cancel`, { token, body: { reason: '提前完工', ...more } });
    const raised = await make(lamps.slice(0, 2), { op: 'max', level: 100 });
    expect((await cancel(raised.body.id)).body.state).toBe('cancelled');
    const again = await make(lamps.slice(0, 2), { op: 'max', level: 100 });
    expect((await make(lamps.slice(2), set(60))).body.state).toBe('planned');
    // 30, 30 and 60.
    const refused = await cancel(again.body.id);
    expect([refused.status, refused.body.count]).toEqual([400, 2]);
    expect((await cancel(again.body.id, { confirmCount: 2 })).body.state).toBe('cancelled');
  });

  it('waits for a second person, however few they are, who stands in the list and in the file', async () => {
    const approver = await app.signIn({
      username: 'second',
      permissions: ['lamp.approve', 'plan.query'],
      workAreas: [1],
    });
    await db.updateTable('account').set({ last_login_at: clock.now() }).where('id', '=', approver.accountId).execute();
    const lamps = await givenRow(db, 3, 'arterial');
    const belowFloor = [{ roadClass: 'arterial', lamps: 3, floor: 50, level: 30 }];
    expect(await preview(lamps, set(30))).toMatchObject({ darkens: 3, belowFloor, needsSecond: true });
    const made = await make(lamps, set(30));
    expect(made.body.state).toBe('awaitingApproval');
    const seen = async (id: number) => ({ approved: true, digest: (await one(id)).approval?.digest });
    const decided = await call(`${path}/${made.body.id}/decide`, {
      token: approver.token,
      body: await seen(made.body.id),
    });
    expect(decided.status).toBe(200);
    expect(await one(made.body.id)).toMatchObject({ state: 'planned', belowFloor, agreedBy: 'second' });

    const task = exceptionExportTask({ db, clock, sheets: sheetsHere(app), areasOf: () => Promise.resolve([1]) });
    const reader = { language: 'en-US' as const, timezoneOffset: 0, accountId: 1 };
    const params = { format: 'csv' as const, state: 'planned', workAreaId: null };
    const kind = task['export.plan-exceptions'];
    await kind.check(params, reader);
    const file = await kind.run(params, reader, () => undefined, new AbortController().signal);
    const [titles = '', ...rows] = (await buffer(file?.content ?? Readable.from([])))
      .toString()
      .trimEnd()
      .split('\r\n');
    const row = rows.find((line) => line.split(',')[0] === String(made.body.id))?.split(',');
    const cell = (title: string) => row?.[titles.replace('\ufeff', '').split(',').indexOf(title)];
    expect([cell('Below the floor of their road'), cell('Agreed by')]).toEqual(['3', 'second']);
  });

  it('is judged with the programme of a scheme, and with what neighbours outside of it do', async () => {
    const lamps = await givenRow(db, 3, 'arterial');
    const dark = await office.version('scheme', {
      ...exampleScheme(),
      programmes: [{ key: 1, name: '平日', programme: exampleProgramme(20) }],
      calendar: { rules: [], default: 1 },
    });
    const programme = { schemeId: dark, programme: 1 };
    expect((await preview(lamps, programme)).belowFloor).toMatchObject([{ lamps: 3, level: 20 }]);
    expect((await preview(lamps.slice(0, 1), programme)).belowFloor).toEqual([]);
    expect((await make(lamps.slice(0, 1), programme)).body.state).toBe('planned');
    // Two at 20 % and one at 100 % are 46.7 %.
    expect((await preview(lamps.slice(1, 2), programme)).belowFloor).toMatchObject([{ lamps: 1, level: 46.7 }]);
    expect((await make(lamps.slice(1, 2), programme)).body.state).toBe('awaitingApproval');
  });

  it('is judged with publications and exceptions that are on their way', async () => {
    const lamps = await givenRow(db, 3, 'arterial');
    const [one = 0, two = 0, three = 0] = lamps;
    expect((await preview([three], set(60))).belowFloor).toEqual([]);
    const accepted = { acceptedFindings: ['darker', 'unknownHolidays'], effectiveFrom: '2026-11-25' };
    for (const [lamp, level] of [
      [one, 30],
      [two, 45],
    ] as const) {
      const schemeId = await office.version('scheme', exampleScheme(level));
      const made = await office.publish([lamp], { schemeId, ...accepted });
      expect(made.status, JSON.stringify(made.body)).toBe(201);
    }
    // 30, 45 and 60; the first two stay brighter until the second night.
    expect((await preview([three], set(60))).belowFloor).toMatchObject([{ lamps: 1, level: 45 }]);
    expect((await preview([three], { ...set(60), toDay: '2026-11-24' })).belowFloor).toEqual([]);
    // What is on its way to a lamp that is excepted itself: it does not get to 60.
    const two60 = await preview([two, three], { op: 'min', level: 60 });
    expect(two60.belowFloor).toMatchObject([{ lamps: 2, level: 45 }]);
    await sql`UPDATE publication_item SET open = false WHERE device_id = ${two}`.execute(db);
    expect((await preview([two], { op: 'min', level: 15 })).belowFloor).toMatchObject([{ lamps: 1, level: 48.3 }]);

    const others = await givenRow(db, 3, 'arterial');
    const waits = await make(others.slice(0, 2), set(20));
    expect(waits.body.state).toBe('awaitingApproval');
    expect((await preview(others.slice(2), set(70))).belowFloor).toMatchObject([{ lamps: 1, level: 36.7 }]);
  });

  it('is judged again by a publication beside it, which a second person agrees to', async () => {
    const [one = 0, two = 0, three = 0] = await givenRow(db, 3, 'arterial');
    const made = await make([one], set(20));
    expect(made.body.state).toBe('planned');
    const asked = { schemeId: await office.version('scheme', exampleScheme(60)) };
    const accepted = ['darker', 'unknownHolidays'];
    // 20, 60 and 100.
    expect((await office.publish([two], { ...asked, acceptedFindings: accepted })).status).toBe(201);
    // 20, 60 and 60; in the nights of the exception alone.
    const later = { ...asked, acceptedFindings: accepted, effectiveFrom: '2026-11-27' };
    expect((await office.publish([three], later)).status).toBe(201);
    await sql`UPDATE publication_item SET open = false WHERE device_id = ${three}`.execute(db);
    const refused = await office.publish([three], { ...asked, acceptedFindings: accepted });
    expect(refused.status).toBe(400);
    expect(refused.body.findings).toContainEqual(
      expect.objectContaining({
        ...{ code: 'floorException', severity: 'warning' },
        params: expect.objectContaining({
          ...{ level: 46.7, lamps: 1, exception: made.body.id, reason: `#${made.body.id} 夜间施工占道` },
        }),
      }),
    );
    const agreed = await office.publish([three], { ...asked, acceptedFindings: [...accepted, 'floorException'] });
    expect(agreed.body.phase, JSON.stringify(agreed.body)).toBe('awaitingApproval');
  });

  it('is seen by a publication to its own lamps while it waits for a second person', async () => {
    const lamps = await givenRow(db, 3, 'arterial');
    const [one = 0, two = 0, three = 0] = lamps;
    const beside = await make([one], set(20));
    expect(beside.body.state).toBe('planned');
    // 20, 20 and 100.
    const waits = await make([two], set(20));
    expect(waits.body.state).toBe('awaitingApproval');
    const over = await call<Made>(`${path}/${beside.body.id}/cancel`, { token, body: { reason: '提前完工' } });
    expect(over.body.state).toBe('cancelled');
    const schemeId = await office.version('scheme', exampleScheme(60));
    const accepted = ['darker', 'unknownHolidays'];
    // 60, 20 and 60, when it is agreed to.
    const refused = await office.publish([one, two, three], { schemeId, acceptedFindings: accepted });
    expect(refused.body.findings).toContainEqual(
      expect.objectContaining({
        code: 'floorException',
        params: expect.objectContaining({ level: 46.7, exception: waits.body.id, lamps: 3 }),
      }),
    );
    // After its nights.
    const later = { schemeId, acceptedFindings: accepted, effectiveFrom: '2026-11-27' };
    expect((await office.publish(lamps, later)).status).toBe(201);
  });

  it('waits at its end too, where lamps get darker only by what is on its way to them', async () => {
    const [one = 0, two = 0, three = 0] = await givenRow(db, 3, 'arterial');
    const raised = await make([one, two], { op: 'max', level: 100 });
    const dim = { schemeId: await office.version('scheme', exampleScheme(30)), effectiveFrom: '2026-11-25' };
    const published = await office.publish([one, two], { ...dim, acceptedFindings: ['darker', 'unknownHolidays'] });
    expect(published.status, JSON.stringify(published.body)).toBe(201);
    expect((await make([three], set(60))).body.state).toBe('planned');
    // 30, 30 and 60.
    const ended = await call<Made>(`${path}/${raised.body.id}/cancel`, { token, body: { reason: '提前完工' } });
    expect([ended.status, ended.body.state], JSON.stringify(ended.body)).toEqual([200, 'planned']);
    // That it was asked for before is none of what is on its way.
    const again = await call<Made>(`${path}/${raised.body.id}/cancel`, { token, body: { reason: '提前完工' } });
    expect([again.status, again.body.state], JSON.stringify(again.body)).toEqual([200, 'planned']);
  });

  it('counts a lamp once, whatever its scheme is excepted for on different days', async () => {
    const lamps = await givenRow(db, 3, 'secondary');
    const schemeId = await office.version('scheme', {
      ...exampleScheme(100),
      floorExceptions: [{ roadClass: 'secondary', reason: '夜间车流少' }],
    });
    const follow = async (fromDay: string, scheme: number | null) =>
      sql`INSERT INTO plan_assignment (device_id, scheme_version_id, from_day, assigned_by, at)
        SELECT lamp, (SELECT id FROM scheme_version WHERE scheme_id = ${scheme}), ${fromDay}::date, 'test',
          ${clock.now()} FROM unnest(${lamps}::bigint[]) AS lamp`.execute(db);
    await follow('2026-11-20', office.schemeId);
    await follow('2026-11-25', schemeId);
    expect((await preview(lamps, set(20))).belowFloor).toMatchObject([{ lamps: 3, floor: 40, level: 20 }]);
  });
});
