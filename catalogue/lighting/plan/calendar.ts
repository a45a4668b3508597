import { addDays, type Day } from '../zone.ts';
import type { Calendar, Condition, HolidayClass } from './scheme.ts';

/** Which programme a calendar chooses for a lighting day: the day is the date of its evening. */

/** What a country says of a year: announced, worked out, or not known. */
export const yearStates = ['official', 'estimated', 'unknown'] as const;
export type YearState = (typeof yearStates)[number];

/** The classes that a table of holidays holds; the others follow from the weekday. */
export const tableClasses = ['public', 'makeupWorkday', 'eve'] as const satisfies readonly HolidayClass[];
export type TableClass = (typeof tableClasses)[number];

export interface HolidayFacts {
  readonly state: YearState;
  readonly classes: readonly { readonly class: TableClass; readonly name: string }[];
}
export interface LunarDay {
  readonly month: number;
  readonly day: number;
  readonly leap: boolean;
}
export type Recurrence = Extract<Condition, { readonly kind: 'rrule' }>;

/** What a calendar asks of a day. The caller brings it: browsers load neither lunar tables nor recurrence. */
export interface DayFacts {
  readonly holiday: (day: Day) => HolidayFacts;
  /** Null: beyond the table. */
  readonly lunar: (day: Day) => LunarDay | null;
  /** Null: beyond the horizon. */
  readonly recurs: (rule: Recurrence, day: Day) => boolean | null;
}

/** Kinds of conditions that a day may not be able to answer. */
export type UnknownKind = Extract<Condition['kind'], 'holiday' | 'lunar' | 'rrule'>;

export interface DayRules {
  readonly programme: number;
  /** The place of the rule that wins; null: none holds, the default programme does. */
  readonly winner: number | null;
  /** Places of the rules that hold too. */
  readonly lost: readonly number[];
  /** Rules that do not hold because what they ask is not known. */
  readonly unknown: readonly { readonly rule: number; readonly kind: UnknownKind }[];
}

export interface ProgrammeSpan {
  readonly from: Day;
  /** The last day. */
  readonly to: Day;
  readonly programme: number;
}

