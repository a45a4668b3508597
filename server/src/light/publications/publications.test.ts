import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { exampleScheme } from '../../../../catalogue/lighting/plan/examples.ts';
import type { Bus } from '../../platform/bus/index.ts';
import { testApp } from '../../testing/app.ts';
import { testClock } from '../../testing/clock.ts';
import { givenArea, givenDevice } from '../../testing/devices.ts';
import { createLampPlans, type LampPlans } from '../plans/index.ts';
import { createSteps, publicationsRoutes, type Steps } from './index.ts';

// 2026-11-23 12:00 in Hangzhou, a Monday: the lamps go on at about 16:50.
const start = Date.parse('2026-11-23T04:00:00Z');
const clock = testClock(new Date(start));
const minute = 60_000;
let steps!: Steps;
let another!: () => Steps;
const app = await testApp({
  clock,
  routes: ({ db, bus }: { db: Parameters<typeof createSteps>[0]['db']; bus: Bus }) => {
    const plans: LampPlans = createLampPlans(bus);
    another = () => createSteps({ db, bus, clock, plans: createLampPlans(bus) });
    steps = createSteps({ db, bus, clock, plans });
    return Promise.resolve(publicationsRoutes({ db, bus, clock, plans }));
  },
});
const { db, call } = app;
let schemeId = 0;
let token: string;

beforeAll(async () => {
  await givenArea(db);
  ({ token } = await app.signIn({
    username: 'publisher',
    permissions: ['plan.publish', 'plan.query'],
    workAreas: [1],
  }));
  await sql`UPDATE work_area SET latitude = 30.2, longitude = 120.2`.execute(db);
  await sql`CREATE TABLE reading_test PARTITION OF reading DEFAULT`.execute(db);
  const { rows } = await sql<{
    id: number;
  }>`INSERT INTO scheme (code, name) VALUES ('JN-03', '节能') RETURNING id`.execute(db);
  schemeId = rows[0]?.id ?? 0;
  await sql`INSERT INTO scheme_version (scheme_id, number, content, content_hash, created_by, created_at)
    VALUES (${schemeId}, 1, ${JSON.stringify(exampleScheme())}::jsonb, 'aaaaaaaaaaaaaaaa', 'x', now())`.execute(db);
});

const lamps = (count: number) => Promise.all(Array.from({ length: count }, () => givenDevice(db)));
interface Seen {
  id: number;
  phase: string;
  states: Record<string, number>;
  revertedBy: number | null;
  items: { deviceId: number; state: string; planHash: string | null; proof: { observed: number } | null }[];
}
const publish = (deviceIds: number[], more: object = {}) =>
  call<{ id: number; phase: string; code?: number; detail?: string }>('/api/v1/publications', {
    token,
    body: {
      schemeId,
      scope: { deviceIds },
      acceptedFindings: ['darker', 'unknownHolidays'],
      reason: '节能',
      ...more,
    },
  });
const seen = async (id: number) => (await call<Seen>(`/api/v1/publications/${id}`, { token })).body;
const read = (id: number, at: number, level: number) =>
  sql`INSERT INTO reading (at, device_id, received_at, values) VALUES (${new Date(at)}, ${id}, ${new Date(at)},
    ${JSON.stringify({ level, relay: level > 0, power: level })}::jsonb)`.execute(db);

