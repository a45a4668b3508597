import { expect, test } from 'vitest';
import { testDatabase } from '../database.ts';
import { killedUnderLoad } from './kills.ts';

const { url } = await testDatabase();

test('a server that is killed at random moments loses nothing that it acknowledged, and each command comes to one end', async () => {
  const { verdict } = await killedUnderLoad({ env: { DATABASE_URL: url }, lamps: 120, rounds: 2, seed: 11 });
  expect(verdict).toEqual({ lost: [], twice: 0, foreign: 0, open: 0, obeyedButExpired: [], confirmedUnheard: [] });
}, 120_000);
