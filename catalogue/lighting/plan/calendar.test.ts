import { describe, expect, it, test } from 'vitest';
import fc from '../../testing/properties.ts';
import { addDays } from '../zone.ts';
import { programmeOn, rulesOn, spansOf, type DayFacts, type HolidayFacts, type LunarDay } from './calendar.ts';
import { calendarProblems, isCalendar } from './calendar-problems.ts';
import { countryOf } from './countries.ts';
import { isRecurrence } from './recurrence-text.ts';
import type { Calendar, CalendarRule, Condition } from './scheme.ts';

/** Announced days around the spring festival and the national day of 2026. */
const announced: Readonly<Record<string, HolidayFacts['classes']>> = {
  ...Object.fromEntries(
    [1, 2, 3, 4, 5, 6, 7].map((day) => [`2026-10-0${day}`, [{ class: 'public' as const, name: '国庆节' }]]),
  ),
  '2026-02-14': [{ class: 'makeupWorkday', name: '春节' }],
  '2026-02-15': [{ class: 'public', name: '春节' }],
  '2026-02-16': [{ class: 'public', name: '春节' }],
  '2026-12-24': [{ class: 'eve', name: '圣诞' }],
};
/** Only these, around 元宵 and 中秋 of 2026, and the leap sixth month of 2025. */
const lunarDays: Readonly<Record<string, LunarDay>> = {
  '2026-02-16': { month: 12, day: 29, leap: false },
  '2026-02-17': { month: 1, day: 1, leap: false },
  '2026-03-02': { month: 1, day: 14, leap: false },
  '2026-03-03': { month: 1, day: 15, leap: false },
  '2026-03-04': { month: 1, day: 16, leap: false },
  '2026-03-05': { month: 1, day: 17, leap: false },
  '2026-09-25': { month: 8, day: 15, leap: false },
  '2025-06-30': { month: 6, day: 6, leap: false },
  '2025-07-30': { month: 6, day: 6, leap: true },
};
const facts: DayFacts = {
  holiday: (day) =>
    day.startsWith('2026') ? { state: 'official', classes: announced[day] ?? [] } : { state: 'unknown', classes: [] },
  lunar: (day) => (day < '2061' ? (lunarDays[day] ?? { month: 7, day: 7, leap: false }) : null),
  recurs: ({ start }, day) => (day < addDays(start, 1826) ? day.endsWith('-13') : null),
};
const calendarOf = (...when: Condition[]): Calendar => ({
  default: 1,
  rules: [{ programme: 2, label: 'x', enabled: true, when }],
});
const holds = (condition: Condition, day: string): boolean => programmeOn(calendarOf(condition), day, facts) === 2;
const yearly = (from: string, to: string, otherwise: 'none' | '02-28' | '03-01' = 'none'): Condition => ({
  kind: 'yearly',
  from,
  to,
  otherwise,
});
const holiday = (of: Extract<Condition, { kind: 'holiday' }>['class'], name: string | null = null): Condition => ({
  kind: 'holiday',
  class: of,
  name,
});
const lunar = (month: number, day: number, span = 1, leap = false): Condition => ({
  kind: 'lunar',
  month,
  day,
  span,
  leap,
});

