import { getTimes } from 'suncalc';
import { describe, expect, it } from 'vitest';
import fc from '../../testing/properties.ts';
import { apia, hangzhou, harbin, kathmandu, lordHowe, newYork, place } from '../../testing/nights.ts';
import type { SunPlace } from '../sun.ts';
import { addDays, dayOf, instantOf, zoneOffset } from '../zone.ts';
import { levelAt } from './lamp-plan.ts';
import { planOfTable, type TablePoint } from './table.ts';

/**
 * What lamps did before programmes, and how wall clocks were read before zones had tables: Intl asked for every
 * instant. Two-point tables and clocks must give the same to the second.
 */

const minuteMs = 60_000;
const dayMs = 86_400_000;
const formats = new Map<string, Intl.DateTimeFormat>();

function formerWallClock(at: number, timeZone: string): number {
  const number = 'numeric';
  const format =
    formats.get(timeZone) ??
    new Intl.DateTimeFormat('en-US', {
      timeZone,
      hourCycle: 'h23',
      year: number,
      month: number,
      day: number,
      hour: number,
      minute: number,
      second: number,
    });
  formats.set(timeZone, format);
  const parts = new Map(format.formatToParts(at).map(({ type, value }) => [type, Number(value)]));
  const of = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? 0;
  return Date.UTC(of('year'), of('month') - 1, of('day'), of('hour'), of('minute'), of('second'));
}

const formerOffset = (at: number, timeZone: string) => formerWallClock(at, timeZone) - Math.floor(at / 1000) * 1000;
const formerDay = (at: number, timeZone: string) => new Date(formerWallClock(at, timeZone)).toISOString().slice(0, 10);

function formerInstant(day: string, minuteOfDay: number, timeZone: string): number {
  const wall = Date.parse(`${day}T00:00:00Z`) + minuteOfDay * minuteMs;
  const early = wall - formerOffset(wall - dayMs, timeZone);
  if (formerWallClock(early, timeZone) === wall) return early;
  const late = wall - formerOffset(wall + dayMs, timeZone);
  return formerWallClock(late, timeZone) === wall ? late : early;
}

function sunOf(where: SunPlace, day: string) {
  const noon = new Date(formerInstant(day, 720, where.timeZone));
  const times = getTimes(noon, where.latitude, where.longitude);
  const moved = (at: Date | null) => (at === null ? null : at.getTime() + where.sunOffsetMinutes * minuteMs);
  return { sunset: moved(times.sunset), sunrise: moved(times.sunrise) };
}

/** The former level of a table of a sunset and a sunrise point. */
function formerLevel(table: readonly [TablePoint, TablePoint], where: SunPlace, at: number): number {
  const [on, off] = table;
  const today = formerDay(at - where.sunOffsetMinutes * minuteMs, where.timeZone);
  const isMorning = at < formerInstant(today, 720, where.timeZone) + where.sunOffsetMinutes * minuteMs;
  const day = isMorning ? addDays(today, -1) : today;
  for (let back = -1; back <= 3; back++) {
    const evening = addDays(day, -back);
    const [onAt, offAt] = [
      (sunOf(where, evening).sunset ?? NaN) + on.offsetMinutes * minuteMs,
      (sunOf(where, addDays(evening, 1)).sunrise ?? NaN) + off.offsetMinutes * minuteMs,
    ];
    const steps =
      onAt >= offAt
        ? [{ at: Math.min(onAt, offAt), level: 0 }]
        : [
            { at: onAt, level: on.level },
            { at: offAt, level: off.level },
          ];
    const last = steps.findLast((step) => step.at <= at);
    if (last) return last.level;
  }
  return 0;
}

const offset = fc.oneof(fc.constant(0), fc.integer({ min: -120, max: 120 }));
const cities = [hangzhou, harbin, newYork, lordHowe, kathmandu, apia];
const more = [
  place(48.8566, 2.3522, 'Europe/Paris'),
  place(30.2, 120.2, 'Asia/Shanghai', -359),
  place(-33.87, 151.21, 'Australia/Sydney'),
  place(1.87, -157.4, 'Pacific/Kiritimati'),
];
const tables = fc
  .tuple(offset, offset, fc.constantFrom(30, 100))
  .map(([evening, morning, level]): [TablePoint, TablePoint] => [
    { at: 'sunset', offsetMinutes: evening, level },
    { at: 'sunrise', offsetMinutes: morning, level: 0 },
  ]);
const instants = (from: number, to: number) =>
  fc.integer({ min: Date.UTC(from, 0, 1) / 1000, max: Date.UTC(to, 0, 1) / 1000 }).map((second) => second * 1000);

describe('a table of two points', () => {
  it('gives the level that it always gave, to the second', () => {
    fc.assert(
      fc.property(fc.constantFrom(...cities, ...more), tables, instants(2011, 2031), (where, table, at) => {
        const plan = planOfTable(where, table);
        expect(levelAt(plan, at)).toBe(formerLevel(table, where, at));
        // And at its switches of that day, a second before and after.
        for (const event of Object.values(sunOf(where, dayOf(at, where.timeZone))))
          for (const [index, seconds] of [
            [0, -1],
            [0, 1],
            [1, -1],
            [1, 1],
          ] as const) {
            const near = Math.floor(((event ?? at) + table[index].offsetMinutes * minuteMs) / 1000 + seconds) * 1000;
            expect(levelAt(plan, near)).toBe(formerLevel(table, where, near));
          }
      }),
      { numRuns: Math.max(512, fc.readConfigureGlobal().numRuns ?? 0) },
    );
  });
});

describe('a wall clock', () => {
  const zones = fc.constantFrom(...Intl.supportedValuesOf('timeZone'));

  it('shows in every zone what Intl says', () => {
    fc.assert(
      fc.property(zones, instants(1970, 2060), fc.integer({ min: 0, max: 999 }), (zone, second, ms) => {
        const at = second + ms;
        expect(zoneOffset(at, zone)).toBe(formerOffset(at, zone));
        expect(dayOf(at, zone)).toBe(formerDay(at, zone));
      }),
    );
  });

  it('is the same instant, skipped and repeated times as well', () => {
    const changing = fc.constantFrom('Australia/Lord_Howe', 'Europe/Paris', 'Africa/Casablanca', 'America/New_York');
    const all = fc.oneof(changing, zones);
    fc.assert(
      fc.property(all, instants(1970, 2060), fc.integer({ min: 0, max: 1439 }), (zone, at, minute) => {
        const day = new Date(at).toISOString().slice(0, 10);
        expect(instantOf(day, minute, zone)).toBe(formerInstant(day, minute, zone));
      }),
    );
  });

  it.each([
    ['Australia/Lord_Howe', '2026-10-04', 135],
    ['Australia/Lord_Howe', '2026-04-05', 105],
    ['Pacific/Apia', '2011-12-30', 720],
    ['Pacific/Apia', '2011-12-31', 0],
    ['Asia/Kathmandu', '1986-01-01', 5],
    ['Europe/Paris', '2026-03-29', 150],
    ['Europe/Paris', '2026-10-25', 150],
    ['America/New_York', '2026-11-01', 90],
    ['Africa/Casablanca', '2026-02-15', 150],
  ])('of %s on %s at minute %i is where it was', (zone, day, minute) =>
    expect(instantOf(day, minute, zone)).toBe(formerInstant(day, minute, zone)),
  );
});
