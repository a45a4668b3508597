import { sql } from 'kysely';
import { beforeEach, describe, expect, it } from 'vitest';
import type { getException, listExceptions } from '../../../../contract/light/exceptions.ts';
import type { ReplyOf } from '../../../../contract/route.ts';
import { noon, publishingOffice, wall } from '../publications/testing/office.ts';
import { createExceptionSteps, exceptionsRoutes, type ExceptionSteps } from './index.ts';

let steps!: ExceptionSteps;
const office = await publishingOffice((parts) => {
  steps = createExceptionSteps(parts);
  return exceptionsRoutes(parts);
});
const { app, db, call, clock } = office;
// A road of which no light is asked.
await sql`UPDATE road SET road_class = 'lane'`.execute(db);
const path = '/api/v1/plan-exceptions';
const permissions = ['plan.exception', 'plan.publish', 'plan.query', 'lamp.approve'];
const approver = await app.signIn({
  username: 'second',
  permissions: ['lamp.approve', 'plan.query'],
  workAreas: [1],
});
const approves = (at: Date | null) =>
  db.updateTable('account').set({ last_login_at: at }).where('id', '=', approver.accountId).execute();
beforeEach(async () => {
  clock.set(new Date(noon));
  await approves(clock.now());
});
let counted = 0;
/** An account of its own: what one darkens does not count for another. */
const planner = async () =>
  (await app.signIn({ username: `planner${(counted += 1)}`, permissions, workAreas: [1] })).token;

interface Answer {
  readonly id: number;
  readonly state: string;
  readonly waits?: boolean;
  readonly code: number;
  readonly count: number;
}
/** Lamps that dim at 23:00 to 60 %, and burn at 100 % for three days instead. */
async function brightened(count: number, token: string) {
  const lamps = await office.lamps(count);
  await sql`INSERT INTO plan_assignment (device_id, scheme_version_id, from_day, assigned_by, at)
    SELECT id, (SELECT id FROM scheme_version WHERE scheme_id = ${office.schemeId}), '2026-11-01', 'x', now()
    FROM unnest(${lamps}::bigint[]) AS x(id)`.execute(db);
  const made = await call<Answer>(path, {
    token,
    body: {
      scope: { deviceIds: lamps },
      fromDay: '2026-11-23',
      toDay: '2026-11-25',
      op: 'max',
      level: 100,
      reason: '春节灯会照明',
    },
  });
  expect(made.status, JSON.stringify(made.body)).toBe(201);
  return { lamps, id: made.body.id };
}
const cancel = (id: number, token: string, more: object = {}) =>
  call<Answer>(`${path}/${id}/cancel`, { token, body: { reason: '提前完成', ...more } });
const one = async (id: number, token: string) =>
  (await call<ReplyOf<typeof getException>>(`${path}/${id}`, { token })).body;
const decide = async (id: number, token: string, body: object) =>
  call<Answer>(`${path}/${id}/decide`, {
    token,
    body: { digest: (await one(id, token)).approval?.digest, ...body },
  });
const waiting = async (token: string) =>
  (await call<ReplyOf<typeof listExceptions>>(`${path}?state=awaitingApproval`, { token })).body.data.map(
    ({ id }) => id,
  );

