import { describe, expect, it } from 'vitest';
import { mosquittoIsThere } from '../../../../e2e/fixtures/mosquitto.ts';
import { embedded, ofTheSite, onLine, type Line } from './testing/line.ts';
import { minuteMs, publishingOffice, wall } from './testing/office.ts';

const office = await publishingOffice();
const { clock, get, publish, turn } = office;
const now = () => clock.now().getTime();

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
}
