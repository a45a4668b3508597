import { describe, expect, it } from 'vitest';
import type { getException } from '../../../../contract/light/exceptions.ts';
import type { ReplyOf } from '../../../../contract/route.ts';
import { embedded, onLine } from '../publications/testing/line.ts';
import { minuteMs, publishingOffice, wall } from '../publications/testing/office.ts';
import { createExceptionSteps, exceptionsRoutes, type ExceptionSteps } from './index.ts';

let steps!: ExceptionSteps;
const office = await publishingOffice((parts) => {
  steps = createExceptionSteps(parts);
  return exceptionsRoutes(parts);
});
const { app, clock, get, publish, turn } = office;
const { token } = await app.signIn({
  username: 'planner',
  permissions: ['plan.exception', 'plan.query'],
  workAreas: [1],
});
const stateOf = async (id: number) =>
  (await app.call<ReplyOf<typeof getException>>(`/api/v1/plan-exceptions/${id}`, { token })).body.state;

describe('over the embedded broker an exception', () => {
  const { play } = onLine(office, embedded);

  it('reaches a lamp as settings, is reported by its hash, obeyed, and given back', { timeout: 30_000 }, async () => {
    const [id = 0] = await office.lamps(1);
    const published = (await publish([id])).body;
    await turn();
    const [plain] = (await get(published.id)).items;
    const made = await app.call<{ id: number; state: string }>('/api/v1/plan-exceptions', {
      token,
      body: {
        scope: { deviceIds: [id] },
        from: new Date(wall('2026-11-23T23:30')).toISOString(),
        to: new Date(wall('2026-11-24T01:00')).toISOString(),
        op: 'set',
        level: 90,
        reason: '管线抢修施工',
      },
    });
    expect([made.status, made.body.state], JSON.stringify(made.body)).toEqual([201, 'planned']);
    await steps.turn();
    // Credentials come last: a lamp that reports nothing until now reports the plan with the exception.
    const player = await play(id, 'plan');
    app.bus.publish('plans.assigned', { ids: [id] });
    const { lamp } = player;
    const levelAt = async (at: string): Promise<number> => {
      clock.set(new Date(wall(at)));
      await player.live();
      return lamp.commandLevel;
    };
    await expect.poll(() => lamp.settings.plan?.programmes.length, { timeout: 10_000 }).toBe(3);
    const reports = async () => {
      clock.set(new Date(clock.now().getTime() + minuteMs));
      await turn();
      const [item] = (await get(published.id)).items;
      return { state: item?.state, said: item?.reportedHash, asked: item?.planHash };
    };
    // The publication that is under way is reported by the hash of the plan with the exception.
    await expect
      .poll(reports, { timeout: 10_000 })
      .toEqual({ state: 'reported', said: lamp.ofPlan.planHash, asked: lamp.ofPlan.planHash });
    expect(lamp.ofPlan.planHash).not.toBe(plain?.planHash);
    expect(await levelAt('2026-11-23T22:00')).toBe(100);
    expect(await levelAt('2026-11-23T23:15')).toBe(60);
    expect(await levelAt('2026-11-24T00:15')).toBe(90);
    await steps.turn();
    expect(await stateOf(made.body.id)).toBe('inForce');
    expect(await levelAt('2026-11-24T01:30')).toBe(60);
    await steps.turn();
    expect(await stateOf(made.body.id)).toBe('ended');
    await expect.poll(() => lamp.settings.plan?.programmes.length, { timeout: 10_000 }).toBe(2);
    expect(lamp.ofPlan.planHash).toBe(plain?.planHash);
    expect(await levelAt('2026-11-24T23:45')).toBe(60);
    await turn();
    // It obeyed the plan at its steps, with the exception and without it.
    expect(await office.stateOf(published.id, id)).toBe('proven');
  });
});
