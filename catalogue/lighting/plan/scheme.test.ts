import { describe, expect, test } from 'vitest';
import fc from '../../testing/properties.ts';
import { darkestMean, floorFindings } from '../floors.ts';
import { canonicalJson, threeWay } from './canonical.ts';
import type { PlanMode, Programme } from './programme.ts';
import type { SchemeContent } from './scheme.ts';
import { isSchemeContent, periodsOf, schemeProblems } from './scheme-problems.ts';

const clock = { at: '18:00', offsetMinutes: 0, notBefore: null, notAfter: null, light: null };
const light = { lux: 20, sensitivity: null, beforeMinutes: 30, afterMinutes: 20, delayMinutes: 10 };
const period = { start: 'on', level: 100, pattern: 'all', rampSeconds: 0 } as const;
const programme = (more: Partial<Programme> = {}): Programme => ({
  on: clock,
  off: { ...clock, at: '06:00' },
  periods: [period],
  minimumMinutes: 10,
  ...more,
});
const scheme = (mode: PlanMode, one: Programme = programme()): SchemeContent => ({
  mode,
  programmes: [{ key: 1, name: '平日', programme: one }],
  calendar: { rules: [], default: 1 },
  rotation: 'weekly',
  floorExceptions: [],
});
const named = (content: unknown) => schemeProblems(content).map(({ field, rule }) => `${field} ${rule}`);
const late = { ...period, start: { at: '23:00', offsetMinutes: 0 } };

describe('the four modes', () => {
  const at = 'programmes.0.programme';
  test.each<[PlanMode, Partial<Programme>, string[]]>([
    ['manual', {}, []],
    ['manual', { on: { ...clock, at: 'sunset' } }, [`${at}.on.at clockOnly`]],
    ['manual', { off: { ...clock, light } }, [`${at}.off.light clockOnly`]],
    ['manual', { periods: [period, late] }, [`${at}.periods entries`]],
    ['energySaving', { on: { ...clock, at: 'sunset', light }, periods: [period, late] }, []],
    ['energySaving', { periods: [{ ...period, pattern: 'alternateOne' }] }, [`${at}.periods.0.pattern option`]],
    ['alternateOne', {}, [`${at}.periods patternMissing`]],
    ['alternateOne', { periods: [period, { ...late, pattern: 'alternateOne' }] }, []],
    [
      'alternateOne',
      { periods: [{ ...period, pattern: 'alternateTwo' }] },
      [`${at}.periods.0.pattern option`, `${at}.periods patternMissing`],
    ],
    ['alternateTwo', { periods: [{ ...period, pattern: 'alternateTwo' }] }, []],
  ])('%s %j', (mode, more, problems) => expect(named(scheme(mode, programme(more)))).toEqual(problems));

  test('a manual programme has one period, the others up to six', () => {
    expect(periodsOf('manual')).toEqual({ min: 1, max: 1 });
    expect(periodsOf('energySaving').max).toBe(6);
  });
});

test('keys, names and classes are given once, and rules name programmes that there are', () => {
  const [one] = scheme('energySaving').programmes;
  const exception = { roadClass: 'branch', reason: '居民要求调暗' };
  expect(
    named({
      ...scheme('energySaving'),
      programmes: [one, one],
      calendar: { rules: [], default: 4 },
      floorExceptions: [exception, exception],
    }),
  ).toEqual([
    'calendar.default option',
    'programmes.1.key twice',
    'programmes.1.name twice',
    'floorExceptions.1.roadClass twice',
  ]);
});

test('whatever it is given, it answers with problems and never throws', () => {
  fc.assert(
    fc.property(
      fc.anything(),
      fc.constantFrom('mode', 'programmes', 'calendar', 'rotation', 'floorExceptions'),
      (value, name) => {
        expect(isSchemeContent(value)).toBe(false);
        const problems = schemeProblems({ ...scheme('energySaving'), [name]: value });
        // Without programmes the calendar’s default names none.
        for (const { field } of problems) expect([name, 'calendar']).toContain(field.split('.')[0]);
      },
    ),
  );
});

test('canonical JSON is the same whatever the order of members, and reads back to the same', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (value) => {
      const turned = Object.fromEntries(Object.entries(value).toReversed());
      expect(canonicalJson(turned)).toBe(canonicalJson(value));
      expect(JSON.parse(canonicalJson(value))).toEqual(JSON.parse(JSON.stringify(value)));
    }),
  );
});

describe('three-way difference', () => {
  test('says who changed what, once', () => {
    const base = { a: 1, b: [1, 2], c: { d: 1, e: 1 }, f: 1 };
    expect(threeWay(base, { ...base, a: 2, c: { d: 2, e: 2 } }, { ...base, b: [1, 3], c: { d: 3, e: 2 } })).toEqual({
      onlyTheirs: ['a'],
      onlyMine: ['b.1'],
      both: ['c.d'],
    });
    expect(threeWay(base, { ...base, b: [1] }, { ...base, f: 2 })).toMatchObject({
      onlyTheirs: ['b'],
      onlyMine: ['f'],
    });
    expect(threeWay(null, { a: 1 }, { a: 2 })).toMatchObject({ both: [''] });
  });

  test('swaps with the two sides, and is empty where they agree', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), fc.jsonValue(), (base, one, two) => {
        const [there, back] = [threeWay(base, one, two), threeWay(base, two, one)];
        expect([back.onlyMine, back.onlyTheirs, back.both]).toEqual([there.onlyTheirs, there.onlyMine, there.both]);
        expect(threeWay(base, one, one)).toEqual({ onlyTheirs: [], onlyMine: [], both: [] });
      }),
    );
  });
});

describe('floors', () => {
  test('are judged on the darkest three neighbours of a row', () => {
    expect([darkestMean(90, 'all'), darkestMean(90, 'alternateOne'), darkestMean(100, 'alternateTwo')]).toEqual([
      90, 30, 33.3,
    ]);
    const alternating = scheme('alternateOne', programme({ periods: [{ ...period, pattern: 'alternateOne' }] }));
    expect(floorFindings(alternating).map(({ roadClass, level }) => [roadClass, level])).toEqual([
      ['expressway', 33.3],
      ['arterial', 33.3],
      ['secondary', 33.3],
    ]);
  });
});
