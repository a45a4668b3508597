import { describe, expect, it } from 'vitest';
import type { whyLamp } from '../../../../contract/light/why.ts';
import type { ReplyOf } from '../../../../contract/route.ts';
import { embedded, onLine } from '../publications/testing/line.ts';
import { minuteMs, publishingOffice, wall } from '../publications/testing/office.ts';
import { whyRoutes } from './index.ts';

type Why = ReplyOf<typeof whyLamp>;
const office = await publishingOffice((parts) => whyRoutes(parts));
const { clock, get, publish, turn } = office;
const soon = { timeout: 10_000 };
const otherHash = 'aaaaaaaaaaaa';
const { token } = await office.app.signIn({ username: 'duty', permissions: ['lamp.monitor'], workAreas: [1] });
const why = async (id: number, at?: number) => {
  const query = at === undefined ? '' : `?at=${new Date(at).toISOString()}`;
  const { status, body } = await office.call<Why>(`/api/v1/lamps/${id}/why${query}`, { token });
  expect(status, JSON.stringify(body)).toBe(200);
  return body;
};
const codes = ({ suspicions }: Why) => suspicions.map(({ code }) => code);

describe('what a device says of its plan', () => {
  const { play } = onLine(office, embedded);

  it('is what was seen of it, now and since it says it; of before nobody knows', { timeout: 30_000 }, async () => {
    const [good = 0, stuck = 0] = await office.lamps(2);
    const players = [
      await play(good, 'plan'),
      await play(stuck, 'plan', (truth) => ({ ...truth, planHash: otherHash })),
    ];
    clock.set(new Date(clock.now().getTime() + minuteMs));
    const { body, status } = await publish([good, stuck]);
    expect(status, JSON.stringify(body)).toBe(201);
    await turn();
    const told = (await get(body.id)).items[0]?.planHash ?? expect.fail('a hash');
    await expect.poll(() => players.map(({ lamp }) => lamp.settings.plan?.hash), soon).toEqual([told, told]);
    for (const { isHeard } of players) await expect.poll(isHeard, soon).toBe(true);
    for (const at of ['2026-11-23T18:00', '2026-11-23T18:30']) {
      clock.set(new Date(wall(at)));
      for (const one of players) await one.live();
    }
    expect(await why(good)).toMatchObject({ observed: { planHash: told }, suspicions: [] });
    for (const at of [undefined, wall('2026-11-23T18:28'), wall('2026-11-23T18:20')]) {
      const answer = await why(stuck, at);
      expect(answer.observed?.planHash).toBe(otherHash);
      expect(answer.suspicions).toMatchObject([{ code: 'otherPlan', evidence: { runs: otherHash, told } }]);
    }
    const before = await why(stuck, wall('2026-11-23T17:30'));
    expect([before.observed?.planHash, before.observed?.level, codes(before)]).toEqual([null, 100, []]);
  });
});

it('a lamp that never came has no old reading and no memory', async () => {
  const [never = 0] = await office.lamps(1);
  clock.set(new Date(wall('2026-11-23T18:00')));
  const answer = await why(never);
  expect(answer.observed).toBeNull();
  expect(answer.suspicions).toEqual([
    { code: 'neverHeard', weight: 'certain', evidence: { since: expect.any(String) } },
  ]);
  expect(answer.sentence).toContain('登记后从未上报');
});
