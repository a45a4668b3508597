import { existsSync, readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { clockAt, lightingDay, offsetForClockAt, offsetForSunsetAt, sunDay, type SunPlace } from './sun.ts';
import { addDays, dayOf, instantOf } from './zone.ts';

const china = (latitude: number, longitude: number): SunPlace => ({
  latitude,
  longitude,
  timeZone: 'Asia/Shanghai',
  sunOffsetMinutes: 0,
});
const beijing = china(39.9042, 116.4074);
const shanghai = china(31.2304, 121.4737);

// Domain reference 5.1: place, day, dawn, sunrise, sunset, dusk.
const vectors: [SunPlace, string, string | null, string, string, string | null][] = [
  [beijing, '2026-03-20', '05:51:36', '06:18:33', '18:25:58', '18:52:58'],
  [beijing, '2026-06-21', '04:13:08', '04:45:56', '19:46:20', '20:19:08'],
  [beijing, '2026-09-23', '05:35:29', '06:02:29', '18:10:34', '18:37:30'],
  [beijing, '2026-12-22', '07:02:06', '07:32:39', '16:52:55', '17:23:27'],
  [shanghai, '2026-06-21', '04:22:27', '04:50:26', '19:01:18', '19:29:16'],
  [shanghai, '2026-12-22', '06:22:11', '06:48:58', '16:56:03', '17:22:50'],
  [china(23.1291, 113.2644), '2026-06-21', null, '05:41:56', '19:15:29', null],
  [china(23.1291, 113.2644), '2026-12-22', null, '07:03:55', '17:46:48', null],
  [china(30.5728, 104.0668), '2026-06-21', null, '06:01:42', '20:09:18', null],
  [china(30.5728, 104.0668), '2026-12-22', null, '07:57:03', '18:07:16', null],
  [china(43.8256, 87.6168), '2026-06-21', null, '06:27:19', '21:55:18', null],
  [china(43.8256, 87.6168), '2026-12-22', null, '09:40:44', '18:35:14', null],
  [china(45.8038, 126.535), '2026-06-21', null, '03:43:47', '19:27:28', null],
  [china(45.8038, 126.535), '2026-12-22', null, '07:12:18', '15:52:13', null],
];

describe('the sun', () => {
  it.each(vectors)('keeps its vectors: %o on %s', (place, day, dawn, sunrise, sunset, dusk) => {
    const sun = sunDay(place, day);
    const secondsOff = (at: number | null, clock: string) =>
      Math.abs((at ?? NaN) - Date.parse(`${day}T${clock}+08:00`)) / 1000;
    expect(secondsOff(sun.sunrise, sunrise)).toBeLessThan(60);
    expect(secondsOff(sun.sunset, sunset)).toBeLessThan(60);
    if (dawn) expect(secondsOff(sun.dawn, dawn)).toBeLessThan(60);
    if (dusk) expect(secondsOff(sun.dusk, dusk)).toBeLessThan(60);
    expect(sun.stays).toBeNull();
  });

  it('is null in polar day and polar night', () => {
    const tromso: SunPlace = { latitude: 69.6492, longitude: 18.9553, timeZone: 'Europe/Oslo', sunOffsetMinutes: 0 };
    expect(sunDay(tromso, '2026-06-21')).toMatchObject({ sunrise: null, sunset: null, stays: 'up' });
    expect(sunDay(tromso, '2026-12-21')).toMatchObject({ sunrise: null, sunset: null, stays: 'down' });
  });

  it('belongs to the day of the wall clock even far from the zone’s meridian', () => {
    const kiritimati: SunPlace = {
      latitude: 1.87,
      longitude: -157.4,
      timeZone: 'Pacific/Kiritimati',
      sunOffsetMinutes: 0,
    };
    expect(dayOf(sunDay(kiritimati, '2026-03-20').sunrise ?? 0, 'Pacific/Kiritimati')).toBe('2026-03-20');
    expect(dayOf(sunDay(kiritimati, '2026-03-20').sunset ?? 0, 'Pacific/Kiritimati')).toBe('2026-03-20');
  });

  it('is moved to a minute of the night, by a day at most however often', () => {
    const at = Date.parse('2026-06-21T11:30:00Z');
    for (const clocks of [
      ['11:00', '12:30'],
      ['12:30', '11:00'],
    ])
      for (let step = 0, sunOffsetMinutes = 0; step < 12; step += 1) {
        const clock = clocks[step % 2] ?? '';
        sunOffsetMinutes = offsetForClockAt({ ...shanghai, sunOffsetMinutes }, at, clock);
        expect(Math.abs(sunOffsetMinutes)).toBeLessThanOrEqual(1440);
        const moved = { ...shanghai, sunOffsetMinutes };
        const minute = Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3));
        const { day } = lightingDay(moved, at);
        expect(at - clockAt(moved, minute < 720 ? addDays(day, 1) : day, minute)).toBeLessThan(60_000);
      }
  });

  it('moves every event by sunOffsetMinutes', () => {
    const moved = sunDay({ ...shanghai, sunOffsetMinutes: -200 }, '2026-06-21');
    const plain = sunDay(shanghai, '2026-06-21');
    expect((plain.sunset ?? 0) - (moved.sunset ?? 0)).toBe(200 * 60_000);
    expect((plain.dawn ?? 0) - (moved.dawn ?? 0)).toBe(200 * 60_000);
  });

  it('finds the offset with which the sun set at a given moment, at any hour', () => {
    for (let hour = 0; hour < 24; hour++) {
      const target = instantOf('2026-11-21', hour * 60, 'Asia/Shanghai');
      const offset = offsetForSunsetAt(shanghai, target) ?? NaN;
      expect(Math.abs(offset)).toBeLessThanOrEqual(721);
      const moved = { ...shanghai, sunOffsetMinutes: offset };
      const sunsets = [-1, 0, 1].map((step) => sunDay(moved, addDays('2026-11-21', step)).sunset ?? 0);
      expect(Math.min(...sunsets.map((sunset) => Math.abs(sunset - target)))).toBeLessThanOrEqual(30_000);
    }
  });
});

