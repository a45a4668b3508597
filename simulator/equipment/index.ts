import { familyOf } from '../../catalogue/index.ts';
import type { SunPlace } from '../../catalogue/lighting/sun.ts';
import type { OutReading } from '../../protocols/mqtt-json/device.ts';
import type { EquipmentFamily } from '../city/equipment-kinds.ts';
import { seedOf } from '../city/random.ts';
import type { City } from '../city/types.ts';
import { airStation } from './air.ts';
import { chargingPile } from './charging.ts';
import { manhole, parkingLock, tiltSensor, trashCan } from './ground.ts';
import { accessPoint, broadcast, call, camera, gateway, microStation, screen, timer } from './mounted.ts';
import { solarController } from './solar.ts';
import { daylightOf, spelt, type Model, type Surroundings, type UnitSpec } from './unit.ts';
import { cityWeather } from './weather.ts';

const models: Readonly<Record<EquipmentFamily, Model>> = {
  gateway,
  'information-screen': screen,
  'public-broadcast': broadcast,
  'one-click-call': call,
  'security-camera': camera,
  'environmental-monitor': airStation,
  'charging-pile': chargingPile,
  wifi: accessPoint,
  'micro-station-5g': microStation,
  'pole-tilt-sensor': tiltSensor,
  'manhole-cover': manhole,
  'trash-can': trashCan,
  'parking-lock': parkingLock,
  'solar-controller': solarController,
  'time-controller': timer,
};

/** A device of the city that is no lamp, as it measures. */
export interface Unit {
  readonly spec: UnitSpec;
  readonly code: string;
  /** Milliseconds between two of its reports. */
  readonly periodMs: number;
  /** What it measures at a time (epoch ms), whatever it was asked before. */
  reading(at: number): OutReading;
  /** The next time of its own reporting grid after `at`; `stepMs`: of a coarser one. */
  nextReport(at: number, stepMs?: number): number;
}

/** The devices of a city that are no lamps, in the city's order. `place` tells the area's sun of now. */
export function createUnits(city: Pick<City, 'seed' | 'equipment' | 'boxes'>, place: () => SunPlace): Unit[] {
  const weather = cityWeather(city.seed);
  const children = Map.groupBy(city.equipment, ({ gateway: through }) => through);
  return city.equipment.map((one, index): Unit => {
    const seed = seedOf(city.seed, one.code);
    const spec: UnitSpec = {
      family: one.family,
      kind: one.kind,
      trouble: one.trouble,
      seed,
      at: one.at,
      children: one.box === null ? (children.get(index)?.length ?? 0) : (city.boxes[one.box]?.loops.length ?? 0),
    };
    return createUnit(spec, one.code, {
      weather: (at) => weather(at, one.at),
      daylight: (at) => daylightOf(place(), at),
      night: (at) => daylightOf(place(), at) === 0,
    });
  });
}

/** One device by its make and what is around it. */
export function createUnit(spec: UnitSpec, code: string, around: Surroundings): Unit {
  const measure = models[spec.family](spec, around);
  const periodMs = (familyOf(spec.family)?.report?.lit ?? 900) * 1000;
  return {
    spec,
    code,
    periodMs,
    reading: (at) => ({ at, values: spelt(spec.family, measure(at)) }),
    nextReport(at, stepMs = periodMs) {
      const phase = spec.seed % stepMs;
      return Math.floor((at - phase) / stepMs + 1) * stepMs + phase;
    },
  };
}
