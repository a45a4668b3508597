import { ambient } from '../lamp/electrics.ts';
import { seedOf } from '../city/random.ts';
import type { Point } from '../city/plane.ts';
import { bump, clamp, drift, hourMs, hourOf, minuteMs, traffic } from './signal.ts';

/** The air of a place at a time: temperatures in °C, shares from 0 to 1, the rest in the units of the catalogue. */
export interface Weather {
  readonly temperature: number;
  readonly humidity: number;
  readonly pressure: number;
  readonly windSpeed: number;
  readonly windDirection: number;
  readonly cloud: number;
  readonly rain: number;
  readonly pm25: number;
}

export type WeatherAt = (at: number, place: Point) => Weather;

/**
 * One weather for the whole city, so that neighbours agree; a place differs from it by its quarter, which is warmer and
 * dustier or less so. Fronts pass within days. The same for the same seed.
 */
export function cityWeather(citySeed: number): WeatherAt {
  const seed = (name: string): number => seedOf(citySeed, `weather ${name}`);
  const seeds = {
    front: seed('front'),
    cloud: seed('cloud'),
    high: seed('high'),
    wind: seed('wind'),
    turn: seed('turn'),
    dust: seed('dust'),
  };
  return (at, [x, y]) => {
    const hour = hourOf(at);
    const quarter = Math.sin(x / 1100 + 1.3) * Math.cos(y / 900);
    const cloud = clamp(
      0.45 + 0.55 * drift(seeds.cloud, at, 14 * hourMs) + 0.3 * drift(seeds.high, at, 41 * hourMs),
      0,
      1,
    );
    const rain = clamp((cloud - 0.82) * 6, 0, 1);
    const swing = 3.5 * Math.cos(((hour - 15) / 24) * Math.PI * 2);
    const temperature = ambient(at) + 2.4 * drift(seeds.front, at, 32 * hourMs) - rain + 0.5 * quarter;
    const windSpeed = Math.max(
      0.2,
      2 +
        1.3 * drift(seeds.wind, at, 9 * hourMs) +
        0.9 * bump(hour, 15, 4) +
        0.35 * drift(seeds.wind, at, 11 * minuteMs),
    );
    const rush = 1 + 0.22 * traffic(hour) - 0.05 * windSpeed;
    return {
      temperature,
      humidity: clamp(64 - 3.2 * swing + 18 * (cloud - 0.5) + 16 * rain + 1.5 * quarter, 22, 99),
      pressure:
        1016 +
        6 * drift(seeds.high, at, 58 * hourMs) +
        1.1 * Math.cos(((hour - 10) / 12) * Math.PI * 2) -
        0.4 * (y / 1000),
      windSpeed,
      windDirection:
        (360 + 140 + 75 * drift(seeds.turn, at, 26 * hourMs) + 10 * drift(seeds.turn, at, 13 * minuteMs)) % 360,
      cloud,
      rain,
      pm25: Math.max(
        4,
        33 * Math.exp(0.75 * drift(seeds.dust, at, 34 * hourMs)) * (1 - 0.45 * rain) * rush + 2.5 * quarter,
      ),
    };
  };
}
