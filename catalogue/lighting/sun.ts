import { getTimes } from 'suncalc';
import { minuteOf } from './plan/clock.ts';
import { addDays, dayOf, instantOf, type Day } from './zone.ts';

/**
 * Where the sun is asked for: WGS-84 degrees, the area's IANA zone, and minutes added to every event (only a
 * demonstration's are not 0).
 */
export interface SunPlace {
  readonly latitude: number;
  readonly longitude: number;
  readonly timeZone: string;
  readonly sunOffsetMinutes: number;
}

/**
 * Sun events of one day, epoch milliseconds; null where the sun does not cross that height. `stays` tells which side it
 * is on then.
 */
export interface SunDay {
  readonly dawn: number | null;
  readonly sunrise: number | null;
  readonly sunset: number | null;
  readonly dusk: number | null;
  /** `up` in polar day, `down` in polar night. */
  readonly stays: 'up' | 'down' | null;
}

/** One lighting day: noon to noon, so that a night belongs to one day. Named by the day of its evening. */
export interface LightingDay {
  readonly day: Day;
  readonly from: number;
  readonly to: number;
}

const noon = 12 * 60;
/** A sun is moved by a day at most, minutes. */
const mostOffset = 24 * 60;
const minuteMs = 60_000;
/** Days with their sun that are kept, of all places: a hundred places for the longest year view; some 300 bytes each. */
const mostDays = 40_000;
let remembered = new Map<string, Map<Day, SunDay>>();
/** The days of a place by its object: reading a key of five members costs more than the look-up. */
let daysOf = new WeakMap<SunPlace, Map<Day, SunDay>>();
let kept = 0;
// Thousands of lamps of one place are asked for the same night.
const lastAsked = new WeakMap<SunPlace, LightingDay>();

/**
 * Dawn, sunrise, sunset and dusk of a calendar day at a place, its `sunOffsetMinutes` added.
 * NOAA's zenith of 90.833° for rise and set, 96° for civil dawn and dusk; within a minute to ±72° latitude.
 */
export function sunDay(place: SunPlace, day: Day): SunDay {
  const known = daysOf.get(place)?.get(day) ?? daysAt(place).get(day);
  if (known) return known;
  // Noon of the wall clock: suncalc takes the solar day nearest to the instant, whatever the zone's distance from the
  // sun.
  const times = getTimes(new Date(instantOf(day, noon, place.timeZone)), place.latitude, place.longitude);
  const moved = (at: Date | null): number | null =>
    at === null ? null : at.getTime() + place.sunOffsetMinutes * minuteMs;
  const found: SunDay = {
    dawn: moved(times.dawn),
    sunrise: moved(times.sunrise),
    sunset: moved(times.sunset),
    dusk: moved(times.dusk),
    stays: times.alwaysUp ? 'up' : times.alwaysDown ? 'down' : null,
  };
  if (kept >= mostDays) {
    [remembered, daysOf, kept] = [new Map(), new WeakMap(), 0];
  }
  daysAt(place).set(day, found);
  kept++;
  return found;
}

function daysAt(place: SunPlace): Map<Day, SunDay> {
  const known = daysOf.get(place);
  if (known) return known;
  const key = `${place.latitude},${place.longitude},${place.timeZone},${place.sunOffsetMinutes}`;
  let days = remembered.get(key);
  if (!days) remembered.set(key, (days = new Map()));
  daysOf.set(place, days);
  return days;
}

/**
 * The lighting day that an instant belongs to. Where the sun is moved by `sunOffsetMinutes`, its noon moves with it, so
 * that the demonstration's night is one lighting day too.
 */
export function lightingDay(place: SunPlace, at: number): LightingDay {
  const last = lastAsked.get(place);
  if (last && at >= last.from && at < last.to) return last;
  const shift = place.sunOffsetMinutes * minuteMs;
  const civil = dayOf(at - shift, place.timeZone);
  const day = at < noonOf(place, civil) ? addDays(civil, -1) : civil;
  const found = lightingDayOf(place, day);
  lastAsked.set(place, found);
  return found;
}

/** The lighting day whose evening is on `day`. */
export function lightingDayOf(place: SunPlace, day: Day): LightingDay {
  return { day, from: noonOf(place, day), to: noonOf(place, addDays(day, 1)) };
}

function noonOf(place: SunPlace, day: Day): number {
  return clockAt(place, day, noon);
}

/** The instant of a wall-clock time at a place; where the sun is moved, it moves with it. */
export function clockAt(place: SunPlace, day: Day, minuteOfDay: number): number {
  return instantOf(day, minuteOfDay, place.timeZone) + place.sunOffsetMinutes * minuteMs;
}

/**
 * The `sunOffsetMinutes` with which the nearest sunset falls on `target`; within ±12 h. Null where no sun sets that
 * day.
 */
export function offsetForSunsetAt(place: Omit<SunPlace, 'sunOffsetMinutes'>, target: number): number | null {
  const plain = { ...place, sunOffsetMinutes: 0 };
  const today = dayOf(target, place.timeZone);
  const offsets = [-1, 0, 1]
    .map((step) => sunDay(plain, addDays(today, step)).sunset)
    .filter((sunset) => sunset !== null)
    .map((sunset) => Math.round((target - sunset) / minuteMs));
  return offsets.sort((a, b) => Math.abs(a) - Math.abs(b))[0] ?? null;
}

/**
 * The `sunOffsetMinutes` with which an instant lies within this minute `HH:MM` of the lighting day that it belongs to
 * now; where that is more than a day away, of the nearest one that is not.
 */
export function offsetForClockAt(place: SunPlace, at: number, clock: string): number {
  const minute = minuteOf(clock);
  const offsetOn = (day: Day): number =>
    Math.floor((at - instantOf(minute < noon ? addDays(day, 1) : day, minute, place.timeZone)) / minuteMs);
  let { day } = lightingDay(place, at);
  while (offsetOn(day) > mostOffset) day = addDays(day, 1);
  while (offsetOn(day) < -mostOffset) day = addDays(day, -1);
  return offsetOn(day);
}
