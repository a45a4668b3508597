import { sql } from 'kysely';
import { beforeEach, describe, expect, it } from 'vitest';
import { exampleScheme } from '../../../../catalogue/lighting/plan/examples.ts';
import type { getException } from '../../../../contract/light/exceptions.ts';
import type { ReplyOf } from '../../../../contract/route.ts';
import { noon, publishingOffice } from '../publications/testing/office.ts';
import { givenRow } from '../publications/testing/rows.ts';
import { exceptionsRoutes } from './index.ts';

const office = await publishingOffice((parts) => exceptionsRoutes(parts));
const { app, db, call, clock } = office;
const permissions = ['plan.exception', 'plan.query'];
const planner = await app.signIn({ username: 'planner', permissions, workAreas: [1] });
const other = await app.signIn({ username: 'other', permissions, workAreas: [1] });
const second = await app.signIn({
  username: 'second',
  permissions: ['lamp.approve', 'plan.query'],
  workAreas: [1],
});
const third = await app.signIn({
  username: 'third',
  permissions: ['lamp.approve', 'plan.query'],
  workAreas: [1],
});
beforeEach(async () => {
  clock.set(new Date(noon));
  await db
    .updateTable('account')
    .set({ last_login_at: clock.now() })
    .where('id', 'in', [second.accountId, third.accountId])
    .execute();
});

const path = '/api/v1/plan-exceptions';
interface Answer {
  readonly id: number;
  readonly state: string;
  readonly waits?: boolean;
  readonly code: number;
  readonly belowFloor: readonly object[];
  readonly darkens: number;
  readonly digest: string;
}
const make = (deviceIds: readonly number[], level: number, { token = planner.token, op = 'set' } = {}) =>
  call<Answer>(path, {
    token,
    body: {
      ...{ scope: { deviceIds }, fromDay: '2026-11-24', toDay: '2026-11-26', op, level },
      reason: '夜间施工占道',
    },
  });
const shown = async (id: number) =>
  (await call<ReplyOf<typeof getException>>(`${path}/${id}`, { token: second.token })).body;
const seen = async (id: number) => (await shown(id)).approval?.digest ?? '';
/** By what is shown at this moment, or by what was seen before. */
const decide = async (id: number, { approved = true, query = '', digest = '', token = second.token } = {}) =>
  call<Answer>(`${path}/${id}/decide${query}`, {
    token,
    body: { approved, digest: digest || (await seen(id)), reason: '已核对' },
  });
/** A neighbour gets darker meanwhile: a second person agrees to that as well. */
async function dims(lamp: number, level: number): Promise<number> {
  const made = await make([lamp], level, { token: other.token });
  expect(made.status, JSON.stringify(made.body)).toBe(201);
  if (made.body.state === 'awaitingApproval') expect((await decide(made.body.id)).status).toBe(200);
  return made.body.id;
}
const cancel = (id: number, token = other.token, reason = '提前完工') =>
  call<Answer>(`${path}/${id}/cancel`, { token, body: { reason } });
/** They follow a scheme that dims to this level. */
async function follow(lamps: readonly number[], level: number): Promise<void> {
  const schemeId = await office.version('scheme', exampleScheme(level));
  await sql`INSERT INTO plan_assignment (device_id, scheme_version_id, from_day, assigned_by, at)
    SELECT lamp, (SELECT id FROM scheme_version WHERE scheme_id = ${schemeId}), '2026-11-01'::date, 'test',
      ${clock.now()} FROM unnest(${[...lamps]}::bigint[]) AS lamp`.execute(db);
}
const below = (level: number) => [{ roadClass: 'arterial', lamps: 2, floor: 50, level }];

