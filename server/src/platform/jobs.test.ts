import { expect, test } from 'vitest';
import { testClock } from '../testing/clock.ts';
import { createJobs } from './jobs.ts';

test('work by the clock is written down: when it ran, when it runs next, and why it failed', async () => {
  const clock = testClock(new Date('2026-11-21T10:00:00Z'));
  const jobs = createJobs(clock);
  const begin = clock.now().getTime();
  let broken = false;
  const named = jobs.named('cleaning');
  const stop = named.every(1000, () => {
    if (broken) throw new Error('no room');
  });
  const stopSlow = named.every(60_000, () => undefined);
  expect(jobs.states()).toEqual([
    {
      name: 'cleaning',
      everyMs: 60_000,
      runs: 0,
      failures: 0,
      lastAt: null,
      lastMs: null,
      nextAt: begin + 1000,
      error: null,
      runningSince: null,
    },
  ]);
  await clock.advance(2000);
  expect(jobs.states()).toMatchObject([
    { runs: 2, failures: 0, lastAt: begin + 2000, lastMs: 0, nextAt: begin + 3000, error: null },
  ]);
  broken = true;
  await expect(clock.advance(1000)).rejects.toThrow('no room');
  expect(jobs.states()).toMatchObject([{ runs: 3, failures: 1, error: 'no room' }]);
  broken = false;
  await clock.advance(1000);
  expect(jobs.states()).toMatchObject([{ runs: 4, failures: 1, error: null }]);
  stop();
  stopSlow();
  expect(jobs.states()).toEqual([]);
});

test('a run under way is told with its beginning', async () => {
  const clock = testClock();
  const jobs = createJobs(clock);
  const { promise, resolve } = Promise.withResolvers<void>();
  jobs.named('long').every(1000, () => promise);
  const begin = clock.now().getTime();
  const moved = clock.advance(1000);
  expect(jobs.states()).toMatchObject([{ runningSince: begin + 1000, runs: 0 }]);
  resolve();
  await moved;
  expect(jobs.states()).toMatchObject([{ runningSince: null, runs: 1 }]);
});
