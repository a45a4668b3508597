import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { exampleScheme } from '../../../../catalogue/lighting/plan/examples.ts';
import { planFromCompact } from '../../../../catalogue/lighting/plan/compact.ts';
import { levelAt } from '../../../../catalogue/lighting/plan/lamp-plan.ts';
import type { getException, listExceptions, previewException } from '../../../../contract/light/exceptions.ts';
import type { ReplyOf } from '../../../../contract/route.ts';
import type { Bus } from '../../platform/bus/index.ts';
import type { Db } from '../../platform/db/index.ts';
import { testApp } from '../../testing/app.ts';
import { testClock } from '../../testing/clock.ts';
import { givenArea, givenDevice } from '../../testing/devices.ts';
import { createLamps, lampsRoutes, reportPeriods } from '../lamps/index.ts';
import { createLampPlans, createToldSettings, type LampPlans } from '../plans/index.ts';
import { createExceptionSteps, exceptionsRoutes, type ExceptionSteps } from './index.ts';

// 2026-11-23 20:00 in Hangzhou, a Monday: the lamps have burned for three hours.
const start = Date.parse('2026-11-23T12:00:00Z');
const minute = 60_000;
const hour = 60 * minute;
const clock = testClock(new Date(start));
let steps!: ExceptionSteps;
let another!: () => ExceptionSteps;
let plans!: LampPlans;
let listening!: Bus;
const app = await testApp({
  clock,
  routes: ({ db, bus }: { db: Db; bus: Bus }) => {
    plans = createLampPlans(bus);
    listening = bus;
    steps = createExceptionSteps({ db, bus, clock, plans });
    another = () => createExceptionSteps({ db, bus, clock, plans: createLampPlans(bus) });
    return Promise.resolve([
      ...exceptionsRoutes({ db, bus, clock, plans }),
      ...lampsRoutes(createLamps({ db, clock, plans, periods: reportPeriods() })),
    ]);
  },
});
const { db, call } = app;
const path = '/api/v1/plan-exceptions';
let token: string;
let schemeId = 0;
let versionId = 0;

beforeAll(async () => {
  await givenArea(db);
  // A road of which no light is asked.
  await sql`UPDATE road SET road_class = 'lane'`.execute(db);
  ({ token } = await app.signIn({
    username: 'planner',
    permissions: ['plan.exception', 'plan.query', 'lamp.monitor'],
    workAreas: [1],
  }));
  await sql`UPDATE work_area SET latitude = 30.2, longitude = 120.2`.execute(db);
  await sql`CREATE TABLE reading_test PARTITION OF reading DEFAULT`.execute(db);
  schemeId =
    (await sql<{ id: number }>`INSERT INTO scheme (code, name) VALUES ('JN-03', '节能') RETURNING id`.execute(db))
      .rows[0]?.id ?? 0;
  versionId =
    (
      await sql<{ id: number }>`INSERT INTO scheme_version (scheme_id, number, content, content_hash, created_by,
        created_at)
      VALUES (${schemeId}, 1, ${JSON.stringify(exampleScheme())}::jsonb, 'aaaaaaaaaaaaaaaa', 'x', now())
      RETURNING id`.execute(db)
    ).rows[0]?.id ?? 0;
});

const lamp = () => givenDevice(db);
/** A lamp that dims to 60 % at 23:00, on Saturdays and Sundays to 80 %. */
async function planned(): Promise<number> {
  const id = await lamp();
  await sql`INSERT INTO plan_assignment (device_id, scheme_version_id, from_day, assigned_by, at)
    VALUES (${id}, ${versionId}, '2026-11-01', 'x', now())`.execute(db);
  return id;
}
interface Made {
  readonly id: number;
  readonly state: string;
  readonly code?: number;
  readonly params?: readonly { readonly field: string; readonly rule: string }[];
}
const make = (deviceIds: readonly number[], more: object, by = token) =>
  call<Made>(path, { token: by, body: { scope: { deviceIds }, reason: '管线抢修施工', ...more } });
const at = (hours: number) => new Date(start + hours * hour).toISOString();
const one = async (id: number) => (await call<ReplyOf<typeof getException>>(`${path}/${id}`, { token })).body;
const levels = async (id: number, ...hours: number[]) => {
  const plan = (await plans.of(db, [id], clock.now().getTime())).get(id);
  return hours.map((ahead) => plan && levelAt(plan, start + ahead * hour));
};
const told = async (id: number) => (await createToldSettings(db, plans).of([id], clock.now().getTime())).get(id);
async function goneOn(hours: number): Promise<void> {
  clock.set(new Date(start + hours * hour));
  await steps.turn();
}

