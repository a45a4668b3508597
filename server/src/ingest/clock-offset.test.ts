import fc from '../../../catalogue/testing/properties.ts';
import { describe, expect, it } from 'vitest';
import { largestOffsetMs, learn, type ClockBelief } from './clock-offset.ts';

const unheard: ClockBelief = { offsetMs: 0, candidateMs: null, candidateAt: 0, before: null, known: false };
/** Messages of a device whose clock is `error` ms behind, each `delay` ms on its way. */
const after = (error: number, delays: readonly number[], start = unheard) => delays.reduce<ClockBelief>((belief, delay, index) => {
  const now = 1e12 + index * 900_000;
  return learn(belief, now, now - delay - error) ?? belief;
}, start);

describe('a device’s clock', () => {
  it.each<[string, number, readonly number[], number]>([
    ['a right clock', 0, [50, 80, 30], 0],
    ['a right clock and a slow way', 0, [1900, 1500], 0],
    ['five minutes behind, from the first message on', 300_000, [100], 300_100],
    ['five minutes ahead', -300_000, [100, 400], -299_900],
    ['one message that waited ten minutes changes nothing', 0, [50, 600_000, 40], 0],
    ['nor do two that waited differently', 0, [50, 600_000, 900_000, 40], 0],
    ['a first message that waited is corrected by the second', 0, [600_000, 50], 0],
  ])('%s', (_name, error, delays, offset) => expect(after(error, delays).offsetMs).toBe(offset));

  it('believes a clock that was set back after two messages', () => {
    const right = after(0, [50]);
    expect(after(120_000, [60], right).offsetMs).toBe(0);
    expect(after(120_000, [60, 40], right).offsetMs).toBe(120_040);
  });

  it('does not take messages that waited together in a queue for a late clock', () => {
    const right = after(0, [50]);
    // The server was away for a minute; two messages of one moment come when it is back.
    const first = learn(right, 2e12, 2e12 - 60_000) ?? right;
    const second = learn(first, 2e12 + 5, 2e12 - 59_900) ?? first;
    expect(second.offsetMs).toBe(0);
    expect(learn(second, 2e12 + 1000, 2e12 + 950)?.offsetMs).toBe(0);
  });

  it('is what it was before a queue that stood looked like a late clock, at once when the queue gets shorter', () => {
    const minute = (index: number, seen: number, belief: ClockBelief) => learn(belief, 1e12 + index * 60_000, 1e12 + index * 60_000 - seen) ?? belief;
    const misled = minute(2, 40_500, minute(1, 40_000, after(0, [50])));
    expect(misled.offsetMs).toBe(40_000);
    expect(minute(3, 25_000, misled).offsetMs).toBe(0);
    // A clock that is ahead of what was believed before is not.
    expect(minute(3, -9000, misled).offsetMs).toBe(-9000);
    expect(minute(4, 25_000, minute(3, 25_000, misled)).offsetMs).toBe(0);
    expect(minute(5, 25_000, minute(4, 25_000, minute(3, 25_000, misled))).offsetMs).toBe(25_000);
    // After ten minutes it was the clock.
    expect(minute(20, 25_000, misled).offsetMs).toBe(25_000);
  });

  it('gives a reading that is sent again the time it had, however long the ways are', () => {
    fc.assert(fc.property(fc.integer({ min: 5000, max: 3_600_000 }), fc.array(fc.integer({ min: 0, max: 1900 }), { minLength: 2, maxLength: 20 }), (error, delays) => {
      const [first] = delays;
      expect(after(error, delays).offsetMs).toBe(after(error, [first ?? 0]).offsetMs);
    }));
  });

  it('refuses a clock that is none', () => expect(learn(unheard, 1.8e12, 0)).toBeNull());

  it('never believes in more than the smallest delay it saw', () => {
    fc.assert(fc.property(fc.integer({ min: -largestOffsetMs / 2, max: largestOffsetMs / 2 }), fc.array(fc.integer({ min: 0, max: 1000 }), { minLength: 1, maxLength: 20 }), (error, delays) => {
      const { offsetMs } = after(error, delays);
      expect(Math.abs(offsetMs - error)).toBeLessThanOrEqual(2000);
    }));
  });
});
