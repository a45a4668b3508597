import type { Fault, Problem } from '../../fields/kind.ts';
import { planLimits } from '../limits.ts';
import { isRecurrence } from './recurrence-text.ts';
import { holidayClasses, type Calendar, type Condition } from './scheme.ts';

/** What is wrong with a calendar, everything at once. */

type Check = (value: unknown) => Fault | null;
type Fields = Readonly<Record<string, unknown>>;
const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
/** A part of the path that holds what is wrong inside it. */
type Inside = (path: string, value: unknown, problems: Problem[]) => void;

const whole =
  ({ min, max }: { readonly min: number; readonly max: number }): Check =>
  (value) => {
    if (value === undefined || value === null) return { rule: 'required' };
    if (typeof value !== 'number' || !Number.isInteger(value)) return { rule: 'whole' };
    return value < min || value > max ? { rule: 'range', params: { min, max } } : null;
  };

const oneOf =
  (values: readonly unknown[]): Check =>
  (value) =>
    values.includes(value) ? null : { rule: value === undefined || value === '' ? 'required' : 'option' };

const text =
  ({ max }: { readonly max: number }): Check =>
  (value) => {
    if (typeof value !== 'string') return { rule: value === undefined || value === null ? 'required' : 'type' };
    if (value.trim() === '') return { rule: 'required' };
    return [...value].length > max ? { rule: 'maxLength', params: { max } } : null;
  };

const flag: Check = (value) => (typeof value === 'boolean' ? null : { rule: 'type' });

/** Days of the months; a leap year, so that 02-29 is one. */
const leapYear = '2024';
const isDay = (value: string): boolean =>
  /^\d{4}-\d\d-\d\d$/.test(value) &&
  Number.isFinite(Date.parse(value)) &&
  new Date(value).toISOString().startsWith(value);

const dated =
  (rule: 'date' | 'monthDay', complete: (value: string) => string): Check =>
  (value) => {
    if (value === undefined || value === null || value === '') return { rule: 'required' };
    return typeof value === 'string' && isDay(complete(value)) ? null : { rule };
  };
const date = dated('date', (value) => value);
const monthDay = dated('monthDay', (value) => `${leapYear}-${value}`);

/** Each one once; at most as many as there are. */
const numbers =
  (least: number, bounds: { readonly min: number; readonly max: number }): Check =>
  (value) => {
    if (!Array.isArray(value)) return { rule: value === undefined ? 'required' : 'type' };
    const given: readonly unknown[] = value;
    const most = bounds.max - bounds.min + 1;
    if (given.length < least) return { rule: 'required' };
    if (given.length > most) return { rule: 'entries', params: { min: least, max: most } };
    const wrong = given.map(whole(bounds)).find((fault) => fault !== null);
    return wrong ?? (new Set(given).size < given.length ? { rule: 'twice' } : null);
  };

const recurrence: Check = (value) => {
  const fault = text(planLimits.recurrenceText)(value);
  return fault ?? (typeof value === 'string' && isRecurrence(value) ? null : { rule: 'recurrence' });
};

/** What each kind of condition consists of. */
const members: {
  readonly [K in Condition['kind']]: Readonly<Record<Exclude<keyof Extract<Condition, { kind: K }>, 'kind'>, Check>>;
} = {
  date: { date },
  range: { from: date, to: date },
  yearly: { from: monthDay, to: monthDay, otherwise: oneOf(['none', '02-28', '03-01']) },
  weekdays: { days: numbers(1, { min: 1, max: 7 }) },
  nthWeekday: {
    n: oneOf([1, 2, 3, 4, 5, -1]),
    weekday: whole({ min: 1, max: 7 }),
    months: numbers(0, { min: 1, max: 12 }),
  },
  holiday: {
    class: oneOf(holidayClasses),
    name: (value) => (value === null ? null : text(planLimits.holidayName)(value)),
  },
  lunar: {
    month: whole({ min: 1, max: 12 }),
    day: whole({ min: 1, max: 30 }),
    span: whole(planLimits.lunarSpan),
    leap: flag,
  },
  rrule: { start: date, rrule: recurrence },
};
export const conditionKinds = Object.keys(members);

