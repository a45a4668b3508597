import { addDays, instantOf, type Day } from './zone.ts';
import { lightingDay, lightingDayOf, sunDay, type SunPlace } from './sun.ts';

/**
 * One line of a lamp's table: from sunset, sunrise (± minutes) or a fixed wall-clock time `HH:MM` on, this level in
 * percent (0: off).
 */
export interface TablePoint {
  readonly at: 'sunset' | 'sunrise' | (string & {});
  readonly offsetMinutes: number;
  readonly level: number;
}

/**
 * A manual state: the level and the instant (epoch ms) at which the lamp itself ends it; null: it never ends by itself.
 */
export interface ManualState {
  readonly level: number;
  readonly until: number | null;
}

export interface Switch {
  readonly at: number;
  readonly to: 'on' | 'off';
}

interface Step {
  readonly at: number;
  readonly level: number;
  readonly astronomical: boolean;
}

/** On at sunset, off at sunrise, at full level: what a lamp without other settings does. */
export const defaultTable: readonly TablePoint[] = [
  { at: 'sunset', offsetMinutes: 0, level: 100 },
  { at: 'sunrise', offsetMinutes: 0, level: 0 },
];

const minuteMs = 60_000;

/**
 * On- and off-time of the night whose evening is on `day` (epoch ms); null where the sun does not set or rise, or on
 * would not be before off.
 */
export function switchTimes(
  place: SunPlace,
  day: Day,
  table: readonly TablePoint[] = defaultTable,
): { onAt: number | null; offAt: number | null } {
  const steps = stepsOf(table, place, day);
  const onAt = steps.find((step) => step.level > 0)?.at ?? null;
  const offAt = steps.find((step) => step.level === 0 && (onAt === null || step.at > onAt))?.at ?? null;
  return { onAt, offAt };
}

/** The level in percent that a table asks for at an instant. */
export function levelAt(table: readonly TablePoint[], place: SunPlace, at: number): number {
  const { day } = lightingDay(place, at);
  // A point may lie in the neighbouring lighting day (an offset, a fixed time), and before its first point a night
  // continues the last one.
  for (let back = -1; back <= 3; back++) {
    const steps = stepsOf(table, place, addDays(day, -back));
    const last = steps.findLast((step) => step.at <= at);
    if (last) return last.level;
  }
  return polarLevel(table, place, day);
}

/**
 * The next instant after `now` at which a table turns the lamp on or off; null where it does not within 3 days (polar
 * day and night).
 */
export function nextSwitch(now: number, place: SunPlace, table: readonly TablePoint[] = defaultTable): Switch | null {
  const { day } = lightingDay(place, now);
  let lit = levelAt(table, place, now) > 0;
  for (let ahead = -1; ahead <= 3; ahead++) {
    for (const step of stepsOf(table, place, addDays(day, ahead))) {
      if (step.at <= now || step.level > 0 === lit) continue;
      lit = step.level > 0;
      return { at: step.at, to: lit ? 'on' : 'off' };
    }
  }
  return null;
}

/**
 * Whether an enabled lamp should be lit: from its on-time to its off-time, unless a manual state in force says
 * otherwise.
 */
export function shouldBeLit(
  now: number,
  place: SunPlace,
  manual?: ManualState | null,
  table: readonly TablePoint[] = defaultTable,
): boolean {
  return levelInForce(now, place, manual, table) > 0;
}

/** The level in percent that is in force: the manual one until its end, else the table's. */
export function levelInForce(
  now: number,
  place: SunPlace,
  manual?: ManualState | null,
  table: readonly TablePoint[] = defaultTable,
): number {
  if (manual && (manual.until === null || now < manual.until)) return manual.level;
  return levelAt(table, place, now);
}

/**
 * When the level in force may next change by itself: the next step of the table or the end of the manual state; null:
 * not within 3 days.
 */
export function nextChange(
  now: number,
  place: SunPlace,
  manual: ManualState | null,
  table: readonly TablePoint[] = defaultTable,
): number | null {
  if (manual && (manual.until === null || now < manual.until)) return manual.until;
  const { day } = lightingDay(place, now);
  let next: number | null = null;
  for (let ahead = -1; ahead <= 3; ahead++) {
    for (const step of stepsOf(table, place, addDays(day, ahead)))
      if (step.at > now && (next === null || step.at < next)) next = step.at;
  }
  return next;
}

/**
 * A night's steps in time order. Astronomical points win over fixed ones at the same instant; on ≥ off makes a night
 * without light.
 */
function stepsOf(table: readonly TablePoint[], place: SunPlace, day: Day): Step[] {
  const on = firstOf(table, 'sunset', place, day);
  const off = firstOf(table, 'sunrise', place, day);
  if (on !== null && off !== null && on >= off) return [{ at: Math.min(on, off), level: 0, astronomical: true }];
  const steps: Step[] = [];
  for (const point of table) {
    const at = instantOfPoint(point, place, day);
    if (at !== null)
      steps.push({ at, level: point.level, astronomical: point.at === 'sunset' || point.at === 'sunrise' });
  }
  steps.sort((a, b) => a.at - b.at || Number(b.astronomical) - Number(a.astronomical));
  return steps.filter((step, index) => index === 0 || step.at !== steps[index - 1]?.at);
}

function firstOf(table: readonly TablePoint[], event: 'sunset' | 'sunrise', place: SunPlace, day: Day): number | null {
  const point = table.find((candidate) => candidate.at === event);
  return point ? instantOfPoint(point, place, day) : null;
}

function instantOfPoint(point: TablePoint, place: SunPlace, day: Day): number | null {
  const offset = point.offsetMinutes * minuteMs;
  if (point.at === 'sunset' || point.at === 'sunrise') {
    const event = point.at === 'sunset' ? sunDay(place, day).sunset : sunDay(place, addDays(day, 1)).sunrise;
    return event === null ? null : event + offset;
  }
  const [hours = 0, minutes = 0] = point.at.split(':').map(Number);
  const { from, to } = lightingDayOf(place, day);
  // Where the sun is moved, the lighting day may reach into the day before or after its two.
  for (let ahead = -1; ahead <= 2; ahead++) {
    const at = instantOf(addDays(day, ahead), hours * 60 + minutes, place.timeZone);
    if (at >= from && at < to) return at + offset;
  }
  return null;
}

/** Where no point falls at all: the level for darkness in polar night, the one for daylight in polar day. */
function polarLevel(table: readonly TablePoint[], place: SunPlace, day: Day): number {
  const event = sunDay(place, day).stays === 'down' ? 'sunset' : 'sunrise';
  return table.find((point) => point.at === event)?.level ?? 0;
}