describe('an exception of some hours', () => {
  it('raises lamps of a plan and of none, is told to them, begins and ends by itself', async () => {
    const [given, plain] = [await planned(), await lamp()];
    const heard: number[] = [];
    const stop = listening.subscribe('plans.assigned', ({ ids }) => void heard.push(...ids));
    const made = await make([given, plain], { from: at(4), to: at(6), op: 'set', level: 100 });
    expect([made.status, made.body.state], JSON.stringify(made.body)).toEqual([201, 'planned']);
    // 23:00 60 %; from 0:00 to 2:00 100 %.
    expect(await levels(given, 3.5, 4.5, 6.5)).toEqual([60, 100, 60]);
    // Another process tells the lamps, once.
    await another().turn();
    await steps.turn();
    await expect.poll(() => heard.toSorted(), { timeout: 10_000 }).toEqual([given, plain].toSorted());
    expect((await told(given))?.plan?.programmes.map(({ key }) => key)).toEqual([1, 2, 255]);
    expect((await told(given))?.plan?.days).toContainEqual({ from: '2026-11-23', to: '2026-11-23', programme: 255 });
    // A lamp without a plan burns from sunset to sunrise anyway: its programme is the same.
    expect(await levels(plain, 3.5, 4.5, 14)).toEqual([100, 100, 0]);
    await goneOn(4);
    expect((await one(made.body.id)).state).toBe('inForce');
    await goneOn(6);
    expect(await one(made.body.id)).toMatchObject({ state: 'ended', endedAt: at(6), total: 2, cannot: 0 });
    // What was is not forgotten, and what devices are told is what it was before.
    expect(await levels(given, 4.5, 6.5)).toEqual([100, 60]);
    expect((await told(given))?.plan?.programmes.map(({ key }) => key)).toEqual([1, 2]);
    expect((await told(plain))?.plan).toBeUndefined();
    expect(heard.filter((id) => id === given)).toHaveLength(3);
    stop();
    clock.set(new Date(start));
  });

  it('puts lamps out that should burn, as the monitor shows, and gives them back when it is cancelled', async () => {
    const id = await lamp();
    const made = await make([id], { from: at(0), to: at(2), op: 'set', level: 0 });
    expect(made.body.state).toBe('inForce');
    const shown = async () =>
      (await call<{ plan: { shouldBeLit: boolean } }>(`/api/v1/lamps/${id}`, { token })).body.plan.shouldBeLit;
    expect(await shown()).toBe(false);
    await steps.turn();
    clock.set(new Date(start + 30 * minute));
    const cancelled = await call<Made>(`${path}/${made.body.id}/cancel`, { token, body: { reason: '提前完成' } });
    expect(cancelled.body).toEqual({ id: made.body.id, state: 'cancelled', lamps: 1, darker: 0 });
    expect(await shown()).toBe(true);
    expect(await levels(id, 0.25, 0.75)).toEqual([0, 100]);
    await steps.turn();
    expect(await one(made.body.id)).toMatchObject({ endReason: '提前完成', endedAt: at(0.5) });
    const again = await call<Made>(`${path}/${made.body.id}/cancel`, { token, body: { reason: 'x' } });
    expect([again.status, again.body.code]).toEqual([409, 4320]);
    clock.set(new Date(start));
  });
});

describe('a device', () => {
  it('runs from the message that it is sent what the server expects of it', async () => {
    const [given, plain] = [await planned(), await lamp()];
    await make([given, plain], { from: at(1.25), to: at(27), op: 'min', level: 35 });
    await make([given, plain], { fromDay: '2026-11-25', toDay: '2026-11-27', op: 'max', level: 85 });
    for (const id of [given, plain]) {
      const { plan: message, latitude, longitude } = (await told(id)) ?? {};
      if (!message || typeof latitude !== 'number' || typeof longitude !== 'number') throw new Error('nothing is sent');
      const place = { latitude, longitude, timeZone: 'Asia/Shanghai', sunOffsetMinutes: 0 };
      const own = planFromCompact(message, place);
      const plan = (await plans.of(db, [id], start)).get(id);
      for (let hours = 0; hours < 120; hours += 0.4)
        expect(levelAt(own, start + hours * hour)).toBe(plan && levelAt(plan, start + hours * hour));
    }
  });
});

