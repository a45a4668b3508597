import { afterAll, expect, test } from 'vitest';
import { testDatabase } from '../../testing/database.ts';
import { createLog } from '../log.ts';
import { startBus } from './bus.ts';

const { connection, pool } = await testDatabase();
const here = await startBus(connection, createLog('silent'));
const there = await startBus(connection, createLog('silent'));
afterAll(() => Promise.all([here.stop(), there.stop()]));

test('a message reaches this process at once and others soon, each once', async () => {
  const seen: string[] = [];
  const arrived = Promise.withResolvers<void>();
  const stops = [
    here.subscribe('session.ended', ({ sessionIds }) => seen.push(`here ${sessionIds.join()}`)),
    there.subscribe('session.ended', ({ sessionIds }) => {
      seen.push(`there ${sessionIds.join()}`);
      if (sessionIds.includes(9)) arrived.resolve();
    }),
  ];
  here.publish('session.ended', { sessionIds: [1, 2] });
  expect(seen).toEqual(['here 1,2']);
  here.publish('session.ended', { sessionIds: [9] });
  await arrived.promise;
  expect(seen).toEqual(['here 1,2', 'here 9', 'there 1,2', 'there 9']);
  stops.forEach((stop) => stop());
});

test('long lists of ids travel in parts and arrive whole', async () => {
  const ids = Array.from({ length: 5000 }, (_, index) => 1_000_000 + index);
  const arrived = new Promise<number[]>((resolve) => {
    const got: number[] = [];
    there.subscribe('devices.changed', (message) => {
      got.push(...message.ids);
      if (got.length >= ids.length) resolve(got);
    });
  });
  here.publish('devices.changed', { ids });
  expect((await arrived).toSorted((a, b) => a - b)).toEqual(ids);
});

test('a subscriber that throws does not keep the message from the others', () => {
  const seen: number[] = [];
  here.subscribe('rights.changed', () => {
    throw new Error('a bug');
  });
  here.subscribe('rights.changed', () => seen.push(1));
  here.publish('rights.changed', {});
  expect(seen).toEqual([1]);
});

test('a broken connection is opened again, and everybody is told that something may be missing', async () => {
  const told = (bus: typeof here) => new Promise<void>((resolve) => bus.subscribe('bus.resumed', () => resolve()));
  const both = Promise.all([told(here), told(there)]);
  await pool.query(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'lampyris bus'
      AND datname = current_database()`,
  );
  await both;
  const arrived = Promise.withResolvers<void>();
  there.subscribe('tasks.changed', ({ taskId }) => {
    if (taskId === 7) arrived.resolve();
  });
  here.publish('tasks.changed', { accountId: 1, taskId: 7 });
  await arrived.promise;
});

test('who tells more than the line takes tells the others to look anew', async () => {
  const told = new Promise<void>((resolve) => there.subscribe('bus.resumed', () => resolve()));
  for (let taskId = 0; taskId < 6000; taskId += 1) here.publish('tasks.changed', { accountId: 1, taskId });
  await told;
});
