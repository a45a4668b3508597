import { sql } from 'kysely';
import { beforeEach, describe, expect, it } from 'vitest';
import { nightOf } from '../../../../catalogue/lighting/plan/lamp-plan.ts';
import { minuteMs, noon, publishingOffice } from './testing/office.ts';

const office = await publishingOffice();
const { db, clock, publish, turn, act, app } = office;
const today = '2026-11-23';
beforeEach(() => clock.set(new Date(noon)));

/** 180° away it is day while it is night. */
const far = { latitude: 30.25, longitude: -60 };
const here = { latitude: 30.25, longitude: 120.2 };
const move = (id: number, { latitude, longitude }: { latitude: number | null; longitude: number | null }) =>
  sql`UPDATE device SET latitude = ${latitude}, longitude = ${longitude} WHERE id = ${id}`.execute(db);
const planOf = async (id: number) =>
  (await office.plans.of(db, [id], clock.now().getTime())).get(id) ?? expect.fail('a plan');
const placeOf = async (id: number) => {
  const { latitude, longitude } = (await planOf(id)).place;
  return { latitude, longitude };
};
async function published(count: number): Promise<number[]> {
  const lamps = await office.lamps(count);
  const { body, status } = await publish(lamps, { confirmCount: count });
  expect(status, JSON.stringify(body)).toBe(201);
  await turn();
  // The publication is over: its lamps are free for others.
  await sql`UPDATE publication_item SET open = false, state = 'proven' WHERE publication_id = ${body.id}`.execute(db);
  await sql`DELETE FROM publication_watch WHERE publication_id = ${body.id}`.execute(db);
  await turn();
  return lamps;
}
async function poleOf(lamp: number, at: { latitude: number; longitude: number }): Promise<number> {
  const { rows } = await sql<{ id: number }>`INSERT INTO device (family, work_area_id, equipment_code, longitude,
      latitude) VALUES ('lamp-pole', 1, ${`POLE-${lamp}`}, ${at.longitude}, ${at.latitude}) RETURNING id`.execute(db);
  const id = rows[0]?.id ?? 0;
  await sql`UPDATE device SET pole_id = ${id}, latitude = NULL, longitude = NULL WHERE id = ${lamp}`.execute(db);
  return id;
}

describe('records that are moved far from where a plan was given move no night', () => {
  it('of the lamp: up to 50 km it goes along, beyond it burns by the sun of before', async () => {
    const [lamp = 0] = await published(1);
    const { on } = nightOf(await planOf(lamp), today);
    await move(lamp, far);
    expect(await placeOf(lamp)).toEqual(here);
    expect(nightOf(await planOf(lamp), today).on).toBe(on);
    // A degree of latitude is 111.2 km: just outside, just inside.
    await move(lamp, { ...here, latitude: 30.25 + 0.451 });
    expect(await placeOf(lamp)).toEqual(here);
    await move(lamp, { ...here, latitude: 30.25 + 0.449 });
    expect(await placeOf(lamp)).toEqual({ ...here, latitude: 30.7 });
    // Steps of which each is near lead no further: it is measured from where the plan was given.
    await move(lamp, { ...here, latitude: 30.25 + 0.89 });
    expect(await placeOf(lamp)).toEqual(here);
  });

  it('of its pole', async () => {
    const [lamp = 0] = await published(1);
    const pole = await poleOf(lamp, { latitude: 30.3, longitude: 120.3 });
    expect(await placeOf(lamp)).toEqual({ latitude: 30.3, longitude: 120.3 });
    await move(pole, far);
    expect(await placeOf(lamp)).toEqual(here);
  });

  it('of its area, where lamp and pole have no place', async () => {
    const [lamp = 0] = await office.lamps(1);
    await move(lamp, { latitude: null, longitude: null });
    expect((await publish([lamp])).status).toBe(201);
    await turn();
    await sql`UPDATE work_area SET latitude = ${far.latitude}, longitude = ${far.longitude} WHERE id = 1`.execute(db);
    expect(await placeOf(lamp)).toEqual(here);
    await sql`UPDATE work_area SET latitude = ${here.latitude}, longitude = ${here.longitude} WHERE id = 1`.execute(db);
  });

  it('of a lamp that an exception alone gives a plan: it burned by the sun of its area', async () => {
    const [lamp = 0] = await office.lamps(1);
    await move(lamp, far);
    await sql`WITH e AS (INSERT INTO plan_exception (scope, from_at, to_at, op, level, reason, state, total, actor_id,
        actor_name, created_at, holds_from)
      VALUES ('{}', ${new Date(noon)}, ${new Date(noon + 600 * minuteMs)}, 'set', 80, '检修', 'inForce', 1, 1, 'test',
        ${new Date(noon)}, ${new Date(noon)}) RETURNING id)
      INSERT INTO plan_exception_item (exception_id, device_id) SELECT id, ${lamp} FROM e`.execute(db);
    expect(await placeOf(lamp)).toEqual(here);
  });
});

describe('a place that was moved far', () => {
  it('holds with the next publication, which is weighed: what it darkens needs a second person', async () => {
    clock.set(new Date(noon + 15 * minuteMs));
    const lamps = await published(201);
    clock.set(new Date(noon + 30 * minuteMs));
    const seen = async () =>
      (
        await office.call<{ darkens: number; changed: number }>('/api/v1/publications/preview', {
          token: office.publisher.token,
          body: { schemeId: office.schemeId, scope: { deviceIds: lamps } },
        })
      ).body;
    expect(await seen()).toMatchObject({ darkens: 0, changed: 0 });
    for (const lamp of lamps) await move(lamp, far);
    expect(await seen()).toMatchObject({ darkens: 201, changed: 201 });
    const [lamp = 0] = lamps;
    expect(await placeOf(lamp)).toEqual(here);
    // What the account darkened before does not add up any more.
    clock.set(new Date(noon + 60 * minuteMs));
    const accepted = { acceptedFindings: ['darker', 'unknownHolidays', 'periodNeverReached'] };
    const alone = await publish(lamps, accepted);
    expect([alone.status, alone.body]).toMatchObject([400, { count: 201 }]);
    const approver = await app.signIn({
      username: 'second',
      permissions: ['lamp.approve', 'plan.query'],
      workAreas: [1],
    });
    await db.updateTable('account').set({ last_login_at: clock.now() }).where('id', '=', approver.accountId).execute();
    const { body } = await publish(lamps, accepted);
    expect(body.phase).toBe('awaitingApproval');
    await turn();
    expect(await placeOf(lamp)).toEqual(here);
    expect((await act(body.id, 'decide', { approved: true }, approver.token)).status).toBe(200);
    await turn();
    expect(await placeOf(lamp)).toEqual(far);
  });

  it('after it was weighed does not hold: what was agreed to is the place of that moment', async () => {
    clock.set(new Date(noon + 100 * minuteMs));
    const [first = 0, second = 0] = await published(2);
    const { body } = await publish([first, second], { canary: { count: 1 } });
    await move(first, far);
    await move(second, far);
    await turn();
    expect([await placeOf(first), await placeOf(second)]).toEqual([here, here]);
    // A return is not always weighed: it leads to where it was, too.
    expect((await act(body.id, 'revert', { reason: '退回' })).status).toBe(200);
    await turn();
    expect([await placeOf(first), await placeOf(second)]).toEqual([here, here]);
  });
});