/** 1 Monday to 7 Sunday. */
const weekdayOf = (day: Day): number => new Date(`${day}T00:00:00Z`).getUTCDay() || 7;
const monthOf = (day: Day): number => Number(day.slice(5, 7));
const dayOfMonth = (day: Day): number => Number(day.slice(8));
const isLeapYear = (year: number): boolean => (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
const daysIn = (day: Day): number => new Date(Date.UTC(Number(day.slice(0, 4)), monthOf(day), 0)).getUTCDate();

function holdsYearly({ from, to, otherwise }: Extract<Condition, { readonly kind: 'yearly' }>, day: Day): boolean {
  const moved = (end: string): string =>
    end === '02-29' && otherwise !== 'none' && !isLeapYear(Number(day.slice(0, 4))) ? otherwise : end;
  const [first, last, asked] = [moved(from), moved(to), day.slice(5)];
  return first <= last ? asked >= first && asked <= last : asked >= first || asked <= last;
}

function holdsNth({ n, weekday, months }: Extract<Condition, { readonly kind: 'nthWeekday' }>, day: Day): boolean {
  if (weekdayOf(day) !== weekday || (months.length > 0 && !months.includes(monthOf(day)))) return false;
  const date = dayOfMonth(day);
  return n === -1 ? date + 7 > daysIn(day) : Math.ceil(date / 7) === n;
}

/** Null: the year of the day, or of the day after it for an eve, is not known. */
function holdsHoliday(
  { class: asked, name }: Extract<Condition, { readonly kind: 'holiday' }>,
  day: Day,
  facts: DayFacts,
): boolean | null {
  const { state, classes } = facts.holiday(day);
  if (state === 'unknown') return null;
  const has = (which: TableClass): boolean => classes.some((one) => one.class === which);
  const weekend = weekdayOf(day) > 5;
  switch (asked) {
    case 'weekend':
      return weekend && !has('makeupWorkday');
    case 'workday':
      return has('makeupWorkday') || (!weekend && !has('public'));
    case 'eve': {
      if (classes.some((one) => one.class === 'eve' && (name === null || one.name === name))) return true;
      if (has('public')) return false;
      const next = facts.holiday(addDays(day, 1));
      if (next.state === 'unknown') return null;
      return next.classes.some((one) => one.class === 'public' && (name === null || one.name === name));
    }
    default:
      return classes.some((one) => one.class === asked && (name === null || one.name === name));
  }
}

function holdsLunar(
  { month, day: asked, span, leap }: Extract<Condition, { readonly kind: 'lunar' }>,
  day: Day,
  { lunar }: DayFacts,
): boolean | null {
  let known = true;
  for (let before = 0; before < span; before += 1) {
    const begins = addDays(day, -before);
    const found = lunar(begins);
    if (found === null) known = false;
    else if (found.month === month && found.leap === leap) {
      if (found.day === asked) return true;
      if (asked === 30 && found.day === 29 && lunar(addDays(begins, 1))?.day === 1) return true;
    }
  }
  return known ? false : null;
}

/** Null: not known. */
function holds(condition: Condition, day: Day, facts: DayFacts): boolean | null {
  switch (condition.kind) {
    case 'date':
      return day === condition.date;
    case 'range':
      return day >= condition.from && day <= condition.to;
    case 'yearly':
      return holdsYearly(condition, day);
    case 'weekdays':
      return condition.days.includes(weekdayOf(day));
    case 'nthWeekday':
      return holdsNth(condition, day);
    case 'holiday':
      return holdsHoliday(condition, day, facts);
    case 'lunar':
      return holdsLunar(condition, day, facts);
    case 'rrule':
      return facts.recurs(condition, day);
  }
}

const canBeUnknown = (kind: Condition['kind']): kind is UnknownKind =>
  kind === 'holiday' || kind === 'lunar' || kind === 'rrule';

/** True, false, or what is not known; a condition that is false decides whatever the other one would say. */
function ruleHolds(when: readonly Condition[], day: Day, facts: DayFacts): boolean | UnknownKind {
  let answer: boolean | UnknownKind = true;
  for (const condition of when) {
    const held = holds(condition, day, facts);
    if (held === false) return false;
    if (held === null && canBeUnknown(condition.kind)) answer = condition.kind;
  }
  return answer;
}

/** Everything the rules say of a day: which hold, which wins, which lost, which cannot be answered. */
export function rulesOn(calendar: Calendar, day: Day, facts: DayFacts): DayRules {
  const held: number[] = [];
  const unknown: { rule: number; kind: UnknownKind }[] = [];
  for (const [rule, { enabled, when }] of calendar.rules.entries()) {
    const answer = enabled && ruleHolds(when, day, facts);
    if (answer === true) held.push(rule);
    else if (answer !== false) unknown.push({ rule, kind: answer });
  }
  const [winner = null, ...lost] = held;
  const programme = winner === null ? undefined : calendar.rules[winner]?.programme;
  return { programme: programme ?? calendar.default, winner, lost, unknown };
}

/** The key of the programme of a day. */
export const programmeOn = (calendar: Calendar, day: Day, facts: DayFacts): number =>
  calendar.rules.find(({ enabled, when }) => enabled && ruleHolds(when, day, facts) === true)?.programme ??
  calendar.default;

/** The programmes of so many days from `from` on, neighbours with the same one merged. */
export function spansOf(calendar: Calendar, from: Day, days: number, facts: DayFacts): ProgrammeSpan[] {
  const spans: ProgrammeSpan[] = [];
  for (let day = from, left = days; left > 0; day = addDays(day, 1), left -= 1) {
    const programme = programmeOn(calendar, day, facts);
    const last = spans.at(-1);
    if (last?.programme === programme) spans[spans.length - 1] = { ...last, to: day };
    else spans.push({ from: day, to: day, programme });
  }
  return spans;
}
