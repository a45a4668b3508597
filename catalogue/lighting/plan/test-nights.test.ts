import { describe, expect, it } from 'vitest';
import { hangzhou, newYork } from '../../testing/nights.ts';
import { addDays, type Day } from '../zone.ts';
import type { DayFacts, HolidayFacts } from './calendar.ts';
import { calendarFindings } from './calendar-findings.ts';
import { exampleScheme } from './examples.ts';
import type { CalendarRule, Condition } from './scheme.ts';
import { testNights } from './test-nights.ts';

const span = (from: Day, days: number): Day[] => Array.from({ length: days }, (_, index) => addDays(from, index));
const known: HolidayFacts = { state: 'official', classes: [] };
const facts: DayFacts = {
  holiday: (day) => (day < '2027' ? known : { state: 'unknown', classes: [] }),
  lunar: () => null,
  recurs: () => null,
};
const rule = (label: string, ...when: Condition[]): CalendarRule => ({ programme: 2, label, enabled: true, when });
const found = (rules: readonly CalendarRule[], from: Day, days: number) =>
  calendarFindings({ ...exampleScheme().calendar, rules }, span(from, days), facts).map(
    ({ code, rule: label, first, nights }) => `${code} ${label} ${first} ${nights}`,
  );

describe('what a calendar leaves open', () => {
  it('rules about a year whose holidays nobody knows, from its first day', () => {
    const rules = [
      rule('国庆', { kind: 'holiday', class: 'public', name: '国庆节' }),
      rule('周末', { kind: 'weekdays', days: [6, 7] }),
    ];
    expect(found(rules, '2026-12-01', 62)).toEqual(['unknownHolidays 国庆 2027-01-01 31']);
    expect(found([rule('元宵', { kind: 'lunar', month: 1, day: 15, span: 1, leap: false })], '2026-12-01', 2)).toEqual([
      'unknownDays 元宵 2026-12-01 2',
    ]);
  });

  it('29 February in years without it, and a rule that leaves it out', () => {
    const yearly = (from: string, to: string, otherwise: 'none' | '02-28' = 'none') =>
      rule('冬', { kind: 'yearly', from, to, otherwise });
    expect(found([yearly('02-29', '02-29')], '2026-01-01', 365)).toEqual(['leapDay 冬 2026-02-28 1']);
    expect(found([yearly('02-29', '02-29', '02-28')], '2026-01-01', 365)).toEqual([]);
    expect(found([yearly('02-29', '02-29')], '2028-01-01', 366)).toEqual([]);
    expect(found([yearly('11-01', '02-28')], '2028-01-01', 366)).toEqual(['leapDay 冬 2028-02-29 1']);
    expect(found([{ ...yearly('02-29', '02-29'), enabled: false }], '2026-01-01', 365)).toEqual([]);
  });
});

describe('nights to look at', () => {
  it('the turns of the sun and the year, both changes of the clock, the next 29 February, what the calendar brings', () => {
    const nights = testNights(newYork, '2026-11-25', { change: '2026-12-01', holiday: '2026-12-25' });
    expect(nights.map(({ kind, day }) => `${kind} ${day}`)).toEqual([
      'first 2026-11-25',
      'saturday 2026-11-28',
      'change 2026-12-01',
      'decemberSolstice 2026-12-21',
      'holiday 2026-12-25',
      'yearEnd 2026-12-31',
      'clockForward 2027-03-13',
      'marchEquinox 2027-03-20',
      'juneSolstice 2027-06-21',
      'septemberEquinox 2027-09-23',
      'clockBack 2027-11-06',
      'leapDay 2028-02-29',
    ]);
  });

  it('each date once, and no clock that does not change', () => {
    const nights = testNights(hangzhou, '2026-12-26', { change: null, holiday: '2026-12-31' });
    expect(nights.map(({ kind }) => kind)).toEqual([
      'first',
      'yearEnd',
      'marchEquinox',
      'juneSolstice',
      'septemberEquinox',
      'decemberSolstice',
      'leapDay',
    ]);
  });
});