/** Checks every member, and names those that are none. */
function checkMembers(
  path: string,
  fields: Fields,
  checks: Readonly<Record<string, Check>>,
  problems: Problem[],
): void {
  for (const [name, check] of Object.entries(checks)) {
    const fault = check(fields[name]);
    if (fault) problems.push({ field: `${path}.${name}`, ...fault });
  }
  for (const name of Object.keys(fields))
    if (!Object.hasOwn(checks, name)) problems.push({ field: `${path}.${name}`, rule: 'unknown' });
}

/** Checks the entries of a list, and their number. */
function checkList(
  path: string,
  list: unknown,
  { min, max }: { readonly min: number; readonly max: number },
  inside: Inside,
  problems: Problem[],
): void {
  if (!Array.isArray(list)) problems.push({ field: path, rule: list === undefined ? 'required' : 'type' });
  else if (list.length < min || list.length > max)
    problems.push({ field: path, rule: 'entries', params: { min, max } });
  else for (const [place, entry] of list.entries()) inside(`${path}.${place}`, entry, problems);
}

const checkCondition: Inside = (path, value, problems) => {
  if (!isFields(value)) return void problems.push({ field: path, rule: 'type' });
  const { kind, ...fields } = value;
  const checks: Readonly<Record<string, Check>> | undefined =
    typeof kind === 'string' && Object.hasOwn(members, kind) ? members[kind as Condition['kind']] : undefined;
  if (!checks) return void problems.push({ field: `${path}.kind`, rule: kind === undefined ? 'required' : 'option' });
  const before = problems.length;
  checkMembers(path, fields, checks, problems);
  const { from, to } = fields;
  if (kind === 'range' && problems.length === before && String(to) < String(from))
    problems.push({ field: `${path}.to`, rule: 'notBefore', params: { date: String(from) } });
};

function checkRule(keys: readonly number[]): Inside {
  const checks = {
    programme: oneOf(keys),
    label: text(planLimits.ruleLabel),
    enabled: flag,
    when: () => null,
  };
  return (path, value, problems) => {
    if (!isFields(value)) return void problems.push({ field: path, rule: 'type' });
    checkMembers(path, value, checks, problems);
    checkList(`${path}.when`, value['when'], planLimits.conditions, checkCondition, problems);
  };
}

function tooManyRecurrences(rules: unknown): Problem[] {
  const { min, max } = planLimits.recurrences;
  const all = (Array.isArray(rules) ? rules : []).flatMap((rule: unknown, place) =>
    (isFields(rule) && Array.isArray(rule['when']) ? rule['when'] : []).flatMap((condition: unknown, at: number) =>
      isFields(condition) && condition['kind'] === 'rrule' ? [`calendar.rules.${place}.when.${at}.rrule`] : [],
    ),
  );
  return all.slice(max).map((field) => ({ field, rule: 'entries', params: { min, max } }));
}

/** All problems by the path of their field, from `calendar` on. `programmeKeys`: the programmes there are. */
export function calendarProblems(calendar: unknown, programmeKeys: readonly number[]): Problem[] {
  if (!isFields(calendar)) return [{ field: 'calendar', rule: calendar === undefined ? 'required' : 'type' }];
  const problems: Problem[] = [];
  checkMembers('calendar', calendar, { rules: () => null, default: oneOf(programmeKeys) }, problems);
  checkList('calendar.rules', calendar['rules'], planLimits.rules, checkRule(programmeKeys), problems);
  return [...problems, ...tooManyRecurrences(calendar['rules'])];
}

/** Whether it has no problem at all. */
export const isCalendar = (calendar: unknown, programmeKeys: readonly number[]): calendar is Calendar =>
  calendarProblems(calendar, programmeKeys).length === 0;
