import { createRandom, seedOf } from '../city/random.ts';
import { ambient, noise } from '../lamp/electrics.ts';
import {
  battery,
  bump,
  clamp,
  dailySum,
  dayMs,
  dayOf,
  dayStart,
  drift,
  hourMs,
  hourOf,
  lagged,
  minuteMs,
  people,
  radio,
  traffic,
} from './signal.ts';
import type { Measured, Model } from './unit.ts';

/** What stands in and beside the street on a battery. */
const jitter = (seed: number, name: number, at: number): number => noise(seed ^ name, at) - 0.5;
/** Below a cover: the season of the ground, some weeks behind the air and without its days. */
const groundTemperature = (at: number): number => {
  const [before, half] = [at - 40 * dayMs, 12 * hourMs];
  return 17 + 0.45 * ((ambient(before) + ambient(before - half)) / 2 - 17);
};

/** 井盖: closed and dry as a rule; water rises after rain, sewage with the day, some gas above it. */
export const manhole: Model = ({ seed, kind, trouble }, { weather }) => {
  const rest = 0.3 + 1.2 * noise(seed, 1000);
  const wet = (at: number): number => lagged(at, 3 * hourMs, (then) => weather(then).rain);
  const water = (at: number): number => {
    const hour = hourOf(at);
    const own = 1 + 0.04 * drift(seed, at, 90 * minuteMs);
    if (kind === 'rainwater') return (60 + 90 * noise(seed, 2000) + 620 * wet(at)) * own;
    if (kind === 'sewage') return (210 + 110 * bump(hour, 8.5, 2.5) + 140 * bump(hour, 20.5, 3) + 120 * wet(at)) * own;
    return 18 * wet(at) + 4 * noise(seed, 2000);
  };
  return (at): Measured => ({
    tilt:
      trouble === 'open'
        ? 68 + 0.2 * jitter(seed, 1, at)
        : rest + 0.15 * jitter(seed, 1, at) + 0.1 * traffic(hourOf(at)),
    displacement: trouble === 'open' ? 212 : Math.round(noise(seed, 3000)),
    waterLevel: trouble === 'flooded' ? 1480 + 60 * drift(seed, at, 4 * hourMs) : water(at),
    gas:
      trouble === 'gas'
        ? 27 + 3 * drift(seed, at, 5 * hourMs)
        : kind === 'sewage'
          ? 1.6 + 1.2 * drift(seed, at, 7 * hourMs)
          : 0,
    battery: battery(seed, at, trouble === 'lowBattery'),
    temperature: groundTemperature(at) + 0.3 * drift(seed, at, 8 * hourMs),
    rssi: radio(seed, at, -101),
  });
};

/** 灯杆倾斜传感器: metal bends with the warmth of the day and sways in the wind. */
export const tiltSensor: Model = ({ seed, trouble }, { weather }) => {
  const zero = [0.6 * (noise(seed, 1000) - 0.5), 0.6 * (noise(seed, 2000) - 0.5)] as const;
  return (at): Measured => {
    const air = weather(at);
    const bent = 0.012 * (air.temperature - 15);
    const sway = 0.015 * air.windSpeed;
    return {
      tiltX: zero[0] + bent + sway * jitter(seed, 1, at) + (trouble === 'leaning' ? 6.4 : 0),
      tiltY: zero[1] - 0.6 * bent + sway * jitter(seed, 2, at) + (trouble === 'leaning' ? -2.1 : 0),
      vibration: 0.003 + 0.004 * air.windSpeed + 0.012 * traffic(hourOf(at)) * noise(seed ^ 3, at),
      battery: battery(seed, at, trouble === 'lowBattery'),
      temperature: air.temperature + 0.3 * jitter(seed, 4, at),
      rssi: radio(seed, at, -98),
    };
  };
};

const thrownAway = dailySum(people);
const emptiedAt = [5.5, 14.5] as const;

/** 垃圾桶: fills with the people of the street until it is emptied. */
export const trashCan: Model = ({ seed, trouble }, { weather }) => {
  // % of its size for each hour of a full street.
  const rate = 2.5 + 6 * noise(seed, 1000);
  const twice = rate > 5.5;
  const emptied = (at: number): number => {
    const late = 30 * minuteMs * noise(seed, 2000);
    const times = [-1, 0].flatMap((day) =>
      emptiedAt.slice(0, twice ? 2 : 1).map((hour) => dayStart(dayOf(at) + day) + hour * hourMs + late),
    );
    return Math.max(...times.filter((time) => time <= at));
  };
  const fill = (at: number): number => clamp(2 + rate * (thrownAway.sum(at) - thrownAway.sum(emptied(at))), 0, 100);
  return (at): Measured => ({
    fill: trouble === 'full' ? 98 : fill(at),
    temperature:
      lagged(at, 2 * hourMs, (then) => weather(then).temperature) +
      (trouble === 'hot' ? 47 : 1.5) +
      0.3 * jitter(seed, 1, at),
    battery: battery(seed, at, trouble === 'lowBattery'),
    rssi: radio(seed, at, -97),
  });
};

const movingMs = 12_000;

/** 车位锁: its arm is up while the bay is kept free and down below a car. */
export const parkingLock: Model = ({ seed, trouble }, { weather }) => {
  const days = new Map<number, readonly (readonly [from: number, to: number])[]>();
  const stays = (day: number): readonly (readonly [number, number])[] => {
    const known = days.get(day);
    if (known) return known;
    const random = createRandom(seedOf(seed, `bay ${day}`));
    const found: [number, number][] = [];
    let at = dayStart(day) + random.between(6.2, 10) * hourMs;
    const end = dayStart(day) + 23.8 * hourMs;
    while (found.length < 5) {
      const to = at + random.between(0.6, found.length === 0 ? 5 : 3) * hourMs;
      if (to > end) break;
      found.push([at, to]);
      at = to + random.between(0.3, 3.5) * hourMs;
    }
    if (days.size > 20) days.clear();
    days.set(day, found);
    return found;
  };
  return (at): Measured => {
    const own = trouble === 'blocked' ? [] : stays(dayOf(at));
    const here = own.some(([from, to]) => at >= from && at < to);
    const moving = own.some(([from, to]) => Math.abs(at - from) < movingMs || Math.abs(at - to) < movingMs);
    return {
      arm: trouble === 'blocked' ? 'blocked' : moving ? 'moving' : here ? 'down' : 'up',
      carPresent: trouble === 'blocked' || here,
      battery: battery(seed, at, trouble === 'lowBattery'),
      temperature: weather(at).temperature + 0.3 * jitter(seed, 1, at),
      rssi: radio(seed, at, -95),
    };
  };
};
