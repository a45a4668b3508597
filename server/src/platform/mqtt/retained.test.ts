import { Aedes } from 'aedes';
import { afterAll, expect, test } from 'vitest';
import { findRetainedByPlace } from './retained.ts';
import { covers } from './rights.ts';

const aedes = await Aedes.createBroker();
let looked = 0;
findRetainedByPlace(aedes, (filter, topic) => {
  looked += 1;
  return covers(filter, topic);
});
afterAll(() => new Promise<void>((resolve) => aedes.close(() => resolve())));
const store = Reflect.get(aedes, 'persistence') as {
  createRetainedStreamCombi(filters: readonly string[]): { toArray(): Promise<{ topic: string; payload: Buffer }[]> };
};

const retain = (topic: string, payload: string) =>
  new Promise<void>((resolve, reject) => {
    aedes.publish(
      { cmd: 'publish', topic, payload: Buffer.from(payload), qos: 1, retain: true, dup: false },
      (thrown) => (thrown ? reject(thrown) : resolve()),
    );
  });
const found = async (...filters: string[]) =>
  (await store.createRetainedStreamCombi(filters).toArray()).map(
    ({ topic, payload }) => `${topic} ${payload.toString()}`,
  );

test('a subscription finds what is retained of the one it is about, the newest of each topic, until it is taken away', async () => {
  for (const [topic, payload] of [
    ['a/b/d/1/settings', 'old'],
    ['a/b/d/1/settings', 'new'],
    ['a/b/d/2/settings', 'of 2'],
    ['a/b/d/1/children/7/settings', 'of 7'],
    ['a/b/d/1/children/8/settings', 'of 8'],
    ['short', 'too'],
  ] as const)
    await retain(topic, payload);
  expect(await found('a/b/d/1/settings', 'a/b/d/1/commands')).toEqual(['a/b/d/1/settings new']);
  expect(await found('a/b/d/1/children/+/settings')).toEqual([
    'a/b/d/1/children/7/settings of 7',
    'a/b/d/1/children/8/settings of 8',
  ]);
  expect(await found('a/b/d/+/settings', 'short', 'a/b')).toEqual([
    'a/b/d/1/settings new',
    'a/b/d/2/settings of 2',
    'short too',
  ]);
  await retain('a/b/d/2/settings', '');
  expect(await found('a/b/d/2/settings')).toEqual([]);
});

test('a thousand that come back at once look at what is their own alone', async () => {
  const count = 1000;
  for (let id = 0; id < count; id += 1) await retain(`m/v1/devices/${id}/settings`, 'x');
  looked = 0;
  for (let id = 0; id < count; id += 1) await found(`m/v1/devices/${id}/settings`);
  expect(looked).toBe(count);
});