describe('an exception of lighting days', () => {
  it('has another level or another programme from on to off, and leaves the day dark', async () => {
    const id = await planned();
    const level = await make([id], { fromDay: '2026-11-24', toDay: '2026-11-25', op: 'max', level: 90 });
    expect(level.body.state).toBe('planned');
    // Tonight as ever; tomorrow and the day after at least 90 %.
    expect(await levels(id, 4, 28, 40, 52, 76)).toEqual([60, 90, 0, 90, 60]);
    const programme = await make([id], { fromDay: '2026-11-25', toDay: '2026-11-26', schemeId, programme: 2 });
    expect(programme.status, JSON.stringify(programme.body)).toBe(201);
    // The later one holds where both do.
    expect(await levels(id, 28, 52, 76, 100)).toEqual([90, 80, 80, 60]);
    expect((await one(programme.body.id)).programme).toMatchObject({ code: 'JN-03', number: 1, programmeName: '周末' });
  });

  it('of today begins when it is made: nobody says that it held before', async () => {
    const id = await lamp();
    await make([id], { fromDay: '2026-11-23', toDay: '2026-11-23', op: 'set', level: 40 });
    expect(await levels(id, -1, 1)).toEqual([100, 40]);
  });
});

describe('who makes an exception', () => {
  it('sees beforehand which lamps it cannot reach and how many are darker', async () => {
    const [able, away] = [await lamp(), await lamp()];
    await sql`UPDATE device SET enabled = false WHERE id = ${away}`.execute(db);
    const body = { scope: { deviceIds: [able, away] }, from: at(1), to: at(2), op: 'min', level: 30 };
    const preview = await call<ReplyOf<typeof previewException>>(`${path}/preview`, { token, body });
    expect(preview.body).toEqual({
      from: at(1),
      to: at(2),
      lamps: 2,
      cannot: [{ reason: 'disabled', count: 1 }],
      darkens: 1,
      needsSecond: false,
      belowFloor: [],
    });
    const { rows } = await sql`SELECT 1 FROM plan_exception_item WHERE device_id = ${able}`.execute(db);
    expect(rows).toEqual([]);
  });

  it('is told everything that is wrong at once', async () => {
    const id = await lamp();
    const names = async (more: object) =>
      (await make([id], more)).body.params?.map(({ field, rule }) => `${field} ${rule}`).toSorted();
    expect(await names({ reason: '    ', from: at(-3), to: at(200), level: 20 })).toEqual([
      'from minimum',
      'op required',
      'reason minLength',
      'to maximum',
    ]);
    expect(await names({ fromDay: '2026-11-22', toDay: '2027-02-30', op: 'set', level: 1, programme: 3 })).toEqual([
      'programme invalid',
      'toDay format',
    ]);
    expect(await names({ fromDay: '2026-11-24', toDay: '2026-11-24', schemeId, programme: 9 })).toEqual([
      'programme enum',
    ]);
    expect(await names({})).toEqual(['fromDay required', 'level required', 'op required', 'toDay required']);
  });

  it('sends it twice and has it once', async () => {
    const id = await lamp();
    const body = { from: at(1), to: at(2), op: 'set', level: 50, requestId: '0f8fad5b-d9cb-469f-a165-70867728950e' };
    const [first, second] = [await make([id], body), await make([id], body)];
    expect(second.body.id).toBe(first.body.id);
    expect((await make([id], { ...body, reason: '另一个原因' })).status).toBe(409);
  });

  it('sees only exceptions of lamps that it sees', async () => {
    const id = await lamp();
    const made = await make([id], { from: at(1), to: at(2), op: 'max', level: 50 });
    await sql`INSERT INTO work_area (id, work_code, work_name) VALUES (77, 'F', '别处')`.execute(db);
    const stranger = (await app.signIn({ username: 'far', permissions: ['plan.query'], workAreas: [77] })).token;
    expect((await call(`${path}/${made.body.id}`, { token: stranger })).status).toBe(403);
    const listed = await call<ReplyOf<typeof listExceptions>>(path, { token: stranger });
    expect(listed.body.recordsTotal).toBe(0);
    const own = await call<ReplyOf<typeof listExceptions>>(`${path}?state=planned&q=抢修`, { token });
    expect(own.body.data.map((row) => row.id)).toContain(made.body.id);
  });
});