describe('a condition', () => {
  test.each<[string, Condition, readonly string[], readonly string[]]>([
    ['a date', { kind: 'date', date: '2027-10-01' }, ['2027-10-01'], ['2026-10-01', '2027-10-02']],
    [
      'a range',
      { kind: 'range', from: '2026-12-30', to: '2027-01-02' },
      ['2026-12-30', '2027-01-01', '2027-01-02'],
      ['2026-12-29', '2027-01-03', '2025-12-31'],
    ],
    ['a season', yearly('06-01', '08-31'), ['2026-06-01', '2031-08-31'], ['2026-05-31', '2026-09-01']],
    ['over the new year', yearly('12-20', '01-05'), ['2026-12-20', '2027-01-05'], ['2026-12-19', '2027-01-06']],
    ['29 February alone', yearly('02-29', '02-29'), ['2028-02-29'], ['2027-02-28', '2027-03-01', '2100-02-28']],
    ['else the 28th', yearly('02-29', '02-29', '02-28'), ['2028-02-29', '2027-02-28'], ['2028-02-28', '2027-03-01']],
    ['else the 1st', yearly('02-29', '02-29', '03-01'), ['2028-02-29', '2027-03-01'], ['2028-03-01', '2027-02-28']],
    ['up to 29 February', yearly('02-01', '02-29'), ['2027-02-28', '2028-02-29'], ['2027-03-01']],
    ['weekends', { kind: 'weekdays', days: [6, 7] }, ['2026-11-28', '2026-11-29'], ['2026-11-27', '2026-11-30']],
    [
      'the second Friday of March and June',
      { kind: 'nthWeekday', n: 2, weekday: 5, months: [3, 6] },
      ['2026-03-13', '2026-06-12'],
      ['2026-03-06', '2026-03-20', '2026-04-10', '2026-03-12'],
    ],
    [
      'the fifth Sunday of any month',
      { kind: 'nthWeekday', n: 5, weekday: 7, months: [] },
      ['2026-03-29', '2026-05-31'],
      ['2026-02-22', '2026-03-22'],
    ],
    [
      'the last Sunday of any month',
      { kind: 'nthWeekday', n: -1, weekday: 7, months: [] },
      ['2026-02-22', '2026-03-29', '2028-02-27'],
      ['2026-03-22', '2026-02-15'],
    ],
    ['a public holiday', holiday('public'), ['2026-10-01', '2026-02-16'], ['2026-10-08', '2027-10-01']],
    ['one by its name', holiday('public', '春节'), ['2026-02-15'], ['2026-10-01', '2026-02-14']],
    ['a makeup workday', holiday('makeupWorkday'), ['2026-02-14'], ['2026-02-15', '2026-02-07']],
    ['an eve', holiday('eve'), ['2026-09-30', '2026-02-14', '2026-12-24'], ['2026-10-01', '2026-10-07']],
    ['an eve by its name', holiday('eve', '国庆节'), ['2026-09-30'], ['2026-02-14', '2026-12-24']],
    ['a weekend', holiday('weekend'), ['2026-11-28', '2026-10-03'], ['2026-02-14', '2026-11-27', '2027-11-27']],
    ['a workday', holiday('workday'), ['2026-11-27', '2026-02-14'], ['2026-10-01', '2026-11-28', '2027-11-26']],
    ['元宵', lunar(1, 15), ['2026-03-03'], ['2026-03-02', '2026-03-04']],
    ['元宵 and two days more', lunar(1, 15, 3), ['2026-03-03', '2026-03-05'], ['2026-03-02', '2026-03-06']],
    ['中秋', lunar(8, 15), ['2026-09-25'], ['2026-09-24']],
    ['除夕 of a short month', lunar(12, 30), ['2026-02-16'], ['2026-02-17']],
    ['a leap month when it is not asked', lunar(6, 6), ['2025-06-30'], ['2025-07-30']],
    ['a leap month when it is', lunar(6, 6, 1, true), ['2025-07-30'], ['2025-06-30']],
    [
      'a recurrence',
      { kind: 'rrule', start: '2026-01-01', rrule: 'FREQ=MONTHLY;BYMONTHDAY=13' },
      ['2026-02-13', '2030-12-13'],
      ['2026-02-14', '2031-01-13'],
    ],
  ])('%s', (_what, condition, days, others) => {
    expect(days.filter((day) => !holds(condition, day))).toEqual([]);
    expect(others.filter((day) => holds(condition, day))).toEqual([]);
  });

  it('holds together with a second one only', () => {
    const fridays = calendarOf({ kind: 'weekdays', days: [5] }, yearly('12-01', '12-31'));
    expect(['2026-12-04', '2026-12-05', '2026-11-27'].map((day) => programmeOn(fridays, day, facts))).toEqual([
      2, 1, 1,
    ]);
  });
});

describe('the rules of a day', () => {
  const rule = (programme: number, ...when: Condition[]): CalendarRule => ({
    programme,
    label: `${programme}`,
    enabled: true,
    when,
  });
  const calendar: Calendar = {
    default: 1,
    rules: [
      { ...rule(9, yearly('01-01', '12-31')), enabled: false },
      rule(2, holiday('public')),
      rule(3, yearly('10-01', '10-03')),
      rule(4, { kind: 'weekdays', days: [4] }, holiday('workday')),
      rule(5, lunar(8, 15)),
    ],
  };

  it('name the first that holds, those that lost, and what is not known', () => {
    expect(rulesOn(calendar, '2026-10-01', facts)).toEqual({ programme: 2, winner: 1, lost: [2], unknown: [] });
    expect(rulesOn(calendar, '2026-11-26', facts)).toEqual({ programme: 4, winner: 3, lost: [], unknown: [] });
    expect(rulesOn(calendar, '2026-11-27', facts)).toEqual({ programme: 1, winner: null, lost: [], unknown: [] });
    expect(rulesOn(calendar, '2027-10-01', facts), 'no Thursday: what a holiday is does not matter').toEqual({
      programme: 3,
      winner: 2,
      lost: [],
      unknown: [{ rule: 1, kind: 'holiday' }],
    });
    expect(rulesOn(calendar, '2061-10-06', facts)).toEqual({
      programme: 1,
      winner: null,
      lost: [],
      unknown: [
        { rule: 1, kind: 'holiday' },
        { rule: 3, kind: 'holiday' },
        { rule: 4, kind: 'lunar' },
      ],
    });
  });

  it('leave the eve of an unknown year unanswered', () => {
    const eve = calendarOf(holiday('eve'));
    expect(rulesOn(eve, '2026-12-30', facts).unknown).toEqual([]);
    expect(rulesOn(eve, '2026-12-31', facts)).toMatchObject({ winner: null, unknown: [{ rule: 0, kind: 'holiday' }] });
  });
});

