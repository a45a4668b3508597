import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { mosquittoIsThere } from '../../../../e2e/fixtures/mosquitto.ts';
import type { SaidOfPlan } from '../../../../protocols/wire.ts';
import { embedded, ofTheSite, onLine, type Line } from './testing/line.ts';
import { minuteMs, publishingOffice, wall } from './testing/office.ts';

const office = await publishingOffice();
const { db, clock, get, publish, turn } = office;
const now = () => clock.now().getTime();
const soon = { timeout: 10_000 };
const otherHash = 'aaaaaaaaaaaa';
const saidHash = async (id: number) =>
  (await sql<{ hash: string | null }>`SELECT plan_hash AS hash FROM plan_report WHERE device_id = ${id}`.execute(db))
    .rows[0]?.hash;

describe('over the embedded broker', () => {
  overBroker(embedded);
});
describe.skipIf(!mosquittoIsThere)('over Mosquitto', () => {
  overBroker(ofTheSite);
});

function overBroker(start: (of: typeof office) => Promise<Line>): void {
  const { play } = onLine(office, start);

  it(
    'gives lamps the plan, hears its hash and finds the proof, and the lamp that says it and disobeys',
    { timeout: 30_000 },
    async () => {
      const [obeys = 0, lies = 0] = await office.lamps(2);
      const players = [await play(obeys, 'plan'), await play(lies, 'wrongPlan')];
      const { body, status } = await publish([obeys, lies]);
      expect(status, JSON.stringify(body)).toBe(201);
      await turn();
      await expect
        .poll(() => players.map(({ lamp }) => lamp.settings.plan?.scheme ?? null), { timeout: 10_000 })
        .toEqual([(await get(body.id)).scheme?.code, (await get(body.id)).scheme?.code]);
      await expect
        .poll(
          async () => {
            clock.set(new Date(now() + minuteMs));
            await turn();
            return (await get(body.id)).states;
          },
          { timeout: 10_000 },
        )
        .toEqual({ reported: 2 });
      const reported = (await get(body.id)).items;
      expect(reported.map(({ reportedHash }) => reportedHash)).toEqual(reported.map(({ planHash }) => planHash));
      for (const at of ['2026-11-23T18:00', '2026-11-24T00:30', '2026-11-24T08:00', '2026-11-25T00:30']) {
        clock.set(new Date(wall(at)));
        for (const one of players) await one.live();
        await turn();
        if (at.startsWith('2026-11-24T00')) expect(await office.stateOf(body.id, obeys)).toBe('proven');
      }
      await turn();
      expect(await get(body.id)).toMatchObject({ phase: 'done', states: { diverged: 1, proven: 1 } });
      expect(await office.stateOf(body.id, lies)).toBe('diverged');
      const [found] = (await get(body.id)).items;
      expect(found).toMatchObject({ proof: { misses: 2 }, planHash: found?.reportedHash });
    },
  );

  it(
    'proves no lamp by its levels that says it runs another plan since it was told; what it said before is nothing',
    { timeout: 30_000 },
    async () => {
      const [stuck = 0, mute = 0] = await office.lamps(2);
      let says: SaidOfPlan = { planHash: otherHash };
      const players = [
        await play(stuck, 'plan', (truth) => ({ ...truth, planHash: otherHash })),
        await play(mute, 'plan', () => says),
      ];
      await expect.poll(() => saidHash(mute), soon).toBe(otherHash);
      says = {};
      clock.set(new Date(now() + minuteMs));
      const { body, status } = await publish([stuck, mute]);
      expect(status, JSON.stringify(body)).toBe(201);
      await turn();
      const code = (await get(body.id)).scheme?.code;
      await expect
        .poll(() => players.map(({ lamp }) => lamp.settings.plan?.scheme ?? null), soon)
        .toEqual([code, code]);
      await expect.poll(() => players[0]?.isHeard(), soon).toBe(true);
      const itemOf = async (id: number) => (await get(body.id)).items.find(({ deviceId }) => deviceId === id);
      for (const at of ['2026-11-23T18:00', '2026-11-24T00:30', '2026-11-24T10:00']) {
        clock.set(new Date(wall(at)));
        for (const one of players) await one.live();
        await turn();
        if (at.startsWith('2026-11-24T00'))
          expect(await itemOf(stuck)).toMatchObject({ state: 'told', reason: null, proof: { misses: 1 } });
      }
      await turn();
      expect(await itemOf(stuck)).toMatchObject({
        ...{ state: 'diverged', reason: 'otherPlan', reportedHash: otherHash },
        proof: { expected: 0, observed: 0, misses: 2 },
      });
      expect(await itemOf(mute)).toMatchObject({ state: 'proven', reason: null, reportedHash: otherHash });
      expect((await get(body.id)).phase).toBe('done');
    },
  );
}
