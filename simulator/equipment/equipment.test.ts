import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { familyOf } from '../../catalogue/index.ts';
import { fits } from '../../catalogue/quantities/index.ts';
import { sunDay } from '../../catalogue/lighting/sun.ts';
import { dayOf } from '../../catalogue/lighting/zone.ts';
import fc from '../../catalogue/testing/properties.ts';
import { defaultSeed, generateCity } from '../city/index.ts';
import { distance } from '../city/plane.ts';
import { equipmentFamilies, solarParts, troublesOf } from '../city/equipment-kinds.ts';
import { createUnit, createUnits, type Unit } from './index.ts';
import { dayMs, hourMs, minuteMs } from './signal.ts';
import { cityWeather } from './weather.ts';

const place = { latitude: 30.2, longitude: 120.2, timeZone: 'Asia/Shanghai', sunOffsetMinutes: 0 };
const city = generateCity({ seed: defaultSeed, lamps: 3000 });
const midnight = Date.parse('2026-11-26T00:00:00+08:00');
const units = createUnits(city, () => place);
const sound = (family: string): Unit[] => units.filter(({ spec }) => spec.family === family && spec.trouble === null);
const value = (unit: Unit, at: number, key: string): number => Number(unit.reading(at).values[key]);
const hourly = (unit: Unit, key: string): number[] =>
  Array.from({ length: 24 }, (_, hour) => value(unit, midnight + hour * hourMs, key));

/** Said so often that an assertion of the test's own would take longer than the day. */
function must(holds: boolean, law: string, ...what: readonly unknown[]): void {
  if (!holds) throw new Error(`${law}: ${JSON.stringify(what)}`);
}

it('every family reports what its catalogue knows, whatever is wrong with the device, and says the same when asked again', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...equipmentFamilies),
      fc.nat(9999),
      fc.nat(30),
      fc.integer({ min: 0, max: 400 * 24 * 60 }),
      (family, seed, choice, minutes) => {
        const known = [null, ...troublesOf[family]];
        const kinds = [...new Set(units.filter(({ spec }) => spec.family === family).map(({ spec }) => spec.kind))];
        const weather = cityWeather(seed);
        const around = {
          weather: (at: number) => weather(at, [0, 0]),
          daylight: (at: number) => Math.max(0, Math.sin(((at % dayMs) / dayMs) * 2 * Math.PI)),
          night: (at: number) => at % dayMs > dayMs / 2,
        };
        const trouble = known[choice % known.length] ?? null;
        const spec = {
          family,
          seed,
          at: [0, 0] as const,
          trouble,
          kind: kinds[choice % kinds.length] ?? '',
          children: choice % 7,
        };
        const unit = createUnit(spec, 'X-1', around);
        const at = midnight + minutes * minuteMs;
        const { values } = unit.reading(at);
        expect(Object.keys(values).length).toBeGreaterThan(2);
        for (const [key, measured] of Object.entries(values)) {
          const quantity = familyOf(family)?.quantity.get(key);
          must(quantity !== undefined, 'a quantity of its family', key);
          if (quantity && measured !== null)
            must(fits(quantity, measured) === 'ok', 'a value of its quantity', key, measured);
        }
        unit.reading(at + 3 * dayMs);
        if (family !== 'solar-controller') expect(unit.reading(at).values).toEqual(values);
      },
    ),
  );
});