describe('a lighting day', () => {
  it('runs from noon to noon and is named by its evening', () => {
    const at = (clock: string) => Date.parse(`2026-03-01T${clock}+08:00`);
    expect(lightingDay(shanghai, at('11:59:59')).day).toBe('2026-02-28');
    expect(lightingDay(shanghai, at('12:00:00')).day).toBe('2026-03-01');
    expect(lightingDay(shanghai, at('02:00:00')).day).toBe('2026-02-28');
    expect(lightingDay(shanghai, Date.parse('2028-03-01T02:00:00+08:00')).day).toBe('2028-02-29');
  });

  it('has 23 and 25 hours where daylight saving changes', () => {
    const paris: SunPlace = { latitude: 48.8566, longitude: 2.3522, timeZone: 'Europe/Paris', sunOffsetMinutes: 0 };
    const hours = (at: string) => {
      const day = lightingDay(paris, Date.parse(at));
      return (day.to - day.from) / 3_600_000;
    };
    expect(hours('2026-03-28T20:00:00Z')).toBe(23);
    expect(hours('2026-10-24T20:00:00Z')).toBe(25);
    expect(hours('2026-11-24T20:00:00Z')).toBe(24);
  });

  it('moves with the sun, so that a moved night stays in one', () => {
    for (const sunOffsetMinutes of [-700, -300, 300, 700]) {
      const place = { ...shanghai, sunOffsetMinutes };
      const sunset = sunDay(place, '2026-11-20').sunset ?? 0;
      const sunrise = sunDay(place, '2026-11-21').sunrise ?? 0;
      expect(lightingDay(place, sunset).day).toBe('2026-11-20');
      expect(lightingDay(place, sunrise).day).toBe('2026-11-20');
    }
  });
});

describe('wall-clock times', () => {
  it('that are skipped move on, that repeat are the first', () => {
    expect(new Date(instantOf('2026-03-29', 150, 'Europe/Paris')).toISOString()).toBe('2026-03-29T01:30:00.000Z');
    expect(new Date(instantOf('2026-10-25', 150, 'Europe/Paris')).toISOString()).toBe('2026-10-25T00:30:00.000Z');
    expect(new Date(instantOf('2026-03-08', 150, 'America/New_York')).toISOString()).toBe('2026-03-08T07:30:00.000Z');
    expect(new Date(instantOf('2026-11-01', 90, 'America/New_York')).toISOString()).toBe('2026-11-01T05:30:00.000Z');
  });
});

// The official table, to the minute; the reference point of each county is not stated. Not part of the product.
const table = new URL('../../../shared/data/cwa_sun_taipei_kaohsiung_2021_2023.csv.gz', import.meta.url);
describe.skipIf(!existsSync(table))('the official sun table of Taipei and Kaohsiung (skipped where absent)', () => {
  it('is met within 2 minutes on every day', () => {
    const places: Record<string, SunPlace> = {
      臺北市: { latitude: 25.0376, longitude: 121.5637, timeZone: 'Asia/Taipei', sunOffsetMinutes: 0 },
      高雄市: { latitude: 22.6203, longitude: 120.3118, timeZone: 'Asia/Taipei', sunOffsetMinutes: 0 },
    };
    const rows = gunzipSync(readFileSync(table)).toString('utf8').trim().split(/\r?\n/).slice(1);
    expect(rows.length).toBe(1892);
    const worst = Math.max(
      ...rows.map((row) => {
        const [county = '', day = '', rise = '', set = ''] = row.split(',');
        const place = places[county];
        if (!place) throw new Error(`no place for ${county}`);
        const sun = sunDay(place, day);
        const off = (at: number | null, clock: string) =>
          Math.abs((at ?? NaN) - Date.parse(`${day}T${clock}:00+08:00`));
        return Math.max(off(sun.sunrise, rise), off(sun.sunset, set)) / 60_000;
      }),
    );
    expect(worst).toBeLessThan(2);
  });
});
