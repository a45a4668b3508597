import { sunDay, type SunPlace } from '../../catalogue/lighting/sun.ts';
import { addDays, dayOf as calendarDay } from '../../catalogue/lighting/zone.ts';
import { familyOf } from '../../catalogue/index.ts';
import type { ReadingValue } from '../../catalogue/quantities/index.ts';
import type { Point } from '../city/plane.ts';
import type { Equipment } from '../city/types.ts';
import type { Weather } from './weather.ts';
import { clamp } from './signal.ts';

/** What a device measures at a time; null: it knows none. */
export type Measured = Readonly<Record<string, ReadingValue | null>>;

/** One device as its model needs it. */
export interface UnitSpec extends Pick<Equipment, 'family' | 'kind' | 'trouble'> {
  readonly seed: number;
  readonly at: Point;
  /** Devices behind a gateway; loops of the box of a time controller. */
  readonly children: number;
}

/** What is around it: weather at its place, and the light of the area's sun from 0 (night) to 1 (noon). */
export interface Surroundings {
  readonly weather: (at: number) => Weather;
  readonly daylight: (at: number) => number;
  /** Whether street lamps burn. */
  readonly night: (at: number) => boolean;
}

/** A model: what one device of its families measures at any time (epoch ms). Pure: asked again it says the same. */
export type Model = (spec: UnitSpec, around: Surroundings) => (at: number) => Measured;

/** The light of a sun: none in the night, all at noon, little at its rim. */
export function daylightOf(place: SunPlace, at: number): number {
  const day = calendarDay(at, place.timeZone);
  for (const one of [day, addDays(day, -1), addDays(day, 1)]) {
    const { sunrise, sunset } = sunDay(place, one);
    if (sunrise === null || sunset === null || at < sunrise || at > sunset) continue;
    return Math.sin((Math.PI * (at - sunrise)) / (sunset - sunrise));
  }
  return 0;
}

/** Values as the family's catalogue spells them: rounded, within their range; a quantity that it does not know is left out. */
export function spelt(family: string, values: Measured): Measured {
  const known = familyOf(family);
  return Object.fromEntries(
    Object.entries(values).flatMap(([key, value]) => {
      const quantity = known?.quantity.get(key);
      if (!quantity) return [];
      if (quantity.kind !== 'number' || typeof value !== 'number') return [[key, value]];
      return [[key, Number(clamp(value, quantity.min, quantity.max).toFixed(quantity.decimals))]];
    }),
  );
}
