import { describe, expect, it } from 'vitest';
import type { CommandState } from './commands.rules.ts';
import { canaryCount, isSpread } from './commands.rules.ts';
import { nextStep, type Canary, type Staged } from './flow.rules.ts';

const sizes = { atOnce: 5000, wave: 100 };
const began = '2026-11-21T12:00:00.000Z';
const at = (seconds: number) => Date.parse(began) + seconds * 1000;
const tally = (state: CommandState, n: number, canary = false) => ({ state, canary, n, recent: n });
const canary: Canary = { count: 10, minSuccessPercent: 90, waitSeconds: 60, state: 'pending', began };
const staged = (part: Partial<Staged>): Staged => ({ canary: null, stopAt: null, tallies: [], ...part });

describe('a canary', () => {
  const rest = tally('waiting', 90);
  it.each<[string, Staged['tallies'], number, object]>([
    ['goes first', [tally('waiting', 10, true), rest], 0, { do: 'release', limit: 10, canary: true }],
    ['is waited for', [tally('confirmed', 9, true), tally('acknowledged', 1, true), rest], 59, { do: 'wait' }],
    [
      'passes with the share asked for, at once when all have ended',
      [tally('confirmed', 9, true), tally('timedOut', 1, true), rest],
      5,
      { do: 'pass', confirmed: 9 },
    ],
    [
      'halts below it',
      [tally('confirmed', 8, true), tally('failed', 2, true), rest],
      5,
      { do: 'halt', why: 'canary', finished: 10, failed: 2 },
    ],
    [
      'is judged by what it showed when the wait is over',
      [tally('confirmed', 8, true), tally('acknowledged', 2, true), rest],
      60,
      { do: 'halt', why: 'canary', finished: 10, failed: 2 },
    ],
    [
      'counts nobody who was taken over',
      [tally('confirmed', 9, true), tally('superseded', 1, true), rest],
      5,
      { do: 'pass', confirmed: 9 },
    ],
    ['passes when all of it was taken over', [tally('superseded', 10, true), rest], 5, { do: 'pass', confirmed: 0 }],
  ])('%s', (_what, tallies, seconds, verdict) =>
    expect(nextStep(staged({ canary, tallies }), at(seconds), sizes)).toMatchObject(verdict),
  );

  it('holds at least one device and never all, spread evenly', () => {
    expect([
      canaryCount({ share: 5 }, 1000),
      canaryCount({ share: 1 }, 20),
      canaryCount({ count: 50 }, 3),
      canaryCount({ count: 5 }, 1000),
    ]).toEqual([50, 1, 2, 5]);
    const taken = Array.from({ length: 100 }, (_none, index) => index).filter((index) => isSpread(index, 4, 100));
    expect(taken).toEqual([24, 49, 74, 99]);
  });
});

describe('stopping on failures', () => {
  const stopAt = { failurePercent: 20, afterAtLeast: 10 };
  it.each<[string, Staged['tallies'], object]>([
    [
      'lets a wave go, as many as may be on their way',
      [tally('waiting', 500), tally('sent', 40)],
      { do: 'release', limit: 60, canary: false },
    ],
    ['waits while a wave is on its way', [tally('waiting', 500), tally('sent', 100)], { do: 'wait' }],
    [
      'judges nothing before enough have ended',
      [tally('waiting', 500), tally('failed', 9)],
      { do: 'release', limit: 100, canary: false },
    ],
    [
      'goes on below the rate',
      [tally('waiting', 500), tally('failed', 1), tally('timedOut', 1), tally('confirmed', 9)],
      { do: 'release' },
    ],
    [
      'halts at the rate',
      [tally('waiting', 500), tally('failed', 1), tally('timedOut', 1), tally('confirmed', 8)],
      { do: 'halt', why: 'failures', finished: 10, failed: 2 },
    ],
    ['has nothing to hold back when everything is out', [tally('sent', 5), tally('failed', 10)], { do: 'wait' }],
    ['is over when everything has ended', [tally('confirmed', 5), tally('failed', 10)], { do: 'settle' }],
  ])('%s', (_what, tallies, verdict) =>
    expect(nextStep(staged({ stopAt, tallies }), at(0), sizes)).toMatchObject(verdict),
  );

  it('counts from where it went on', () => {
    expect(
      nextStep(staged({ stopAt, tallies: [tally('waiting', 5), { ...tally('failed', 10), recent: 0 }] }), at(0), sizes),
    ).toMatchObject({ do: 'release' });
  });
});

it('a very large command goes in steps, and is an ordinary one when its last step is out', () => {
  expect(nextStep(staged({ tallies: [tally('waiting', 15_000), tally('queued', 5000)] }), at(0), sizes)).toEqual({
    do: 'release',
    limit: 5000,
    canary: false,
  });
  expect(nextStep(staged({ tallies: [tally('queued', 20_000)] }), at(0), sizes)).toEqual({ do: 'settle' });
});