describe('a day of the city obeys physics', () => {
  /** The most that a quantity changes in a minute, where bodies and air are slow. */
  const slow: Readonly<Record<string, number>> = {
    temperature: 1.2,
    airTemperature: 0.25,
    humidity: 1,
    pressure: 0.4,
    batteryVoltage: 0.2,
    waterLevel: 12,
    tilt: 0.4,
    clockOffset: 0.2,
  };
  it.each(equipmentFamilies)('%s', (family) => {
    for (const unit of units.filter(({ spec }) => spec.family === family)) {
      const quantities = familyOf(family)?.quantity;
      let before = unit.reading(midnight);
      for (let at = midnight + minuteMs; at < midnight + dayMs; at += 19 * minuteMs) {
        const [now, next] = [unit.reading(at), unit.reading(at + minuteMs)];
        for (const [key, quantity] of quantities ?? []) {
          const [earlier, last, then] = [before.values[key], now.values[key], next.values[key]];
          if (quantity.kind === 'number' && quantity.cumulative)
            must(
              Number(last) >= Number(earlier) && Number(then) >= Number(last),
              'a counter never falls',
              key,
              before,
              now,
              next,
            );
          const most = slow[key];
          if (most !== undefined && typeof last === 'number')
            must(Math.abs(Number(then) - last) <= most, 'nothing jumps', unit.code, key, now, next);
        }
        const {
          chargingVoltage,
          chargingCurrent,
          chargingPower,
          pvVoltage,
          pvCurrent,
          pvPower,
          loadVoltage,
          loadCurrent,
          loadPower,
        } = now.values;
        for (const [volts, amperes, watts] of [
          [chargingVoltage, chargingCurrent, chargingPower],
          [pvVoltage, pvCurrent, pvPower],
          [loadVoltage, loadCurrent, loadPower],
        ])
          if (typeof watts === 'number')
            must(
              Math.abs(Number(volts) * Number(amperes) - watts) < 0.01 * Number(volts) + 0.06 * Number(amperes) + 1,
              'P = U × I',
              unit.code,
              now,
            );
        before = next;
      }
    }
  });

  it('a pile that takes no cars has no session on any day, and its counter stands', () => {
    const broken = units.filter(({ spec: { family, trouble } }) => family === 'charging-pile' && trouble !== null);
    const closed = broken.filter(({ spec }) => ['faulted', 'unavailable', 'limited'].includes(spec.trouble ?? ''));
    expect(closed.length).toBeGreaterThan(0);
    const summer = Date.parse('2026-06-10T00:00:00+08:00');
    for (const unit of closed)
      for (const at of [summer, midnight])
        for (let minutes = 0; minutes < 24 * 60; minutes += 10) {
          const { values } = unit.reading(at + minutes * minuteMs);
          must(values['chargingPower'] === 0 && values['sessionEnergy'] === 0, 'no session', unit.code, values);
          must(values['energy'] === unit.reading(midnight).values['energy'], 'nothing is counted', unit.code, values);
        }
  });

  it('a solar battery says the same whatever it was asked before, and nothing jumps where its reckoning begins anew', () => {
    const solar = units.filter(({ spec }) => spec.family === 'solar-controller');
    const fresh = new Map(createUnits(city, () => place).map((unit) => [unit.code, unit]));
    const asked = Array.from({ length: 70 }, (_, day) => midnight + day * dayMs + 6 * hourMs);
    for (const unit of solar) {
      const forward = asked.map((at) => unit.reading(at));
      const backward = asked.toReversed().map((at) => fresh.get(unit.code)?.reading(at));
      expect(backward.toReversed()).toEqual(forward);
      for (let day = 0; day < 70; day++) {
        const change =
          value(unit, midnight + day * dayMs, 'battery') - value(unit, midnight + day * dayMs - 1, 'battery');
        must(Math.abs(change) < 1.5, 'nothing jumps at midnight', unit.code, day, change);
      }
    }
  });

  it('meters count what flowed', () => {
    for (const [family, power] of [
      ['charging-pile', 'chargingPower'],
      ['micro-station-5g', 'power'],
    ] as const)
      for (const unit of sound(family)) {
        let flowed = 0;
        for (let at = midnight; at < midnight + dayMs; at += minuteMs)
          flowed += value(unit, at + minuteMs / 2, power) / 60_000;
        const counted = value(unit, midnight + dayMs, 'energy') - value(unit, midnight, 'energy');
        expect(counted).toBeGreaterThan(flowed * 0.96 - 0.3);
        expect(counted).toBeLessThan(flowed * 1.04 + 0.3);
      }
  });

  it('solar batteries charge by day and empty by night; what went in and out is their charge', () => {
    const { sunrise, sunset } = sunDay(place, dayOf(midnight + hourMs, place.timeZone));
    for (const unit of sound('solar-controller')) {
      const charge = (at: number): number => value(unit, at, 'battery');
      expect(charge(sunset!)).toBeGreaterThan(charge(sunrise!));
      expect(charge(sunrise!)).toBeLessThan(charge(midnight));
      expect(value(unit, midnight + 3 * hourMs, 'pvPower')).toBe(0);
      expect(value(unit, midnight + 12 * hourMs, 'pvPower')).toBeGreaterThan(0);
      expect(value(unit, midnight + 12 * hourMs, 'loadPower')).toBe(0);
      const end = midnight + dayMs - minuteMs;
      const balance = value(unit, end, 'dayCharge') - value(unit, end, 'dayDischarge');
      // Unless it was full and took no more.
      expect(((charge(end) - charge(midnight)) / 100) * solarParts.capacityAh).toBeLessThan(balance + 1.5);
    }
  });
});