const aDay = fc.integer({ min: 0, max: 2000 }).map((count) => addDays('2025-06-01', count));
const aMonthDay = aDay.map((day) => day.slice(5));
const aCondition: fc.Arbitrary<Condition> = fc.oneof(
  fc.record({ kind: fc.constant('date' as const), date: aDay }),
  fc
    .tuple(aDay, fc.integer({ min: 0, max: 90 }))
    .map(([from, length]): Condition => ({ kind: 'range', from, to: addDays(from, length) })),
  fc.record({
    kind: fc.constant('yearly' as const),
    from: aMonthDay,
    to: aMonthDay,
    otherwise: fc.constantFrom('none' as const, '02-28' as const, '03-01' as const),
  }),
  fc.record({
    kind: fc.constant('weekdays' as const),
    days: fc.uniqueArray(fc.integer({ min: 1, max: 7 }), { minLength: 1 }),
  }),
  fc.record({
    kind: fc.constant('nthWeekday' as const),
    n: fc.constantFrom(1, 2, 3, 4, 5, -1),
    weekday: fc.integer({ min: 1, max: 7 }),
    months: fc.uniqueArray(fc.integer({ min: 1, max: 12 })),
  }),
  fc.constantFrom(holiday('public'), holiday('eve'), holiday('workday'), lunar(1, 15, 3), lunar(12, 30)),
);
const aCalendar: fc.Arbitrary<Calendar> = fc.record({
  default: fc.integer({ min: 1, max: 3 }),
  rules: fc.array(
    fc.record({
      programme: fc.integer({ min: 1, max: 3 }),
      label: fc.constant('x'),
      enabled: fc.boolean(),
      when: fc.array(aCondition, { minLength: 1, maxLength: 2 }),
    }),
    { maxLength: 8 },
  ),
});

test('spans say of every day what the day itself says, without a gap, and neighbours differ', () => {
  fc.assert(
    fc.property(aCalendar, aDay, fc.integer({ min: 1, max: 150 }), (calendar, from, days) => {
      const spans = spansOf(calendar, from, days, facts);
      const told = spans.flatMap(({ from: first, to, programme }) => {
        const of: string[] = [];
        for (let day = first; day <= to; day = addDays(day, 1)) of.push(`${day} ${programme}`);
        return of;
      });
      const asked = Array.from({ length: days }, (_, place) => addDays(from, place));
      expect(told).toEqual(asked.map((day) => `${day} ${programmeOn(calendar, day, facts)}`));
      expect(spans.some(({ programme }, place) => spans[place + 1]?.programme === programme)).toBe(false);
      expect(asked.map((day) => rulesOn(calendar, day, facts).programme)).toEqual(
        asked.map((day) => programmeOn(calendar, day, facts)),
      );
      expect(isCalendar(calendar, [1, 2, 3])).toBe(true);
    }),
  );
});