describe('a publication', () => {
  it('tells lamps, proves them at the step that is new, and ends; one that does otherwise is found', async () => {
    const [good = 0, bad = 0] = await lamps(2);
    const made = await publish([good, bad]);
    expect(made.status, JSON.stringify(made.body)).toBe(201);
    // Another process goes on where the first one stopped.
    await another().turn();
    await steps.turn();
    const told = await seen(made.body.id);
    expect([told.phase, told.states]).toEqual(['proving', { told: 2 }]);
    for (const { deviceId, planHash } of told.items)
      await sql`INSERT INTO plan_report (device_id, plan_hash) VALUES (${deviceId}, ${planHash})`.execute(db);
    clock.set(new Date(start + minute));
    await steps.turn();
    expect((await seen(made.body.id)).states).toEqual({ reported: 2 });
    // 23:05: one is dimmed, the other is not.
    const late = Date.parse('2026-11-23T15:05:00Z');
    await sql`UPDATE device SET rated_watts = 100 WHERE id IN (${good}, ${bad})`.execute(db);
    await read(good, late, 60);
    await read(bad, late, 100);
    clock.set(new Date(late + 120 * minute));
    await steps.turn();
    expect((await seen(made.body.id)).items.map(({ deviceId, state }) => [deviceId, state])).toEqual([
      [good, 'proven'],
      [bad, 'reported'],
    ]);
    const refused = await publish([bad]);
    expect([refused.status, refused.body.code]).toEqual([409, 4303]);
    expect(refused.body.detail).toContain('JN-03');
    clock.set(new Date(start));
  });

  it('is taken back by the program when its first part does otherwise, with the rest never told', async () => {
    const ids = await lamps(3);
    const made = await publish(ids, { canary: { count: 1 } });
    expect(made.status, JSON.stringify(made.body)).toBe(201);
    await steps.turn();
    expect(await seen(made.body.id)).toMatchObject({ phase: 'judging', states: { told: 1, waiting: 2 } });
    const canary = (await seen(made.body.id)).items.find(({ state }) => state === 'told')?.deviceId ?? 0;
    const late = Date.parse('2026-11-23T15:05:00Z');
    await read(canary, late, 100);
    clock.set(new Date(late + 120 * minute));
    await steps.turn();
    const after = await seen(made.body.id);
    expect(after).toMatchObject({ phase: 'reverting', states: { superseded: 3 } });
    await another().turn();
    await steps.turn();
    expect((await seen(made.body.id)).phase).toBe('reverted');
    expect(await seen(after.revertedBy ?? 0)).toMatchObject({ phase: 'proving', states: { told: 1 } });
    const { rows } = await sql<{ username: string; params: string }>`SELECT username, params FROM operation_log
      WHERE message = 'publication.autoRevert'`.execute(db);
    expect(rows.map(({ username }) => username)).toEqual(['Lampyris']);
    expect(Buffer.byteLength(rows[0]?.params ?? '')).toBeLessThanOrEqual(4096);
    expect(JSON.parse(rows[0]?.params ?? '')).toMatchObject({
      id: made.body.id,
      revertId: after.revertedBy,
      failed: ['proven'],
      provenPercent: 0,
      criteria: { provenPercent: 95 },
      return: { id: after.revertedBy, lamps: 1, changed: 1, versions: [{ lamps: 1, scheme: ['aaaaaaaaaaaa', null] }] },
    });
    expect(await seen(after.revertedBy ?? 0)).toMatchObject({
      reason: '先试未达标，程序自动撤回 · 证明 0%，要求 95%',
    });
    const english = await call<{ reason: string }>(`/api/v1/publications/${after.revertedBy}`, {
      token,
      headers: { 'accept-language': 'en-US' },
    });
    expect(english.body.reason).toBe('Taken back by the program: the first part failed · 0% proven, 95% asked');
    clock.set(new Date(start));
  });

  it('tells nothing around the on-time of its lamps', async () => {
    const [lamp = 0] = await lamps(1);
    const made = await publish([lamp]);
    clock.set(new Date('2026-11-23T09:00:00Z'));
    await steps.turn();
    expect((await seen(made.body.id)).states).toEqual({ pending: 1 });
    clock.set(new Date('2026-11-23T10:00:00Z'));
    await steps.turn();
    expect((await seen(made.body.id)).states).toEqual({ told: 1 });
    clock.set(new Date(start));
  });

  it('that darkens more than the policy allows waits for a second person, together with others', async () => {
    const ids = await lamps(202);
    const approver = await app.signIn({
      username: 'second',
      permissions: ['lamp.approve', 'plan.query'],
      workAreas: [1],
    });
    await db.updateTable('account').set({ last_login_at: clock.now() }).where('id', '=', approver.accountId).execute();
    const one = await publish(ids.slice(0, 150));
    const two = await publish(ids.slice(150));
    expect([one.body.phase, two.body.phase]).toEqual(['tellingAll', 'awaitingApproval']);
    await steps.turn();
    expect((await seen(two.body.id)).states).toEqual({ waiting: 52 });
    const decide = (by: string) =>
      call<{ phase: string; code?: number }>(`/api/v1/publications/${two.body.id}/decide`, {
        token: by,
        body: { approved: true },
      });
    expect((await decide(token)).status).toBe(403);
    expect((await decide(approver.token)).body.phase).toBe('tellingAll');
    const { rows } = await sql<{ params: string }>`SELECT params FROM operation_log
      WHERE message = 'publication.approve' AND status = 200`.execute(db);
    expect(rows.map(({ params }) => JSON.parse(params) as object)).toMatchObject([
      {
        ...{
          id: two.body.id,
          phaseBefore: 'awaitingApproval',
          phase: 'tellingAll',
          lamps: 52,
          changed: 52,
          darker: 52,
        },
        ...{ versions: [{ lamps: 52, scheme: [null, 'aaaaaaaaaaaa'] }], body: { approved: true } },
      },
    ]);
    await steps.turn();
    expect((await seen(two.body.id)).states).toEqual({ told: 52 });
  });
});