describe('an exception that darkens more than the policy allows', () => {
  it('waits for a second person with others of the account, and holds from then on', async () => {
    const ids = await Promise.all(Array.from({ length: 202 }, lamp));
    const approver = await app.signIn({
      username: 'second',
      permissions: ['lamp.approve', 'plan.query'],
      workAreas: [1],
    });
    await db.updateTable('account').set({ last_login_at: clock.now() }).where('id', '=', approver.accountId).execute();
    const { token: maker } = await app.signIn({
      username: 'maker',
      permissions: ['plan.exception', 'plan.query', 'lamp.approve'],
      workAreas: [1],
    });
    const dark = { from: at(0), to: at(3), op: 'set', level: 10 };
    const first = await make(ids.slice(0, 150), dark, maker);
    const second = await make(ids.slice(150), dark, maker);
    expect([first.body.state, second.body.state]).toEqual(['inForce', 'awaitingApproval']);
    await steps.turn();
    const id = ids[200] ?? 0;
    const { digest } = (await one(second.body.id)).approval ?? {};
    const decide = (by: string, approved = true) =>
      call<Made>(`${path}/${second.body.id}/decide`, { token: by, body: { approved, digest } });
    expect((await decide(maker)).body.code).toBe(4015);
    expect((await plans.of(db, [id], start)).get(id)).toBeUndefined();
    clock.set(new Date(start + 5 * minute));
    expect((await decide(approver.token)).body).toEqual({ id: second.body.id, state: 'inForce' });
    expect(await levels(id, 0, 0.5)).toEqual([100, 10]);
    expect((await one(second.body.id)).approval).toMatchObject({ outcome: 'agreed', decision: { by: 'second' } });
    // More light than planned waits for nobody.
    expect((await make(ids, { from: at(4), to: at(5), op: 'max', level: 100 }, maker)).body.state).toBe('planned');
    clock.set(new Date(start));
  });

  it('is given up when nobody agrees in time, and refused with a reason', async () => {
    const { token: maker } = await app.signIn({
      username: 'waiting',
      permissions: ['plan.exception', 'plan.query'],
      workAreas: [1],
    });
    const ids = await Promise.all(Array.from({ length: 201 }, lamp));
    const dark = { from: at(0), to: at(3), op: 'set', level: 0 };
    const [late, refused] = [await make(ids, dark, maker), await make(ids, dark, maker)];
    expect([late.body.state, refused.body.state]).toEqual(['awaitingApproval', 'awaitingApproval']);
    const approver = (await app.signIn({ username: 'third', permissions: ['lamp.approve'], workAreas: [1] })).token;
    const decide = (body: object) =>
      call<Made>(`${path}/${refused.body.id}/decide`, {
        token: approver,
        body: { approved: false, digest: 'x', ...body },
      });
    expect((await decide({})).status).toBe(400);
    expect((await decide({ reason: '太暗' })).body.state).toBe('refused');
    await goneOn(2);
    expect((await one(late.body.id)).state).toBe('lapsed');
    expect((await plans.of(db, ids.slice(0, 1), start)).size).toBe(0);
    clock.set(new Date(start));
  });
});

describe('what is done about exceptions', () => {
  it('stands in the operation log with its lamps, those that change and those that get darker', async () => {
    const noted = async (message: string) => {
      const { rows } = await sql<{ params: string }>`SELECT params FROM operation_log WHERE message = ${message}
        AND status < 300 ORDER BY id DESC LIMIT 1`.execute(db);
      return JSON.parse(rows[0]?.params ?? '') as object;
    };
    const [given, plain] = [await planned(), await lamp()];
    const days = { fromDay: '2026-11-25', toDay: '2026-11-25' };
    const { body } = await make([given, plain], { ...days, schemeId, programme: 1 });
    const { id } = body;
    const counts = { id, lamps: 2, schemeHash: 'aaaaaaaaaaaa' };
    expect(await noted('exception.create')).toMatchObject({
      ...counts,
      changed: 2,
      cannot: 0,
      darker: 1,
      belowFloor: 0,
    });
    // Its lamps go on before sunset: without it, the one that has no plan is darker then.
    await call(`${path}/${id}/cancel`, { token, body: { reason: '工程延期了' } });
    expect(await noted('exception.cancel')).toMatchObject({
      ...counts,
      ...{ stateBefore: 'planned', state: 'cancelled', darker: 1, body: { reason: '工程延期了' } },
    });
  });
});
