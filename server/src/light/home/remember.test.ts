import { expect, it } from 'vitest';
import { testClock } from '../../testing/clock.ts';
import { remember } from './remember.ts';

/** A question that is answered when the test says so. */
function question() {
  const open: ((answer: number) => void)[] = [];
  return {
    asked: () => open.length,
    ask: () =>
      new Promise<number>((resolve) => {
        open.push(resolve);
      }),
    answer: (index: number) => open[index]?.(index),
  };
}

it('is asked once at a time and rests four times as long as it took, a minute at most', async () => {
  const clock = testClock();
  const { asked, ask, answer } = question();
  const kept = remember<number>(clock, 5000);
  const first = kept('all', ask);
  await clock.advance(60_000);
  const second = kept('all', ask);
  expect(asked()).toBe(1);
  answer(0);
  expect(await Promise.all([first, second])).toEqual([0, 0]);
  await clock.advance(59_000);
  expect(await kept('all', ask)).toBe(0);
  await clock.advance(2000);
  void kept('all', ask);
  void kept('other', ask);
  expect(asked()).toBe(3);
});

it('is asked again when no answer comes for two minutes: its connection may be lost', async () => {
  const clock = testClock();
  const { asked, ask, answer } = question();
  const kept = remember<number>(clock, 5000);
  void kept('all', ask);
  await clock.advance(121_000);
  const second = kept('all', ask);
  answer(0);
  answer(1);
  expect([asked(), await second, await kept('all', ask)]).toEqual([2, 1, 1]);
});

it('is kept for its time when it was quick, not beyond a clock that was set back, and never when it failed', async () => {
  const clock = testClock();
  const kept = remember<number>(clock, 5000);
  let asked = 0;
  const ask = () => Promise.resolve((asked += 1));
  expect([await kept('all', ask), await kept('all', ask)]).toEqual([1, 1]);
  await clock.advance(5001);
  expect(await kept('all', ask)).toBe(2);
  clock.set(new Date(clock.now().getTime() - 3_600_000));
  expect(await kept('all', ask)).toBe(3);
  await expect(kept('broken', () => Promise.reject(new Error('away')))).rejects.toThrow('away');
  expect(await kept('broken', ask)).toBe(4);
});

it('remembers the newest answers only, and forgets no question that is under way', async () => {
  const clock = testClock();
  const { asked, ask } = question();
  const kept = remember<number>(clock, 5000, { most: 2 });
  void kept('slow', ask);
  for (const key of ['a', 'b', 'c', 'd']) await kept(key, () => Promise.resolve(1));
  void kept('slow', ask);
  expect(asked()).toBe(1);
  expect(await kept('d', () => Promise.resolve(2))).toBe(1);
  expect(await kept('a', () => Promise.resolve(2))).toBe(2);
});