describe('a second person who agrees to an exception', () => {
  it('agrees to what was looked at: what became darker since is refused, shown, and agreed to by a second look', async () => {
    const [first = 0, middle = 0, last = 0] = await givenRow(db, 3, 'arterial');
    const { body } = await make([first, middle], 20);
    expect(body.state).toBe('awaitingApproval');
    expect(await shown(body.id)).toMatchObject({ belowFloor: below(46.7) });
    await dims(last, 80);
    const tried = await decide(body.id, { query: '?dryRun=1' });
    expect(tried.status).toBe(409);
    expect(await shown(body.id)).toMatchObject({ belowFloor: below(46.7) });
    // Tried or sent, it names what it would be now.
    const digest = await seen(body.id);
    const refused = await decide(body.id);
    expect([refused.status, refused.body.code], JSON.stringify(refused.body)).toEqual([409, 1401]);
    expect(refused.body.digest).toBe(tried.body.digest);
    expect(refused.body.digest).not.toBe(digest);
    expect(await seen(body.id)).toBe(refused.body.digest);
    expect(refused.body.belowFloor).toEqual(below(40));
    // It still waits, and says what it would be now.
    expect(await shown(body.id)).toMatchObject({
      ...{ state: 'awaitingApproval', belowFloor: below(40) },
      approval: { outcome: 'pending' },
    });
    expect((await decide(body.id)).body).toEqual({ id: body.id, state: 'planned' });
    expect(await shown(body.id)).toMatchObject({ agreedBy: 'second', belowFloor: below(40) });
  });

  it('agrees to nothing that another refused attempt brought to light', async () => {
    const [first = 0, middle = 0, last = 0] = await givenRow(db, 3, 'arterial');
    const { id } = (await make([first, middle], 20)).body;
    const digest = await seen(id);
    await dims(last, 80);
    expect((await decide(id, { token: third.token })).body.belowFloor).toEqual(below(40));
    // Who looked before that has seen other numbers.
    const late = await decide(id, { digest });
    expect([late.status, late.body.code]).toEqual([409, 1401]);
    expect(late.body).toMatchObject({ belowFloor: below(40), darkens: 2, digest: await seen(id) });
    expect((await decide(id, { digest: late.body.digest })).body.state).toBe('planned');
  });

  it('looks again at other lamps in the same number', async () => {
    const [first = 0, middle = 0, last = 0] = await givenRow(db, 3, 'arterial');
    const [one = 0, two = 0, three = 0] = await givenRow(db, 3, 'arterial');
    const dimmed = await dims(last, 80);
    // 25, 25 and 80; beside 100 they are at their floor.
    const { id } = (await make([first, middle, one, two], 25)).body;
    expect(await shown(id)).toMatchObject({ darkens: 4, belowFloor: below(43.3) });
    expect((await cancel(dimmed)).status).toBe(200);
    await dims(three, 80);
    const refused = await decide(id);
    expect([refused.status, refused.body.code]).toEqual([409, 1401]);
    expect(refused.body).toMatchObject({ darkens: 4, belowFloor: below(43.3) });
    expect((await decide(id)).body.state).toBe('planned');
  });

  it('looks again when more lamps get darker, by it or by its end', async () => {
    const [first = 0, middle = 0, last = 0] = await givenRow(db, 3, 'arterial');
    const [dark = 0, lit = 0] = await office.lamps(2);
    const dimmed = await dims(dark, 30);
    await dims(last, 80);
    const { id } = (await make([first, middle, dark], 30)).body;
    expect(await shown(id)).toMatchObject({ darkens: 2, belowFloor: below(46.7) });
    expect((await cancel(dimmed)).status).toBe(200);
    const refused = await decide(id);
    expect([refused.status, refused.body.darkens, refused.body.belowFloor]).toEqual([409, 3, below(46.7)]);
    expect(await shown(id)).toMatchObject({ darkens: 3 });
    expect((await decide(id, { digest: refused.body.digest })).body.state).toBe('planned');

    await follow([first, middle, lit], 30);
    const raised = await make([first, middle, lit], 100, { op: 'max' });
    const beside = await make([lit], 100, { op: 'max', token: other.token });
    await dims(last, 75);
    expect((await cancel(raised.body.id, planner.token)).body.waits).toBe(true);
    expect((await shown(raised.body.id)).ending).toMatchObject({ darkens: 2 });
    expect((await cancel(beside.body.id)).body.state).toBe('cancelled');
    const end = await decide(raised.body.id);
    expect([end.status, end.body.darkens]).toEqual([409, 3]);
    expect((await shown(raised.body.id)).ending).toMatchObject({ darkens: 3 });
    expect((await decide(raised.body.id)).body.state).toBe('cancelled');
  });

  it('is asked again for another end than the one that was looked at', async () => {
    const [first = 0, middle = 0, last = 0] = await givenRow(db, 3, 'arterial');
    await follow([first, middle], 30);
    const { id } = (await make([first, middle], 100, { op: 'max' })).body;
    await dims(last, 75);
    expect((await cancel(id, planner.token)).body.waits).toBe(true);
    const digest = await seen(id);
    expect((await decide(id, { approved: false, digest: 'x' })).body.state).toBe('planned');
    expect((await cancel(id, planner.token, '供电局要求')).body.waits).toBe(true);
    expect((await decide(id, { digest })).status).toBe(409);
    expect((await decide(id)).body.state).toBe('cancelled');
  });

  it('is asked once where nothing became darker, and may always refuse', async () => {
    const [first = 0, middle = 0] = await givenRow(db, 3, 'arterial');
    const { body } = await make([first, middle], 20);
    expect((await decide(body.id)).body.state).toBe('planned');
    const [one = 0, two = 0, three = 0] = await givenRow(db, 3, 'arterial');
    const waiting = await make([one, two], 20);
    await dims(three, 80);
    expect((await decide(waiting.body.id, { approved: false, digest: 'x' })).body.state).toBe('refused');
  });

  it('is refused without a judgement where nothing is to be decided', async () => {
    const [first = 0, middle = 0] = await givenRow(db, 3, 'arterial');
    const maker = await app.signIn({
      username: 'maker',
      permissions: [...permissions, 'lamp.approve'],
      workAreas: [1],
    });
    await db.updateTable('account').set({ last_login_at: clock.now() }).where('id', '=', maker.accountId).execute();
    const [{ body: waiting }, { body: decided }] = [
      await make([first, middle], 20, { token: maker.token }),
      await make([first, middle], 20, { token: maker.token }),
    ];
    expect((await decide(decided.id)).body.state).toBe('planned');
    const digest = await seen(waiting.id);
    const asked = { approved: true, digest, reason: '已核对' };
    const codes = await db.transaction().execute(async (tx) => {
      // Who judges or decides waits for the row.
      await sql`SELECT FROM plan_exception WHERE id = ANY(${[waiting.id, decided.id]}) FOR UPDATE`.execute(tx);
      const own = await call<Answer>(`${path}/${waiting.id}/decide`, { token: maker.token, body: asked });
      const again = await decide(decided.id, { digest });
      clock.set(new Date(noon + 90_000_000));
      const late = await call<Answer>(`${path}/${waiting.id}/decide`, { token: second.token, body: asked });
      return [own, again, late].map(({ status, body }) => [status, body.code]);
    });
    // Its own maker, decided, and too late.
    expect(codes).toEqual([
      [403, 4015],
      [409, 4014],
      [409, 4016],
    ]);
  });

  it('agrees to its end by what it leaves then', async () => {
    const [first = 0, middle = 0, last = 0] = await givenRow(db, 3, 'arterial');
    await follow([first, middle], 30);
    const raised = await make([first, middle], 100, { op: 'max' });
    expect(raised.body.state).toBe('planned');
    await dims(last, 75);
    const { id } = raised.body;
    const ended = await cancel(id, planner.token);
    expect(ended.body.waits, JSON.stringify(ended.body)).toBe(true);
    // 30, 30 and 75; then 60.
    expect((await shown(id)).ending).toMatchObject({ belowFloor: below(45) });
    await dims(last, 60);
    const refused = await decide(id);
    expect([refused.status, refused.body.belowFloor]).toEqual([409, below(40)]);
    expect(await shown(id)).toMatchObject({ state: 'planned', ending: { belowFloor: below(40) } });
    expect((await decide(id)).body.state).toBe('cancelled');
  });
});
