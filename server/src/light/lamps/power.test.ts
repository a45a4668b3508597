import { expect, it } from 'vitest';
import { nextSwitchOf, powerOf } from './power.ts';

const hour = 3_600_000;
/** Tonight from 18 to 6 o'clock, counted from midnight before. */
const night = { from: 18 * hour, to: 30 * hour };
const plan = { lit: [night], planned: [night] };
/** The same night, dark from 23 to 5 o'clock. */
const darkened = {
  lit: [
    { from: 18 * hour, to: 23 * hour },
    { from: 29 * hour, to: 30 * hour },
  ],
  planned: [night],
};
const feed = (part: object = {}) => ({ lighting: null, contactor: null, contactorAt: null, ...part });
const at = (hours: number, part: object) => powerOf(feed(part), plan, hours * hour, hour / 4);

it.each([
  ['a loop of which nothing is known', 12, {}, null],
  ['an all-night loop by day', 12, { lighting: 'all_night' }, { on: false, since: null, by: 'plan' }],
  ['an all-night loop at night', 20, { lighting: 'all_night' }, { on: true, since: night.from, by: 'plan' }],
  ['a half-night loop before midnight', 23, { lighting: 'half_night' }, { on: true, since: night.from, by: 'plan' }],
  ['a half-night loop after midnight', 25, { lighting: 'half_night' }, { on: false, since: null, by: 'plan' }],
  [
    'its contactor is closed by day',
    12,
    { lighting: 'all_night', contactor: true, contactorAt: 12 * hour },
    { on: true, since: null, by: 'contactor' },
  ],
  [
    'its contactor is open at night',
    20,
    { lighting: 'all_night', contactor: false, contactorAt: 20 * hour },
    { on: false, since: null, by: 'contactor' },
  ],
  [
    'a contactor that nobody has heard of lately',
    20,
    { lighting: 'all_night', contactor: false, contactorAt: 19 * hour },
    { on: true, since: night.from, by: 'plan' },
  ],
  ['a contactor alone, long ago', 20, { contactor: false, contactorAt: 2 * hour }, null],
] as const)('%s', (_what, hours, part, expected) => {
  expect(at(hours, part)).toEqual(expected);
});

it('the plan changes at its switches, and in the middle of the night', () => {
  expect(nextSwitchOf(plan, 12 * hour)).toBe(night.from);
  expect(nextSwitchOf(plan, night.from)).toBe(24 * hour);
  expect(nextSwitchOf(plan, 24 * hour)).toBe(night.to);
  expect(nextSwitchOf(plan, night.to)).toBe(Number.POSITIVE_INFINITY);
});

it('a dark stretch of the lamps takes no power from their loop, and has its own switches', () => {
  const loop = (hours: number, lighting: string) => powerOf(feed({ lighting }), darkened, hours * hour, hour / 4)?.on;
  expect([23.5, 26, 29.5].map((hours) => loop(hours, 'all_night'))).toEqual([true, true, true]);
  // The middle of the night, not of what is lit before midnight.
  expect([21, 23.5, 24.5, 29.5].map((hours) => loop(hours, 'half_night'))).toEqual([true, true, false, false]);
  expect(nextSwitchOf(darkened, 19 * hour)).toBe(23 * hour);
  expect(nextSwitchOf(darkened, 25 * hour)).toBe(29 * hour);
});
