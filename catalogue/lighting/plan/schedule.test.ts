import { describe, expect, it } from 'vitest';
import { exampleProgramme } from './examples.ts';
import { defaultProgramme } from './table.ts';
import { schemeProblems } from './scheme-problems.ts';
import {
  contentOfSchedule,
  coordinateProblems,
  isSchedule,
  programmeOfSchedule,
  scheduleOfProgramme,
  scheduleProblems,
  usualSchedule,
  type Schedule,
} from './schedule.ts';

const range = (start: string, level: number, alternate = false) => ({ start, level, alternate });
const schedules: readonly (readonly [string, Schedule])[] = [
  ['energy saving', { ...usualSchedule, ranges: [range('on', 100), range('23:00', 60), range('05:00', 80)] }],
  ['manual', { ...usualSchedule, workMode: 'manual', startTime: '18:30', endTime: '05:45', ranges: [range('on', 70)] }],
  [
    'alternate one',
    { ...usualSchedule, workMode: 'alternateOne', ranges: [range('on', 100), range('22:00', 90, true)] },
  ],
  ['alternate two', { ...usualSchedule, workMode: 'alternateTwo', ranges: [range('on', 100, true)] }],
  ['delays', { ...usualSchedule, sunsetDelayMinutes: -240, sunriseDelayMinutes: 240 }],
  [
    'pure light control',
    { ...usualSchedule, control: 'light', onDelayMinutes: 0, offDelayMinutes: 30, lux: 40, sensitivity: 255 },
  ],
];

describe('settings', () => {
  it.each(schedules)('%s: a sound scheme comes of them, and they come back from its programme', (_name, schedule) => {
    expect(scheduleProblems(schedule)).toEqual([]);
    const content = contentOfSchedule(schedule, 'x');
    expect(schemeProblems(content)).toEqual([]);
    expect(scheduleOfProgramme(programmeOfSchedule(schedule), schedule.workMode)).toEqual({ schedule, exact: true });
  });

  it('of another programme are the closest ones, which are settings too, and say that they are not all', () => {
    expect(scheduleOfProgramme(defaultProgramme, 'energySaving').exact).toBe(true);
    const dusk = { ...exampleProgramme(), on: { ...exampleProgramme().on, at: 'dusk', notBefore: '17:00' } };
    const middle = {
      ...exampleProgramme(),
      periods: [
        ...exampleProgramme().periods,
        { ...exampleProgramme().periods[0]!, start: { at: 'middle', offsetMinutes: 9 } },
      ],
    };
    const half = {
      ...exampleProgramme(),
      off: {
        ...exampleProgramme().off,
        light: { lux: 9, sensitivity: null, beforeMinutes: 5, afterMinutes: 5, delayMinutes: 1 },
      },
    };
    for (const [programme, mode] of [
      [dusk, 'energySaving'],
      [middle, 'energySaving'],
      [half, 'energySaving'],
    ] as const) {
      const { schedule, exact } = scheduleOfProgramme(programme, mode);
      expect([isSchedule(schedule), exact]).toEqual([true, false]);
    }
  });

  it('from outside are never more than a list of problems', () => {
    for (const value of [null, 1, 'x', [], undefined])
      expect(scheduleProblems(value)).toEqual([{ field: '', rule: 'complete' }]);
    expect(scheduleProblems({}).map(({ rule }) => rule)).not.toContain('type');
    expect(
      scheduleProblems({ ...usualSchedule, ranges: [null, { start: 5, level: 'x', alternate: 1 }] }),
    ).toMatchObject([
      { field: 'ranges.0', rule: 'complete' },
      { field: 'ranges.1.start', rule: 'time' },
      { field: 'ranges.1.level', rule: 'type' },
      { field: 'ranges.1.alternate', rule: 'option' },
    ]);
    expect(scheduleProblems({ ...usualSchedule, startTime: 'x' })).toEqual([{ field: 'startTime', rule: 'time' }]);
  });
});

it('coordinates are both there and inside their limits; 0 and 0 is the place of nothing', () => {
  const rules = (latitude: unknown, longitude: unknown) =>
    coordinateProblems(latitude, longitude).map(({ field }) => field);
  for (const [latitude, longitude] of [
    [90, 180],
    [-90, -180],
    [0, 1],
  ])
    expect(rules(latitude, longitude)).toEqual([]);
  expect(rules(90.001, 180)).toEqual(['latitude']);
  expect(rules(-90, -180.001)).toEqual(['longitude']);
  for (const [latitude, longitude] of [
    [0, 0],
    [null, undefined],
    [Number.NaN, 'x'],
  ])
    expect(rules(latitude, longitude)).toEqual(['latitude', 'longitude']);
});
