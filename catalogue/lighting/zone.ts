import { offsetAt } from './zone-table.ts';

/**
 * Civil time of a place: what the wall clock shows, and which instant a wall-clock time is.
 * Days are `YYYY-MM-DD`, instants epoch milliseconds. Zones are IANA names.
 */

/** A calendar day, `YYYY-MM-DD`, of whatever zone it is used with. */
export type Day = string;

const minuteMs = 60_000;
const dayMs = 86_400_000;
/** Days with their names that are kept: ten years and more. */
const mostDays = 5000;
const numbers = new Map<Day, number>();
const names = new Map<number, Day>();

/** The wall clock of the zone read as if it were UTC, in epoch milliseconds (whole seconds). */
const wallClock = (at: number, timeZone: string): number => Math.floor(at / 1000) * 1000 + offsetAt(at, timeZone);

/** How far the zone's wall clock is ahead of UTC at an instant, milliseconds. */
export function zoneOffset(at: number, timeZone: string): number {
  return offsetAt(at, timeZone);
}

/** The calendar day that the zone's wall clock shows. */
export function dayOf(at: number, timeZone: string): Day {
  return dayNamed(Math.floor(wallClock(at, timeZone) / dayMs));
}

/** Days since 1970-01-01. */
export function dayNumber(day: Day): number {
  let number = numbers.get(day);
  if (number === undefined) {
    number = Date.parse(`${day}T00:00:00Z`) / dayMs;
    if (numbers.size >= mostDays) numbers.clear();
    numbers.set(day, number);
  }
  return number;
}

function dayNamed(number: number): Day {
  let day = names.get(number);
  if (day === undefined) {
    day = new Date(number * dayMs).toISOString().slice(0, 10);
    if (names.size >= mostDays) names.clear();
    names.set(number, day);
  }
  return day;
}

/** The day so many days later (or earlier). */
export function addDays(day: Day, count: number): Day {
  return dayNamed(dayNumber(day) + count);
}

/**
 * The instant at which the zone's wall clock shows `minuteOfDay` on `day`. A time that daylight saving skips is moved
 * on by the length of the gap (02:30 becomes 03:30); of a repeated time it is the first.
 */
export function instantOf(day: Day, minuteOfDay: number, timeZone: string): number {
  const wall = dayNumber(day) * dayMs + minuteOfDay * minuteMs;
  const early = wall - offsetAt(wall - dayMs, timeZone);
  if (wallClock(early, timeZone) === wall) return early;
  const late = wall - offsetAt(wall + dayMs, timeZone);
  return wallClock(late, timeZone) === wall ? late : early;
}

/** What daylight saving does to a wall-clock time: it is skipped that day, or comes twice; null: neither. */
export function clockChange(day: Day, minuteOfDay: number, timeZone: string): 'skipped' | 'repeated' | null {
  const wall = dayNumber(day) * dayMs + minuteOfDay * minuteMs;
  const [early, late] = [wall - offsetAt(wall - dayMs, timeZone), wall - offsetAt(wall + dayMs, timeZone)];
  if (early === late) return null;
  const [isEarly, isLate] = [wallClock(early, timeZone) === wall, wallClock(late, timeZone) === wall];
  return isEarly && isLate ? 'repeated' : isEarly || isLate ? null : 'skipped';
}