describe('what is wrong with a calendar', () => {
  const told = (calendar: unknown) => calendarProblems(calendar, [1, 2]).map(({ field, rule }) => `${field} ${rule}`);

  it('is said all at once, each by the path of its field', () => {
    expect(
      told({
        default: 3,
        extra: 1,
        rules: [
          { programme: 1, label: ' ', enabled: 'yes', when: [] },
          { programme: 9, label: 'x'.repeat(61), enabled: true, when: [{ kind: 'never' }, { kind: 'date' }] },
          {
            programme: 2,
            label: 'x',
            enabled: true,
            when: [
              { kind: 'range', from: '2027-02-10', to: '2027-02-01' },
              { kind: 'date', date: '2027-02-29', to: '2027-03-01' },
            ],
          },
          {
            programme: 2,
            label: 'x',
            enabled: true,
            when: [
              { kind: 'yearly', from: '02-29', to: '2-30', otherwise: 'all' },
              { kind: 'weekdays', days: [1, 8] },
            ],
          },
          {
            programme: 2,
            label: 'x',
            enabled: true,
            when: [
              { kind: 'nthWeekday', n: 6, weekday: 1.5, months: [1, 1] },
              { kind: 'holiday', class: 'bank', name: '' },
            ],
          },
          {
            programme: 2,
            label: 'x',
            enabled: true,
            when: [
              { kind: 'lunar', month: 13, day: 31, span: 0 },
              { kind: 'rrule', start: 'soon', rrule: 'FREQ=HOURLY' },
            ],
          },
          null,
        ],
      }),
    ).toEqual([
      'calendar.default option',
      'calendar.extra unknown',
      'calendar.rules.0.label required',
      'calendar.rules.0.enabled type',
      'calendar.rules.0.when entries',
      'calendar.rules.1.programme option',
      'calendar.rules.1.label maxLength',
      'calendar.rules.1.when.0.kind option',
      'calendar.rules.1.when.1.date required',
      'calendar.rules.2.when.0.to notBefore',
      'calendar.rules.2.when.1.date date',
      'calendar.rules.2.when.1.to unknown',
      'calendar.rules.3.when.0.to monthDay',
      'calendar.rules.3.when.0.otherwise option',
      'calendar.rules.3.when.1.days range',
      'calendar.rules.4.when.0.n option',
      'calendar.rules.4.when.0.weekday whole',
      'calendar.rules.4.when.0.months twice',
      'calendar.rules.4.when.1.class option',
      'calendar.rules.4.when.1.name required',
      'calendar.rules.5.when.0.month range',
      'calendar.rules.5.when.0.day range',
      'calendar.rules.5.when.0.span range',
      'calendar.rules.5.when.0.leap type',
      'calendar.rules.5.when.1.start date',
      'calendar.rules.5.when.1.rrule recurrence',
      'calendar.rules.6 type',
    ]);
  });

  it('is the number of rules, and of recurrences', () => {
    const rule = { programme: 1, label: 'x', enabled: true, when: [{ kind: 'weekdays', days: [1] }] };
    expect(told({ default: 1, rules: Array.from({ length: 61 }, () => rule) })).toEqual(['calendar.rules entries']);
    const often = { ...rule, when: [{ kind: 'rrule', start: '2026-01-01', rrule: 'FREQ=DAILY' }] };
    expect(told({ default: 1, rules: Array.from({ length: 11 }, () => often) })).toEqual([
      'calendar.rules.10.when.0.rrule entries',
    ]);
    expect([told(undefined), told({ default: 1 }), told({ default: 1, rules: [] })]).toEqual([
      ['calendar required'],
      ['calendar.rules required'],
      [],
    ]);
  });

  test.each([
    ['FREQ=DAILY', true],
    ['RRULE:FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,FR;WKST=SU', true],
    ['freq=monthly;byday=1fr,-1su;count=10', true],
    ['FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=-1;UNTIL=20300301', true],
    ['FREQ=HOURLY', false],
    ['FREQ=DAILY;BYHOUR=3', false],
    ['FREQ=DAILY;FREQ=WEEKLY', false],
    ['FREQ=DAILY;COUNT=2;UNTIL=20300301', false],
    ['FREQ=DAILY;BYDAY=1MO', false],
    ['FREQ=DAILY;INTERVAL=0', false],
    ['FREQ=DAILY;COUNT=99999999', false],
    ['FREQ=YEARLY;UNTIL=20300230', false],
    ['FREQ=YEARLY;BYDAY=54MO', false],
    ['INTERVAL=2', false],
    ['FREQ=__proto__', false],
    ['FREQ=DAILY;', false],
    ['FREQ=DAILY;EXDATE=20300301', false],
  ])('%s is taken: %s', (rrule, taken) => expect(isRecurrence(rrule)).toBe(taken));
});

test('the time zone of a work area tells its country, or none', () => {
  expect(
    ['Asia/Shanghai', 'Asia/Taipei', 'Asia/Tokyo', 'Asia/Seoul', 'Europe/Paris', 'Europe/Berlin'].map(countryOf),
  ).toEqual(['CN', 'TW', 'JP', 'KR', 'FR', null]);
});
