import { expect, test } from 'vitest';
import { testDatabase } from '../database.ts';
import { brokerRestarts, hasMosquitto } from './broker.ts';

const { db, url } = await testDatabase();

test.skipIf(!hasMosquitto)('a broker that is restarted under load: what it acknowledged is in the history once, and nobody restarts the server', async () => {
  expect((await brokerRestarts({ db, url, lamps: 300, rounds: 1 })).verdict).toEqual({ lost: [], twice: 0, foreign: 0, sameProcess: true });
}, 120_000);
