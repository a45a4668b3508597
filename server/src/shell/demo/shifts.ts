import { addDays, dayNumber, dayOf, instantOf, type Day } from '../../../../catalogue/lighting/zone.ts';
import { minuteOf } from '../../../../catalogue/lighting/plan/clock.ts';
import { people, type DeclaredPerson, type Username } from './people-of-the-city.ts';

/** How far the logs of the demo city reach back, days. */
export const monthDays = 30;
const dayMs = 86_400_000;
const minuteMs = 60_000;
/** So long before the first start somebody has come, ms. */
const earlyMs = 9 * minuteMs;

export interface Calendar {
  readonly timeZone: string;
  readonly now: Date;
}

/** The instant of a clock time so many days ago. */
export const clockAgo = ({ timeZone, now }: Calendar, daysAgo: number, clock: string): Date =>
  new Date(instantOf(dayAgo({ timeZone, now }, daysAgo), minuteOf(clock), timeZone));

export const dayAgo = ({ timeZone, now }: Calendar, daysAgo: number): Day =>
  addDays(dayOf(now.getTime(), timeZone), -daysAgo);

/** Minutes by which people come and go around their hours: the same for a person and a day, whoever asks. */
const jitter = (username: string, day: number): number =>
  ([...username].reduce((sum, letter) => sum * 31 + (letter.codePointAt(0) ?? 0), day * 7919) >>> 0) % 13;

/** 1970-01-01 was a Thursday. */
const weekday = (day: number): number => (((day + 4) % 7) + 7) % 7;

function works({ shift, leftDaysAgo = -1 }: DeclaredPerson, day: number, daysAgo: number): boolean {
  if (daysAgo <= leftDaysAgo) return false;
  if (shift.days === 'even' || shift.days === 'odd') return Math.abs(day % 2) === (shift.days === 'odd' ? 1 : 0);
  return shift.days.includes(weekday(day));
}

/** So many days ago, or on the last day before then on which the person came: how many days ago that was. */
export function workedDaysAgo(calendar: Calendar, username: Username, daysAgo: number): number {
  const person = people.find((one) => one.username === username);
  const day = dayNumber(dayAgo(calendar, daysAgo));
  const earlier = [0, 1, 2, 3, 4, 5, 6].find((days) => person && works(person, day - days, daysAgo + days));
  return daysAgo + (earlier ?? 0);
}

export interface Shift {
  readonly person: DeclaredPerson & { readonly username: Username };
  readonly from: Date;
  /** null: it has not ended. */
  readonly to: Date | null;
}

/** The shifts of the last 30 days, in the order in which they began. */
export function shiftsOf(calendar: Calendar): readonly Shift[] {
  const { now } = calendar;
  const shifts: Shift[] = [];
  for (let daysAgo = monthDays; daysAgo >= 0; daysAgo -= 1) {
    const day = dayNumber(dayAgo(calendar, daysAgo));
    for (const person of people) {
      if (!works(person, day, daysAgo)) continue;
      const late = jitter(person.username, day) * minuteMs;
      const from = new Date(clockAgo(calendar, daysAgo, person.shift.from).getTime() + late);
      const over = clockAgo(calendar, daysAgo, person.shift.to).getTime() + late / 2;
      const to = new Date(over > from.getTime() ? over : over + dayMs);
      if (from < now) shifts.push({ person, from, to: to < now ? to : null });
    }
  }
  return [...shifts.toSorted((a, b) => a.from.getTime() - b.from.getTime()), ...byDay(shifts, calendar)];
}

/** Outside of the night shift the next one is in already: the evening of the demo begins whenever it is started. */
function byDay(shifts: readonly Shift[], calendar: Calendar): Shift[] {
  if (shifts.some(({ person, to }) => person.role === 'duty' && to === null)) return [];
  const username = onDuty(calendar, 0);
  const person = people.find((one) => one.username === username);
  return person ? [{ person, from: new Date(calendar.now.getTime() - earlyMs), to: null }] : [];
}

/** Who sits in the control room now: the last who came. */
export const onDutyNow = (shifts: readonly Shift[]): Username =>
  shifts.findLast(({ person, to }) => person.role === 'duty' && to === null)?.person.username ?? 'li.wei';

/** Who sits in the control room on the evening of so many days ago. */
export const onDuty = (calendar: Calendar, daysAgo: number): 'li.wei' | 'zhang.min' =>
  Math.abs(dayNumber(dayAgo(calendar, daysAgo)) % 2) === 1 ? 'zhang.min' : 'li.wei';
