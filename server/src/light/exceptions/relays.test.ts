import { sql } from 'kysely';
import { beforeEach, describe, expect, it } from 'vitest';
import type { createException, getException, previewException } from '../../../../contract/light/exceptions.ts';
import type { ReplyOf } from '../../../../contract/route.ts';
import { noon, publishingOffice } from '../publications/testing/office.ts';
import { givenRow } from '../publications/testing/rows.ts';
import { exceptionsRoutes } from './index.ts';

const office = await publishingOffice((parts) => exceptionsRoutes(parts));
const { app, db, call, clock } = office;
const path = '/api/v1/plan-exceptions';
const { token } = await app.signIn({
  username: 'planner',
  permissions: ['plan.exception', 'plan.query'],
  workAreas: [1],
});
beforeEach(() => clock.set(new Date(noon)));

const onlySwitches = (id: number) =>
  sql`UPDATE device SET props = props || '{"type":"switch"}' WHERE id = ${id}`.execute(db);
const nights = { fromDay: '2026-11-23', toDay: '2026-11-24' };
const preview = async (deviceIds: readonly number[], more: object) => {
  const { body, status } = await call<ReplyOf<typeof previewException>>(`${path}/preview`, {
    token,
    body: { scope: { deviceIds }, ...nights, ...more },
  });
  expect(status, JSON.stringify(body)).toBe(200);
  return body;
};

describe('lamps that only switch', () => {
  it('are left out of what dims them, before and in the row, and go on by their plan', async () => {
    const [relay = 0, dimmed = 0] = await givenRow(db, 2, 'lane');
    await onlySwitches(relay);
    const dims = { op: 'set', level: 60 };
    expect(await preview([relay, dimmed], dims)).toMatchObject({
      cannot: [{ reason: 'capability', count: 1 }],
      darkens: 1,
    });
    const made = await call<ReplyOf<typeof createException>>(path, {
      token,
      body: { scope: { deviceIds: [relay, dimmed] }, ...nights, ...dims, reason: '管线抢修施工' },
    });
    expect(made.status, JSON.stringify(made.body)).toBe(201);
    const one = await call<ReplyOf<typeof getException>>(`${path}/${made.body.id}`, { token });
    expect(one.body).toMatchObject({ total: 2, cannot: 1 });
    expect(one.body.lamps.map(({ deviceId, cannot }) => [deviceId, cannot])).toEqual([
      [relay, 'capability'],
      [dimmed, null],
    ]);
    const plans = await office.plans.of(db, [relay, dimmed], clock.now().getTime());
    expect([relay, dimmed].map((id) => plans.get(id)?.exceptions.length ?? 0)).toEqual([0, 1]);
  });

  it('take part in darkness and in full light', async () => {
    const [relay = 0] = await givenRow(db, 1, 'lane');
    await onlySwitches(relay);
    expect((await preview([relay], { op: 'set', level: 0 })).cannot).toEqual([]);
    expect((await preview([relay], { op: 'max', level: 100 })).cannot).toEqual([]);
    expect((await preview([relay], { op: 'min', level: 50 })).cannot).toEqual([{ reason: 'capability', count: 1 }]);
  });

  it('stay bright beside those that it dims, where the floor of a road is judged', async () => {
    const lamps = await givenRow(db, 3, 'arterial');
    const dims = { op: 'set', level: 40 };
    expect((await preview(lamps, dims)).belowFloor).toMatchObject([{ roadClass: 'arterial', lamps: 3, level: 40 }]);
    await onlySwitches(lamps[1] ?? 0);
    // 40, 100 and 40: the mean is not below 50.
    expect((await preview(lamps, dims)).belowFloor).toEqual([]);
  });
});
