import { RawNode, sql, type KyselyPlugin } from 'kysely';
import { beforeEach, expect, it } from 'vitest';
import type { Db } from '../../platform/db/index.ts';
import { createLampPlans, createToldSettings } from '../plans/index.ts';
import { noon, publishingOffice, wall } from '../publications/testing/office.ts';
import { createExceptionSteps, exceptionsRoutes } from './index.ts';

const office = await publishingOffice((parts) => exceptionsRoutes(parts));
const { app, db, clock } = office;
beforeEach(() => clock.set(new Date(noon)));
const { token } = await app.signIn({
  username: 'planner',
  permissions: ['plan.exception', 'plan.query'],
  workAreas: [1],
});
const processOn = (own: Db, bus = app.bus) =>
  createExceptionSteps({ db: own, bus, clock, plans: createLampPlans(bus) });

class Killed extends Error {}
/** A process dies when it is about to do this. */
async function dies(statement: string): Promise<void> {
  const plugin: KyselyPlugin = {
    transformQuery({ node }) {
      if (RawNode.is(node) && node.sqlFragments.some((text) => text.includes(statement))) throw new Killed();
      return node;
    },
    transformResult: ({ result }) => Promise.resolve(result),
  };
  await expect(processOn(db.withPlugin(plugin)).turn(), statement).rejects.toThrow(Killed);
}
const moving = 'UPDATE plan_exception SET state';
const announcing = 'SET announced = true';
const hashing = 'SET plan_hash = h.hash';
const told = async (id: number) =>
  (await createToldSettings(db, createLampPlans(app.bus)).of([id], clock.now().getTime())).get(id)?.plan?.programmes
    .length;
const rowOf = async (id: number) =>
  (
    await sql<{
      state: string;
      announced: boolean;
    }>`SELECT state, announced FROM plan_exception WHERE id = ${id}`.execute(db)
  ).rows[0];
const make = async (lamps: readonly number[]) => {
  const { body, status } = await app.call<{ id: number }>('/api/v1/plan-exceptions', {
    token,
    body: {
      scope: { deviceIds: lamps },
      from: new Date(wall('2026-11-23T18:00')).toISOString(),
      to: new Date(wall('2026-11-23T20:00')).toISOString(),
      op: 'min',
      level: 40,
      reason: '管线抢修施工',
    },
  });
  expect(status, JSON.stringify(body)).toBe(201);
  return body.id;
};

it('goes on from its rows wherever a process dies: announced once more, begun and ended once', async () => {
  const lamps = await office.lamps(2);
  const [lamp = 0] = lamps;
  const id = await make(lamps);
  const heard: number[] = [];
  const stop = app.bus.subscribe('plans.assigned', ({ ids }) => void heard.push(...ids));
  const announced = async (state: string, programmes: number | undefined) => {
    await processOn(db).turn();
    expect([await rowOf(id), await told(lamp)]).toEqual([{ state, announced: true }, programmes]);
    await expect.poll(() => lamps.every((one) => heard.includes(one)), { timeout: 10_000 }).toBe(true);
    heard.length = 0;
  };
  // Before its lamps have it, and before the row says so: they get it again.
  await dies(hashing);
  await dies(announcing);
  expect(await rowOf(id)).toEqual({ state: 'planned', announced: false });
  await announced('planned', 2);
  for (const [at, state, before, programmes] of [
    ['18:00', 'inForce', 'planned', 2],
    ['20:00', 'ended', 'inForce', undefined],
  ] as const) {
    clock.set(new Date(wall(`2026-11-23T${at}`)));
    await dies(moving);
    expect(await rowOf(id)).toEqual({ state: before, announced: true });
    await dies(hashing);
    expect(await rowOf(id)).toEqual({ state, announced: false });
    await dies(announcing);
    await announced(state, programmes);
  }
  // Nothing is left to do.
  await processOn(db).turn();
  expect(heard).toEqual([]);
  stop();
});

it('that was cancelled while nobody announced it is taken from its lamps by the next process', async () => {
  const lamps = await office.lamps(1);
  const id = await make(lamps);
  await processOn(db).turn();
  await app.call(`/api/v1/plan-exceptions/${id}/cancel`, { token, body: { reason: '提前完成' } });
  await dies(announcing);
  expect(await rowOf(id)).toEqual({ state: 'cancelled', announced: false });
  await processOn(db).turn();
  expect(await rowOf(id)).toEqual({ state: 'cancelled', announced: true });
});
