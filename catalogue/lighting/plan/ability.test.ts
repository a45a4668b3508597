import { expect, it } from 'vitest';
import { canFollow, hasLevels, needsOf, type PlanAbilities } from './ability.ts';
import { exampleProgramme } from './examples.ts';
import type { Period, Programme } from './programme.ts';

const all: PlanAbilities = { periods: 6, calendar: true, light: false, cycle: true };
const steady = (level: number): Programme => ({
  ...exampleProgramme(),
  periods: [{ start: 'on', level, pattern: 'all', rampSeconds: 0 }],
});
const everySecond: Programme = {
  ...steady(100),
  periods: steady(100).periods.map((period): Period => ({ ...period, pattern: 'alternateOne' })),
};

it('a plan asks for the periods of its longest programme, a calendar, patterns, levels', () => {
  expect(needsOf([exampleProgramme(60)])).toEqual({ periods: 2, calendar: false, cycle: false, dimming: true });
  expect(needsOf([steady(100), everySecond])).toEqual({ periods: 1, calendar: true, cycle: true, dimming: false });
  expect(needsOf([])).toEqual({ periods: 0, calendar: false, cycle: false, dimming: false });
});

it.each([
  ['everything', all, true],
  ['nothing said', undefined, false],
  ['as many periods', { ...all, periods: 2 }, true],
  ['a period less', { ...all, periods: 1 }, false],
  ['one programme alone', { ...all, calendar: false }, false],
  ['no patterns', { ...all, cycle: false }, false],
])('a device follows two programmes with patterns and two periods by itself: %s', (_name, said, follows) => {
  expect(canFollow(said, needsOf([exampleProgramme(60), everySecond]))).toBe(follows);
});

it('what a plan does not ask for is not missed', () => {
  const least = { periods: 1, calendar: false, light: false, cycle: false };
  expect(canFollow(least, needsOf([steady(60)]))).toBe(true);
});

it('a lamp that only switches has no level between dark and full', () => {
  const [dimmed, full] = [needsOf([exampleProgramme(60)]), needsOf([exampleProgramme(0)])];
  expect([hasLevels('switch', dimmed), hasLevels('switch', full)]).toEqual([false, true]);
  expect([hasLevels('dali', dimmed), hasLevels(null, dimmed)]).toEqual([true, true]);
});
