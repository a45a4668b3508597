/**
 * Civil time of a place, from Intl alone: what the wall clock shows, and which instant a wall-clock time is.
 * Days are `YYYY-MM-DD`, instants epoch milliseconds. Zones are IANA names.
 */

/** A calendar day, `YYYY-MM-DD`, of whatever zone it is used with. */
export type Day = string;

const minuteMs = 60_000;
const dayMs = 86_400_000;
const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(timeZone: string): Intl.DateTimeFormat {
  let format = formats.get(timeZone);
  if (!format) {
    format = new Intl.DateTimeFormat('en-US', {
      timeZone,
      hourCycle: 'h23',
      era: 'short',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
    formats.set(timeZone, format);
  }
  return format;
}

/** The wall clock of the zone read as if it were UTC, in epoch milliseconds (whole seconds). */
function wallClock(at: number, timeZone: string): number {
  const parts: Record<string, number> = {};
  for (const part of formatOf(timeZone).formatToParts(at))
    if (part.type !== 'literal') parts[part.type] = Number(part.value);
  return Date.UTC(
    parts['year'] ?? 0,
    (parts['month'] ?? 1) - 1,
    parts['day'] ?? 1,
    parts['hour'] ?? 0,
    parts['minute'] ?? 0,
    parts['second'] ?? 0,
  );
}

/** How far the zone's wall clock is ahead of UTC at an instant, milliseconds. */
export function zoneOffset(at: number, timeZone: string): number {
  return wallClock(at, timeZone) - Math.floor(at / 1000) * 1000;
}

/** The calendar day that the zone's wall clock shows. */
export function dayOf(at: number, timeZone: string): Day {
  return new Date(wallClock(at, timeZone)).toISOString().slice(0, 10);
}

/** The day so many days later (or earlier). */
export function addDays(day: Day, count: number): Day {
  return new Date(Date.parse(`${day}T00:00:00Z`) + count * dayMs).toISOString().slice(0, 10);
}

/**
 * The instant at which the zone's wall clock shows `minuteOfDay` on `day`. A time that daylight saving skips is moved
 * on by the length of the gap (02:30 becomes 03:30); of a repeated time it is the first.
 */
export function instantOf(day: Day, minuteOfDay: number, timeZone: string): number {
  const wall = Date.parse(`${day}T00:00:00Z`) + minuteOfDay * minuteMs;
  const before = zoneOffset(wall - dayMs, timeZone);
  const early = wall - before;
  if (wallClock(early, timeZone) === wall) return early;
  const late = wall - zoneOffset(wall + dayMs, timeZone);
  return wallClock(late, timeZone) === wall ? late : early;
}
