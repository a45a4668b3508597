import { afterAll, beforeAll, expect, test } from 'vitest';
import { during, startOutage, type Outage } from './database.ts';

let outage: Outage;
beforeAll(async () => {
  outage = await startOutage({ kind: 'own', lamps: 40, diskMegabytes: 300 });
}, 120_000);
afterAll(() => outage.stop(), 60_000);
const harmless = { early: 0, lost: [], twice: 0, foreign: 0, sameProcess: true, memoryBounded: true };

test('a database that fails and comes back: nothing is acknowledged meanwhile, nothing is lost, nobody restarts the server', async () => {
  const { postgres } = outage;
  expect(
    (await during(outage, { begin: () => postgres.kill(), end: () => postgres.start(), awayMs: 700 })).verdict,
  ).toEqual(harmless);
});

test('a database whose processes stand still', async () => {
  const { postgres } = outage;
  expect(
    (await during(outage, { begin: () => postgres.freeze(), end: () => postgres.thaw(), awayMs: 700 })).verdict,
  ).toEqual(harmless);
});

test('a disk that is full and is emptied', async () => {
  const { postgres, disk } = outage;
  const begin = async () => {
    disk.fill(postgres);
    await outage.fleet.still();
  };
  const end = async () => {
    disk.empty(postgres);
    await postgres.start();
  };
  // A reading that fits into a page that is there already may still be committed, and then be acknowledged.
  expect((await during(outage, { begin, end, awayMs: 700 })).verdict).toEqual({
    ...harmless,
    early: expect.any(Number),
  });
}, 120_000);
