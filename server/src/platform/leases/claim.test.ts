import { afterEach, expect, test } from 'vitest';
import { testDatabase } from '../../testing/database.ts';
import { createLog } from '../log.ts';
import { claimForLife } from './claim.ts';

const { connection, pool } = await testDatabase();
const key = 4711;
const stops: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});
const claim = async (holder: string, shared: boolean) => {
  const stop = await claimForLife({ connection, key, shared, holder, log: createLog('silent'), patienceMs: 0 });
  stops.push(stop);
  return stop;
};

test('one alone or any number together, and whoever is in the way is named', async () => {
  const alone = await claim('first/1', false);
  await expect(claim('second/2', false)).rejects.toMatchObject({ name: 'Claimed', holder: 'first/1' });
  await expect(claim('second/2', true)).rejects.toMatchObject({ holder: 'first/1' });
  await alone();
  await claim('second/2', true);
  await claim('third/3', true);
  await expect(claim('first/1', false)).rejects.toMatchObject({
    holder: expect.stringMatching(/^(second\/2|third\/3)$/),
  });
});

test('what is claimed for life survives the end of its connection', async () => {
  await claim('first/1', false);
  const holders = async () =>
    (
      await pool.query<{ pid: number }>(`SELECT a.pid FROM pg_stat_activity a JOIN pg_locks l USING (pid)
    WHERE l.locktype = 'advisory' AND l.granted AND a.application_name = 'lampyris first/1'
      AND a.datname = current_database()`)
    ).rows.map(({ pid }) => pid);
  const [before] = await holders();
  await pool.query('SELECT pg_terminate_backend($1)', [before]);
  // Its own successor, not the one that is just ending.
  await expect.poll(async () => (await holders()).filter((pid) => pid !== before).length, { timeout: 20_000 }).toBe(1);
  await expect(claim('second/2', false)).rejects.toMatchObject({ holder: 'first/1' });
});
