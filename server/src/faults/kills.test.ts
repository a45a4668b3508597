import { expect, test } from 'vitest';
import { testDatabase } from '../testing/database.ts';
import { killedUnderLoad } from './kills.ts';

const { db, url } = await testDatabase();

test('a server that is killed at random moments loses nothing that it acknowledged, and each command comes to one end', async () => {
  expect(await killedUnderLoad({ db, url, env: { DATABASE_URL: url }, lamps: 120, rounds: 2, seed: 11 })).toEqual({ lost: [], twice: [], foreign: [], open: 0, obeyedButExpired: [] });
}, 60_000);
