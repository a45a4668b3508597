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
beforeEach(async () => {
  clock.set(new Date(noon));
  await db.updateTable('account').set({ last_login_at: clock.now() }).where('id', '=', second.accountId).execute();
});

const path = '/api/v1/plan-exceptions';
interface Answer {
  readonly id: number;
  readonly state: string;
  readonly waits?: boolean;
  readonly code: number;
  readonly belowFloor: readonly object[];
}
const make = (deviceIds: readonly number[], level: number, { token = planner.token, op = 'set' } = {}) =>
  call<Answer>(path, {
    token,
    body: {
      ...{ scope: { deviceIds }, fromDay: '2026-11-24', toDay: '2026-11-26', op, level },
      reason: '夜间施工占道',
    },
  });
const decide = (id: number, approved = true, query = '') =>
  call<Answer>(`${path}/${id}/decide${query}`, { token: second.token, body: { approved, reason: '已核对' } });
const shown = async (id: number) =>
  (await call<ReplyOf<typeof getException>>(`${path}/${id}`, { token: second.token })).body;
/** A neighbour gets darker meanwhile: a second person agrees to that as well. */
async function dims(lamp: number, level: number): Promise<void> {
  const made = await make([lamp], level, { token: other.token });
  expect(made.status, JSON.stringify(made.body)).toBe(201);
  if (made.body.state === 'awaitingApproval') expect((await decide(made.body.id)).status).toBe(200);
}
const below = (level: number) => [{ roadClass: 'arterial', lamps: 2, floor: 50, level }];

describe('a second person who agrees to an exception', () => {
  it('agrees to what was looked at: what became darker since is refused, shown, and agreed to by a second look', async () => {
    const [first = 0, middle = 0, last = 0] = await givenRow(db, 3, 'arterial');
    const { body } = await make([first, middle], 20);
    expect(body.state).toBe('awaitingApproval');
    expect(await shown(body.id)).toMatchObject({ belowFloor: below(46.7) });
    await dims(last, 80);
    const tried = await decide(body.id, true, '?dryRun=1');
    expect(tried.status).toBe(409);
    expect(await shown(body.id)).toMatchObject({ belowFloor: below(46.7) });
    const refused = await decide(body.id);
    expect([refused.status, refused.body.code], JSON.stringify(refused.body)).toEqual([409, 1401]);
    expect(refused.body.belowFloor).toEqual(below(40));
    // It still waits, and says what it would be now.
    expect(await shown(body.id)).toMatchObject({
      ...{ state: 'awaitingApproval', belowFloor: below(40) },
      approval: { outcome: 'pending' },
    });
    expect((await decide(body.id)).body).toEqual({ id: body.id, state: 'planned' });
    expect(await shown(body.id)).toMatchObject({ agreedBy: 'second', belowFloor: below(40) });
  });

  it('is asked once where nothing became darker, and may always refuse', async () => {
    const [first = 0, middle = 0] = await givenRow(db, 3, 'arterial');
    const { body } = await make([first, middle], 20);
    expect((await decide(body.id)).body.state).toBe('planned');
    const [one = 0, two = 0, three = 0] = await givenRow(db, 3, 'arterial');
    const waiting = await make([one, two], 20);
    await dims(three, 80);
    expect((await decide(waiting.body.id, false)).body.state).toBe('refused');
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
    const asked = { approved: true, reason: '已核对' };
    const codes = await db.transaction().execute(async (tx) => {
      // Who judges or decides waits for the row.
      await sql`SELECT FROM plan_exception WHERE id = ANY(${[waiting.id, decided.id]}) FOR UPDATE`.execute(tx);
      const own = await call<Answer>(`${path}/${waiting.id}/decide`, { token: maker.token, body: asked });
      const again = await decide(decided.id);
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
    const schemeId = await office.version('scheme', exampleScheme(30));
    await sql`INSERT INTO plan_assignment (device_id, scheme_version_id, from_day, assigned_by, at)
      SELECT lamp, (SELECT id FROM scheme_version WHERE scheme_id = ${schemeId}), '2026-11-01'::date, 'test',
        ${clock.now()} FROM unnest(${[first, middle]}::bigint[]) AS lamp`.execute(db);
    const raised = await make([first, middle], 100, { op: 'max' });
    expect(raised.body.state).toBe('planned');
    await dims(last, 75);
    const { id } = raised.body;
    const ended = await call<Answer>(`${path}/${id}/cancel`, { token: planner.token, body: { reason: '提前完工' } });
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
