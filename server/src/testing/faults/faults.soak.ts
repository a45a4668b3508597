import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { testDatabase } from '../database.ts';
import { brokerRestarts, hasMosquitto, startMosquitto } from './broker.ts';
import { during, startOutage } from './database.ts';
import { jumpingClock, libfaketime } from './faketime.ts';
import { killedUnderLoad } from './kills.ts';
import { startPostgres } from './postgres.ts';

/** The long form of the fault tests: longer outages, more devices, more rounds, on the program's own parts and on Debian's. */
const whole = { lost: [], twice: 0, foreign: 0, open: 0, obeyedButExpired: [] };
const harmless = { early: 0, lost: [], twice: 0, foreign: 0, sameProcess: true, memoryBounded: true };

describe('a server that is killed twenty times under load', () => {
  test('with the database and the broker of the program', async () => {
    expect(await killedUnderLoad({ env: {}, lamps: 500, rounds: 20, seed: 1 })).toEqual(whole);
  });

  test.skipIf(!hasMosquitto)('with a PostgreSQL that syncs to disk and a Mosquitto', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'lampyris-soak-'));
    const [postgres, mosquitto] = [await startPostgres(folder), await startMosquitto()];
    try {
      expect(await killedUnderLoad({ env: { DATABASE_URL: postgres.url, MQTT_URL: mosquitto.url, LEASE_SECONDS: '2' }, brokerPort: mosquitto.port, lamps: 500, rounds: 20, seed: 2 })).toEqual(whole);
    } finally {
      await mosquitto.kill('SIGTERM');
      mosquitto.remove();
      await postgres.stop();
      rmSync(folder, { recursive: true, force: true });
    }
  });
});

describe('a database under 500 lamps that send without a pause', async () => {
  const outage = await startOutage({ lamps: 500, diskMegabytes: 500 });
  const { postgres, disk } = outage;
  afterAll(() => outage.stop());

  test('stopped for a minute', async () => {
    expect(await during(outage, { begin: () => postgres.kill(), end: () => postgres.start(), awayMs: 60_000 })).toEqual(harmless);
  });

  test('frozen for half a minute', async () => {
    expect(await during(outage, { begin: () => postgres.freeze(), end: () => postgres.thaw(), awayMs: 30_000 })).toEqual(harmless);
  });

  test('without room for half a minute', async () => {
    const begin = async () => {
      disk.fill(postgres);
      await outage.fleet.still();
    };
    const end = async () => {
      disk.empty(postgres);
      await postgres.start();
    };
    expect(await during(outage, { begin, end, awayMs: 30_000 })).toEqual({ ...harmless, early: expect.any(Number) });
  });
});

describe('a broker with ten thousand devices', async () => {
  const { db, url } = await testDatabase();
  test.skipIf(!hasMosquitto)('Mosquitto restarted three times', async () => {
    expect(await brokerRestarts({ db, url, lamps: 10_000, rounds: 3 })).toEqual({ lost: [], twice: 0, foreign: 0, sameProcess: true });
  });

  test('the one of the program, killed with its server', async () => {
    expect(await killedUnderLoad({ env: {}, lamps: 10_000, rounds: 2, seed: 3 })).toEqual(whole);
  });
});

test.skipIf(libfaketime === undefined)('a machine whose clock jumps an hour ahead, back, and a day ahead: nothing is lost, nothing stands twice, the server goes on', async () => {
  const { url } = await testDatabase();
  expect(await jumpingClock({ url, lamps: 100, jumps: ['+3600', '+0', '-1800', '+86400', '+0'] })).toEqual({ lost: [], twice: 0, foreign: 0, sameProcess: true, usable: true, jumped: true });
});
