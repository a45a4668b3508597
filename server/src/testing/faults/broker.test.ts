import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { testDatabase } from '../database.ts';
import { hasMosquitto, startLoad, type Load } from './broker.ts';
import { sharedDatabase } from './shared-database.ts';

const { db, url } = await testDatabase();

describe.skipIf(!hasMosquitto)('a server with a PostgreSQL and a Mosquitto of the site, under load', () => {
  let load: Load;
  beforeAll(async () => {
    load = await startLoad({ db, url, lamps: 200 });
  }, 120_000);
  afterAll(() => load.stop(), 60_000);
  const harmless = { lost: [], twice: 0, foreign: 0, sameProcess: true };

  test('the broker is restarted: what it acknowledged is in the history once, and nobody restarts the server', async () => {
    await load.mosquitto.kill('SIGTERM');
    await load.mosquitto.start();
    await load.fleet.further(200);
    expect(await load.verdict()).toEqual(harmless);
  }, 120_000);

  test('the database lets nobody in, then its processes stand still: the broker keeps what the server cannot store', async () => {
    const database = sharedDatabase(url);
    await database.shut();
    await load.fleet.further(200);
    await database.open();
    await database.freeze();
    await load.fleet.further(200);
    database.thaw();
    await load.fleet.further(200);
    expect(await load.verdict()).toEqual(harmless);
  }, 120_000);

  test('the server is killed and comes back', async () => {
    await load.rig.kill();
    await load.fleet.further(200);
    // No more than that for a server that takes its time to start.
    await load.fleet.quiet();
    await load.rig.start();
    load.fleet.resume();
    await load.fleet.further(200);
    expect(await load.verdict()).toEqual({ ...harmless, sameProcess: false });
  }, 120_000);
});
