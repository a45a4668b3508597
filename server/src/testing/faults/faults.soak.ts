import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { testDatabase } from '../database.ts';
import { brokerRestarts, hasMosquitto } from './broker.ts';
import { during, startOutage, storesNothing, type Kind, type Outage } from './database.ts';
import { jumpingClock, libfaketime } from './faketime.ts';
import type { Result } from './figures.ts';
import { killedUnderLoad } from './kills.ts';
import { malformedLoad } from './malformed.ts';
import { onSite } from './site.ts';

/**
 * The long form of the fault tests: longer outages, more devices, more rounds, on the program's own parts and on
 * Debian's.
 */
const stored = { lost: [], twice: 0, foreign: 0 };
const whole = { ...stored, open: 0, obeyedButExpired: [], confirmedUnheard: [] };
const harmless = { ...stored, early: 0, sameProcess: true, memoryBounded: true };

/** Runs one, tells its figures for the table in docs/soak.md, and gives what must hold. */
async function told<Verdict>(trial: Promise<Result<Verdict>>): Promise<Verdict> {
  const { verdict, figures } = await trial;
  process.stdout.write(
    `| ${expect.getState().currentTestName} | ${Object.entries(figures)
      .map(([name, value]) => `${name} ${value}`)
      .join(', ')} |\n`,
  );
  return verdict;
}

describe('a server that is killed twenty times under load', () => {
  test('on its own parts', async () => {
    expect(await told(killedUnderLoad({ env: {}, lamps: 500, rounds: 20, seed: 1 }))).toEqual(whole);
  });

  test.skipIf(!hasMosquitto)('on PostgreSQL and Mosquitto', async () => {
    expect(await told(onSite((site) => killedUnderLoad({ ...site, lamps: 500, rounds: 20, seed: 2 })))).toEqual(whole);
  });

  test.skipIf(!hasMosquitto)('two servers, one of them at a time', async () => {
    expect(
      await told(onSite((site) => killedUnderLoad({ ...site, servers: 2, lamps: 500, rounds: 20, seed: 4 }))),
    ).toEqual(whole);
  });
});

const kinds: readonly (readonly [string, Kind])[] = [
  ['of the program', 'own'],
  ['of the site, with the program’s broker', 'mixed'],
  ...(hasMosquitto ? [['of the site, with Mosquitto', 'site'] as const] : []),
];

describe.each(kinds)('a database %s under 500 lamps that send without a pause', (_name, kind) => {
  let outage: Outage;
  beforeAll(async () => {
    outage = await startOutage({ kind, lamps: 500, diskMegabytes: 2000 });
  });
  afterAll(() => outage.stop());
  const expected = { ...harmless, ...(kind === 'site' ? { early: expect.any(Number) } : {}) };

  test('stopped for a minute', async () => {
    const { postgres } = outage;
    expect(
      await told(
        during(outage, { begin: () => postgres.kill(), end: () => postgres.start(), awayMs: 60_000, burst: 200 }),
      ),
    ).toEqual(expected);
  });

  test('frozen for half a minute', async () => {
    const { postgres } = outage;
    expect(
      await told(
        during(outage, { begin: () => postgres.freeze(), end: () => postgres.thaw(), awayMs: 30_000, burst: 200 }),
      ),
    ).toEqual(expected);
  });

  test('frozen, and the server killed meanwhile', async () => {
    const { postgres, rig } = outage;
    const end = async () => {
      await rig.kill();
      postgres.thaw();
      await rig.start();
    };
    expect(await told(during(outage, { begin: () => postgres.freeze(), end, awayMs: 10_000, burst: 20 }))).toEqual({
      ...expected,
      sameProcess: false,
    });
  });

  test('without room for half a minute', async () => {
    const { postgres, disk } = outage;
    const begin = async () => {
      disk.fill(postgres);
      await storesNothing(outage);
    };
    const end = async () => {
      disk.empty(postgres);
      await postgres.start();
    };
    expect(await told(during(outage, { begin, end, awayMs: 30_000, burst: 200 }))).toEqual({
      ...expected,
      early: expect.any(Number),
    });
  });
});

describe('a broker with ten thousand devices', async () => {
  const { db, url } = await testDatabase();
  test.skipIf(!hasMosquitto)('Mosquitto restarted three times', async () => {
    expect(await told(brokerRestarts({ db, url, lamps: 10_000, rounds: 3 }))).toEqual({ ...stored, sameProcess: true });
  });

  test('the one of the program, killed with its server', async () => {
    expect(await told(killedUnderLoad({ env: {}, lamps: 10_000, rounds: 2, seed: 3 }))).toEqual(whole);
  });
});

describe.skipIf(libfaketime === undefined)(
  'a machine whose clock jumps an hour ahead, back, and a day ahead',
  async () => {
    const { url } = await testDatabase();
    const trial = { lamps: 100, jumps: ['+3600', '+0', '-1800', '+86400', '+0'] };
    const expected = { ...stored, sameProcess: true, usable: true, jumped: true };

    test('with the broker of the program', async () => {
      expect(await told(jumpingClock({ ...trial, env: { DATABASE_URL: url } }))).toEqual(expected);
    });

    test.skipIf(!hasMosquitto)('with Mosquitto', async () => {
      expect(await told(onSite((site) => jumpingClock({ ...trial, ...site })))).toEqual(expected);
    });
  },
);

describe('ten thousand malformed messages among sound ones', () => {
  const expected = { ...stored, stored: 0, uncounted: 0, sameProcess: true };
  test('on its own parts, with a thousand connections that talk nonsense', async () => {
    expect(await told(malformedLoad({ env: {}, lamps: 100, count: 10_000 }))).toEqual(expected);
  });

  test.skipIf(!hasMosquitto)('on PostgreSQL and Mosquitto', async () => {
    expect(await told(onSite((site) => malformedLoad({ ...site, lamps: 100, count: 10_000 })))).toEqual(expected);
  });
});
