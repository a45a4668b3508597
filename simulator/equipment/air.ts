import { noise } from '../lamp/electrics.ts';
import { drift, hourOf, minuteMs, radio, traffic } from './signal.ts';
import type { Measured, Model } from './unit.ts';

/** Which factors a station of each kind measures. */
const factors: Readonly<Record<string, readonly string[]>> = {
  air: [
    'pm25',
    'pm10',
    'airTemperature',
    'humidity',
    'pressure',
    'windSpeed',
    'windDirection',
    'so2',
    'no2',
    'co',
    'o3',
    'noise',
  ],
  noise: ['noise', 'windSpeed', 'windDirection'],
  dust: ['pm25', 'pm10', 'tsp', 'noise', 'windSpeed', 'windDirection'],
  weather: ['airTemperature', 'humidity', 'pressure', 'windSpeed', 'windDirection', 'pm25'],
};
/** The sensor that stands still shows what it showed then. */
const stuckAt = Date.parse('2026-01-01T00:00:00Z');

/** 环境监测: the city's air, with the small errors of its own sensors. */
export const airStation: Model = ({ seed, kind, trouble }, { weather, daylight }) => {
  const bias = (n: number): number => noise(seed, n * 1000) - 0.5;
  const all = (at: number): Measured => {
    const air = weather(at);
    const hour = hourOf(at);
    const busy = traffic(hour);
    const jitter = (name: number): number => noise(seed ^ name, at) - 0.5;
    const pm25 = air.pm25 * (1 + 0.06 * bias(1)) + 1.2 * jitter(11);
    const pm10 = 1.5 * pm25 + 9 + 6 * busy + 2 * jitter(12);
    return {
      pm25,
      pm10,
      tsp: 1.45 * pm10 + 18 + 4 * jitter(13),
      airTemperature: air.temperature + 0.4 * bias(2) + 0.1 * jitter(14),
      humidity: air.humidity + 2 * bias(3) + 0.4 * jitter(15),
      pressure: air.pressure + 0.6 * bias(4) + 0.1 * jitter(16),
      windSpeed: air.windSpeed * (1 + 0.3 * bias(5)) + 0.2 * jitter(17),
      windDirection: (air.windDirection + 16 * bias(6) + 6 * jitter(18) + 360) % 360,
      so2: 6 + 0.05 * pm25 + jitter(19),
      no2: 16 + 26 * busy + 0.2 * pm25 + 2 * jitter(20),
      co: 0.35 + 0.006 * pm25 + 0.25 * busy + 0.04 * jitter(21),
      o3: 24 + 75 * daylight(at) * (1 - 0.5 * air.cloud) - 10 * busy + 2 * jitter(22),
      noise: 44 + 17 * busy + 3 * bias(7) + 4 * air.rain + 1.6 * drift(seed, at, 7 * minuteMs) + 1.2 * jitter(23),
      rssi: radio(seed, at, -76),
    };
  };
  return (at) => {
    const values = all(at);
    const stuck = trouble === 'stuckSensor' ? all(stuckAt) : values;
    return Object.fromEntries([
      ...(factors[kind] ?? []).map((key) => [key, (key === 'pm25' || key === 'noise' ? stuck : values)[key] ?? null]),
      ['rssi', values['rssi']],
    ]) as Measured;
  };
};