describe('the city has one weather', () => {
  const stations = sound('environmental-monitor');
  it.each(['airTemperature', 'humidity', 'pressure', 'pm25', 'windSpeed'])('neighbours agree: %s', (key) => {
    const own = stations.filter((unit) => unit.reading(midnight).values[key] !== undefined);
    expect(own.length).toBeGreaterThan(1);
    const spread = { airTemperature: 1.8, humidity: 7, pressure: 3, pm25: 12, windSpeed: 1.6 }[key] ?? 0;
    for (let hour = 0; hour < 24; hour += 1) {
      const all = own.map((unit) => value(unit, midnight + hour * hourMs, key));
      expect(Math.max(...all) - Math.min(...all), `${hour}:00`).toBeLessThan(spread);
    }
  });

  it('nearer places differ less, and weeks differ', () => {
    const at = cityWeather(defaultSeed);
    const near = Math.abs(at(midnight, [0, 0]).temperature - at(midnight, [60, 40]).temperature);
    expect(near).toBeLessThan(0.06);
    const days = Array.from({ length: 60 }, (_, day) => at(midnight + day * dayMs, [0, 0]).pm25);
    expect(Math.max(...days) / Math.min(...days)).toBeGreaterThan(2);
    expect(distance([0, 0], [60, 40])).toBeLessThan(100);
  });

  const real = join(import.meta.dirname, '../../../shared/data/beijing_dongsi_air_weather_hourly_2013_2015.csv.gz');
  it.skipIf(!existsSync(real))('its hours follow each other as real ones do', () => {
    const rows = gunzipSync(readFileSync(real))
      .toString('utf8')
      .trim()
      .split('\n')
      .map((line) => line.split(','));
    const head = (rows[0] ?? []).map((name) => name.replace(/"/g, '').trim());
    const series = (name: string): number[] =>
      rows.slice(1).map((row) => Number((row[head.indexOf(name)] ?? '').replace(/"/g, '')));
    /** How alike an hour and the next one are, as a correlation. */
    const memory = (all: readonly number[]): number => {
      const pairs = all
        .slice(1)
        .flatMap((next, i) => (Number.isFinite(next) && Number.isFinite(all[i]) ? [[all[i] ?? 0, next] as const] : []));
      const mean = pairs.reduce((sum, [a]) => sum + a, 0) / pairs.length;
      const cov = pairs.reduce((sum, [a, b]) => sum + (a - mean) * (b - mean), 0);
      return cov / pairs.reduce((sum, [a]) => sum + (a - mean) ** 2, 0);
    };
    const at = cityWeather(defaultSeed);
    const ours = Array.from({ length: 90 * 24 }, (_, hour) => at(midnight + hour * hourMs, [0, 0]));
    for (const [name, own] of [
      ['PM2.5', ours.map(({ pm25 }) => pm25)],
      ['TEMP', ours.map(({ temperature }) => temperature)],
    ] as const)
      expect(Math.abs(memory(own) - memory(series(name))), name).toBeLessThan(0.06);
  });
});

describe('devices keep the hours of a city', () => {
  it('cars charge in the evening more than in the morning, over a week', () => {
    const power = (hour: number): number =>
      sound('charging-pile').reduce(
        (sum, unit) =>
          sum +
          Array.from({ length: 7 }, (_, day) =>
            value(unit, midnight + day * dayMs + hour * hourMs, 'chargingPower'),
          ).reduce((a, b) => a + b, 0),
        0,
      );
    expect(power(20)).toBeGreaterThan(2 * power(7));
  });

  it('screens sleep at night and shine brighter at noon, bins fill until they are emptied, people go home', () => {
    for (const unit of sound('information-screen')) {
      const brightness = hourly(unit, 'brightness');
      expect([brightness[2], unit.reading(midnight + 2 * hourMs).values['screenOn']]).toEqual([0, false]);
      expect(brightness[12]).toBeGreaterThan(brightness[20] ?? 100);
    }
    for (const unit of sound('trash-can')) {
      const fill = hourly(unit, 'fill');
      expect(fill.slice(1).filter((now, i) => now < (fill[i] ?? 0)).length).toBeLessThanOrEqual(2);
      expect(Math.max(...fill) - Math.min(...fill)).toBeGreaterThan(10);
    }
    for (const unit of sound('wifi'))
      expect(hourly(unit, 'clients')[20]).toBeGreaterThan(hourly(unit, 'clients')[4] ?? 0);
  });

  it('every state of a pile and a lock is seen within days', () => {
    const seen = (family: string, key: string): Set<unknown> => {
      const found = new Set<unknown>();
      for (const unit of units.filter(({ spec }) => spec.family === family))
        for (let at = midnight; at < midnight + 3 * dayMs; at += minuteMs) found.add(unit.reading(at).values[key]);
      return found;
    };
    const piles = familyOf('charging-pile')?.quantity.get('connectorStatus');
    expect([...seen('charging-pile', 'connectorStatus')].sort()).toEqual(
      piles?.kind === 'enum' ? piles.options.toSorted() : [],
    );
    expect([...seen('parking-lock', 'arm')].sort()).toEqual(['blocked', 'down', 'moving', 'up']);
  });
});
