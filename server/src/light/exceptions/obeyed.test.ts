import { expect, it } from 'vitest';
import { hashOf } from '../plans/index.ts';
import { publishingOffice, wall } from '../publications/testing/office.ts';
import { exceptionsRoutes } from './index.ts';

const office = await publishingOffice((parts) => exceptionsRoutes(parts));
const { app, db, call, clock } = office;

it('a lamp that obeys, and has not yet said that its exception is over, proves its plan', async () => {
  const { token } = await app.signIn({ username: 'planner', permissions: ['plan.exception'], workAreas: [1] });
  const [lamp = 0] = await office.lamps(1);
  const published = await office.publish([lamp]);
  expect(published.status, JSON.stringify(published.body)).toBe(201);
  await office.turn();
  const hashNow = async () => {
    const at = clock.now().getTime();
    const plan = (await office.plans.of(db, [lamp], at)).get(lamp) ?? expect.fail('a plan');
    return hashOf(plan, at);
  };
  const usual = await hashNow();
  clock.set(new Date(wall('2026-11-23T12:10')));
  const made = await call<{ id: number }>('/api/v1/plan-exceptions', {
    token,
    body: {
      scope: { deviceIds: [lamp] },
      ...{ fromDay: '2026-11-23', toDay: '2026-11-24', op: 'max', level: 90, reason: '元宵灯会保障' },
    },
  });
  expect(made.status, JSON.stringify(made.body)).toBe(201);
  clock.set(new Date(wall('2026-11-23T12:20')));
  const excepted = await hashNow();
  expect(excepted).not.toBe(usual);
  await office.say(lamp, excepted);
  clock.set(new Date(wall('2026-11-23T13:00')));
  const ended = await call(`/api/v1/plan-exceptions/${made.body.id}/cancel`, { token, body: { reason: '提前结束' } });
  expect(ended.status, JSON.stringify(ended.body)).toBe(200);
  for (const [at, level] of [
    ['2026-11-23T17:05', 100],
    ['2026-11-23T23:05', 60],
  ] as const)
    await office.read(lamp, wall(at), level);
  clock.set(new Date(wall('2026-11-24T01:00')));
  expect(await hashNow()).toBe(usual);
  await office.turn();
  await office.turn();
  const { items } = await office.get(published.body.id);
  expect(items).toMatchObject([{ state: 'proven', reason: null, proof: { misses: 0 } }]);
});