describe('the end of more light', () => {
  it('that darkens many waits for a second person; until then the exception goes on', async () => {
    const token = await planner();
    const { id } = await brightened(201, token);
    clock.set(new Date(wall('2026-11-23T20:00')));
    const asked = await cancel(id, token);
    expect([asked.status, asked.body], JSON.stringify(asked.body)).toEqual([
      200,
      { id, state: 'inForce', waits: true, lamps: 201, darker: 201 },
    ]);
    expect(await one(id, token)).toMatchObject({
      state: 'inForce',
      ending: { reason: '提前完成', darkens: 201 },
      approval: { outcome: 'pending', hindrance: 'own' },
    });
    expect(await waiting(approver.token)).toContain(id);
    expect((await decide(id, token, { approved: true })).body.code).toBe(4015);
    // Refused: it goes on, and its end may be asked for once more.
    expect((await decide(id, approver.token, { approved: false, reason: '太暗' })).body.state).toBe('inForce');
    expect(await waiting(approver.token)).not.toContain(id);
    expect(await one(id, token)).toMatchObject({ state: 'inForce', approval: { outcome: 'refused' } });
    expect((await decide(id, approver.token, { approved: true })).status).toBe(409);
    expect((await cancel(id, token)).body.waits).toBe(true);
    clock.set(new Date(wall('2026-11-23T20:05')));
    expect((await decide(id, approver.token, { approved: true })).body.state).toBe('cancelled');
    await steps.turn();
    expect(await one(id, token)).toMatchObject({
      state: 'cancelled',
      endReason: '提前完成',
      endedAt: new Date(wall('2026-11-23T20:05')).toISOString(),
      approval: { outcome: 'agreed', decision: { by: 'second' } },
    });
  });

  it('that is only asked for leaves the exception as it is, also for lamps that it could not hold for now', async () => {
    const token = await planner();
    const { id, lamps } = await brightened(201, token);
    clock.set(new Date(wall('2026-11-23T20:00')));
    const enable = (enabled: boolean) => sql`UPDATE device SET enabled = ${enabled} WHERE id = ${lamps[0]}`.execute(db);
    await enable(false);
    expect((await cancel(id, token)).body.waits).toBe(true);
    await enable(true);
    expect((await decide(id, approver.token, { approved: false, reason: '太暗' })).body.state).toBe('inForce');
    expect((await one(id, token)).lamps.filter(({ cannot }) => cannot !== null)).toEqual([]);
    const plans = await office.plans.of(db, lamps, clock.now().getTime());
    expect(lamps.filter((lamp) => plans.get(lamp)?.exceptions.length !== 1)).toEqual([]);
  });

  it('that nobody agrees to in time is asked for again', async () => {
    const token = await planner();
    const { id } = await brightened(201, token);
    expect((await cancel(id, token)).body.waits).toBe(true);
    clock.set(new Date(clock.now().getTime() + 86_400_000));
    await approves(clock.now());
    await steps.turn();
    expect(await one(id, token)).toMatchObject({ state: 'inForce', approval: { outcome: 'expired' } });
    expect((await decide(id, approver.token, { approved: true })).status).toBe(409);
    expect((await cancel(id, token)).body.waits).toBe(true);
  });

  it('counts for what the account darkens next, and needs the count where nobody could agree', async () => {
    const token = await planner();
    const { id } = await brightened(150, token);
    expect((await cancel(id, token)).body).toEqual({ id, state: 'cancelled', lamps: 150, darker: 150 });
    const dark = await call<Answer>(path, {
      token,
      body: {
        scope: { deviceIds: await office.lamps(60) },
        fromDay: '2026-11-23',
        toDay: '2026-11-23',
        op: 'set',
        level: 0,
        reason: '管线抢修施工',
      },
    });
    expect(dark.body.state, JSON.stringify(dark.body)).toBe('awaitingApproval');
    const other = await planner();
    const many = await brightened(201, other);
    await approves(null);
    await db.updateTable('account').set({ last_login_at: null }).execute();
    const alone = await cancel(many.id, other);
    expect([alone.status, alone.body.code, alone.body.count]).toEqual([400, 4017, 201]);
    expect((await cancel(many.id, other, { confirmCount: 201 })).body.state).toBe('cancelled');
  });

  it('of less light waits for nobody', async () => {
    const token = await planner();
    const lamps = await office.lamps(250);
    await approves(null);
    const made = await call<Answer>(path, {
      token,
      body: {
        scope: { deviceIds: lamps },
        fromDay: '2026-11-23',
        toDay: '2026-11-23',
        op: 'min',
        level: 50,
        reason: '管线抢修施工',
        confirmCount: 250,
      },
    });
    expect(made.status, JSON.stringify(made.body)).toBe(201);
    expect((await cancel(made.body.id, token)).body).toEqual({
      ...{ id: made.body.id, state: 'cancelled' },
      ...{ lamps: 250, darker: 0 },
    });
  });
});
