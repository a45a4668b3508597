import fc from '../../../catalogue/testing/properties.ts';
import { describe, expect, it } from 'vitest';
import { doubtOf, largestOffsetMs, learn, type ClockBelief } from './clock-offset.ts';

const unheard: ClockBelief = { offsetMs: 0, candidateMs: null, candidateAt: 0, before: null, known: false };
/** Messages of a device whose clock is `error` ms behind, each `delay` ms on its way. */
const after = (error: number, delays: readonly number[], start = unheard) =>
  delays.reduce<ClockBelief>((belief, delay, index) => {
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
    const minute = (index: number, seen: number, belief: ClockBelief) =>
      learn(belief, 1e12 + index * 60_000, 1e12 + index * 60_000 - seen) ?? belief;
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
    fc.assert(
      fc.property(
        fc.integer({ min: 5000, max: 3_600_000 }),
        fc.array(fc.integer({ min: 0, max: 1900 }), { minLength: 2, maxLength: 20 }),
        (error, delays) => {
          const [first] = delays;
          expect(after(error, delays).offsetMs).toBe(after(error, [first ?? 0]).offsetMs);
        },
      ),
    );
  });

  describe('that was wrong and is set', () => {
    const day = 86_400_000;
    /** Messages as [seconds since the first, how much the clock is ahead (ms), milliseconds on the way]. */
    const heard = (messages: readonly (readonly [second: number, ahead: number, delay?: number])[]) =>
      messages.reduce<ClockBelief>((belief, [second, ahead, delay = 100]) => {
        const receivedAt = 1.8e12 + second * 1000;
        return learn(belief, receivedAt, receivedAt - delay + ahead) ?? belief;
      }, unheard);
    const seen = (ahead: number, delay = 100) => delay - ahead;

    it('is believed at once when it was ahead and is right', () => {
      expect(
        heard([
          [0, 3 * day],
          [1, 0],
        ]),
      ).toMatchObject({ offsetMs: 0, candidateMs: null, before: null });
      expect(
        heard([
          [0, 3 * day],
          [1, 0],
          [2, day],
        ]).offsetMs,
      ).toBe(seen(day));
    });
    it('is believed at once when it was behind and is right, also after it was thought to be ahead', () => {
      expect(
        heard([
          [0, -3 * day],
          [1, 0],
        ]).offsetMs,
      ).toBe(0);
      expect(
        heard([
          [0, 3 * day],
          [1, -7_200_000],
          [40, -7_200_000],
          [41, 0],
        ]).offsetMs,
      ).toBe(0);
    });
    it('is in doubt when it was ahead and is behind, until a message half a minute later agrees', () => {
      const first = heard([
        [0, 3 * day],
        [1, -day],
      ]);
      expect([first.offsetMs, doubtOf(first)]).toEqual([seen(3 * day), seen(-day)]);
      const second = heard([
        [0, 3 * day],
        [1, -day],
        [32, -day],
      ]);
      expect([second.offsetMs, doubtOf(second)]).toEqual([seen(-day), null]);
      // A day is no queue's: set a little less behind it is not three days ahead again.
      expect(
        heard([
          [0, 3 * day],
          [1, -day],
          [32, -day],
          [33, -day + 600_000],
        ]).offsetMs,
      ).toBe(seen(-day + 600_000));
    });
    it('is what it was when messages of days come late, and then one of now', () => {
      const late = heard([
        [0, 3 * day],
        [1, 3 * day, 2 * day],
        [2, 3 * day, 2 * day - 900_000],
        [3, 3 * day, 3600_000],
      ]);
      expect([late.offsetMs, doubtOf(late)]).toEqual([seen(3 * day), seen(3 * day, 3600_000)]);
      const now = heard([
        [0, 3 * day],
        [1, 3 * day, 2 * day],
        [2, 3 * day],
      ]);
      expect([now.offsetMs, doubtOf(now)]).toEqual([seen(3 * day), null]);
    });
    it('is not doubted for what is late from a right clock, or a little late from a wrong one', () => {
      expect(
        doubtOf(
          heard([
            [0, 0],
            [1, 0, 5 * day],
            [2, 0, 2 * day],
          ]),
        ),
      ).toBeNull();
      expect(
        doubtOf(
          heard([
            [0, 600_000],
            [900, 600_000, 30_000],
          ]),
        ),
      ).toBeNull();
    });
    it('is not doubted for what is late from one that is wrong by seconds: the seconds are no reason to keep days back', () => {
      for (const ahead of [-3000, 3000, 45_000])
        expect(
          doubtOf(
            heard([
              [0, ahead],
              [1, ahead, 2 * day],
              [2, ahead, day],
            ]),
          ),
        ).toBeNull();
    });
  });

  it('refuses a clock that is none', () => expect(learn(unheard, 1.8e12, 0)).toBeNull());

  it('never believes in more than the smallest delay it saw', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: -largestOffsetMs / 2, max: largestOffsetMs / 2 }),
        fc.array(fc.integer({ min: 0, max: 1000 }), { minLength: 1, maxLength: 20 }),
        (error, delays) => {
          const { offsetMs } = after(error, delays);
          expect(Math.abs(offsetMs - error)).toBeLessThanOrEqual(2000);
        },
      ),
    );
  });
});
