import { ambient, noise } from '../lamp/electrics.ts';
import { createRandom, seedOf } from '../city/random.ts';
import {
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
} from './signal.ts';
import type { Measured, Model } from './unit.ts';

/** What hangs on a smart pole and takes mains power. */
const bodyMs = 30 * minuteMs;
const jitter = (seed: number, name: number, at: number): number => noise(seed ^ name, at) - 0.5;
/** A disk that is written over from the beginning when it is full, % used. */
const disk = (seed: number, at: number, from: number, to: number, days: number): number => {
  const share = ((at / dayMs + 97 * noise(seed, 4000)) % days) / days;
  return from + (to - from) * share;
};

/** 信息屏: on from six to eleven, as bright as the day asks for. */
export const screen: Model = ({ seed, kind, trouble }, { weather, daylight }) => {
  const on = (at: number): boolean => trouble !== 'dark' && hourOf(at) >= 6 && hourOf(at) < 23;
  const bright = (at: number): number =>
    on(at) ? (kind === 'lcd' ? 45 : 32) + 55 * daylight(at) ** 0.6 * (1 - 0.35 * weather(at).cloud) : 0;
  return (at): Measured => ({
    screenOn: on(at),
    brightness: bright(at),
    diskUsed: trouble === 'diskFull' ? 97.6 : disk(seed, at, 22, 61, 45),
    temperature: weather(at).temperature + 3 + 0.24 * lagged(at, bodyMs, bright) + 0.3 * jitter(seed, 1, at),
    rssi: radio(seed, at, -70),
  });
};

const programmes = [
  [7, 8.5],
  [11.5, 13],
  [17, 21.5],
] as const;

/** 公共广播: plays at its hours, less loud in the evening. */
export const broadcast: Model = ({ seed, trouble }, { weather }) => {
  const plays = (at: number): boolean => {
    const hour = hourOf(at);
    return trouble !== 'dark' && programmes.some(([from, to]) => hour >= from && hour < to);
  };
  return (at): Measured => ({
    playing: plays(at),
    volume: trouble === 'dark' ? 0 : hourOf(at) >= 20 || hourOf(at) < 7 ? 40 : 60,
    temperature:
      weather(at).temperature + 4 + 5 * lagged(at, bodyMs, (then) => Number(plays(then))) + 0.3 * jitter(seed, 1, at),
    rssi: radio(seed, at, -67),
  });
};

/** 一键呼叫: registered at its exchange; somebody calls every few days. */
export const call: Model = ({ seed, trouble }, { weather }) => {
  const calls = (day: number): readonly [from: number, to: number] | null => {
    const random = createRandom(seedOf(seed, `call ${day}`));
    if (!random.chance(0.22)) return null;
    const from = dayStart(day) + random.between(7, 23) * hourMs;
    return [from, from + random.between(6, 10) * minuteMs];
  };
  return (at): Measured => {
    const talk = calls(dayOf(at));
    const registered = trouble !== 'unregistered';
    return {
      registered,
      inCall: registered && talk !== null && at >= talk[0] && at < talk[1],
      temperature: weather(at).temperature + 3 + 0.3 * jitter(seed, 1, at),
      rssi: radio(seed, at, -70),
    };
  };
};

/** 安防摄像机: records all day over its oldest pictures; sees nothing when its picture is lost. */
export const camera: Model =
  ({ seed, trouble }, { weather, daylight }) =>
  (at): Measured => ({
    recording: trouble !== 'notRecording' && trouble !== 'videoLost',
    videoLost: trouble === 'videoLost',
    diskUsed: trouble === 'diskFull' ? 99.8 : disk(seed, at, 74, 92, 9),
    // Its lamps for the night warm it a little, the sun by day more.
    temperature: weather(at).temperature + 12 + 4 * daylight(at) + 0.3 * jitter(seed, 1, at),
  });

/** WiFi: people of the street, more of them in the evening. */
export const accessPoint: Model = ({ seed, trouble }, { weather }) => {
  const usual = 14 + 32 * noise(seed, 1000);
  const load = (at: number): number => people(hourOf(at)) * (1 + 0.22 * drift(seed, at, 40 * minuteMs));
  return (at): Measured => {
    const crowded = trouble === 'crowded';
    const clients = Math.max(0, Math.round((crowded ? 190 : usual) * load(at) + (crowded ? 60 : 0)));
    const share = clamp(clients / 220, 0, 1);
    return {
      clients,
      throughput: clients * (crowded ? 0.35 : 1.7 + 0.8 * drift(seed ^ 3, at, 15 * minuteMs)),
      cpu: clamp(9 + 86 * share ** 0.8 + 3 * jitter(seed, 2, at), 3, 99),
      memory: clamp(36 + 55 * share + 2 * drift(seed ^ 4, at, 3 * hourMs), 20, 98),
      temperature: weather(at).temperature + 10 + 10 * share + 0.3 * jitter(seed, 1, at),
    };
  };
};

const traded = dailySum((hour) => clamp(0.16 + 0.45 * people(hour) + 0.35 * bump(hour, 21, 2.5), 0, 1));

/** 5G 微基站: takes power for what is talked through it, and counts it. */
export const microStation: Model = ({ seed, trouble }, { weather }) => {
  const idle = 150 + 40 * noise(seed, 1000);
  const full = 190 + 60 * noise(seed, 2000);
  const base = 800 + 6000 * noise(seed, 3000);
  const from = Date.parse('2026-01-01T00:00:00Z');
  return (at): Measured => {
    const watts = idle + full * traded.value(at);
    return {
      voltage: 227 + 2 * drift(seed, at, 50 * minuteMs) + 0.6 * jitter(seed, 2, at),
      frequency: 50 + 0.03 * drift(seed >>> 5, at, 4 * minuteMs),
      power: watts * (1 + 0.01 * jitter(seed, 3, at)),
      temperature:
        weather(at).temperature +
        8 +
        22 * (watts / (idle + full)) +
        (trouble === 'hot' ? 26 : 0) +
        0.3 * jitter(seed, 1, at),
      energy: base + (idle * ((at - from) / hourMs) + full * (traded.sum(at) - traded.sum(from))) / 1000,
      rssi: radio(seed, at, -64),
    };
  };
};

/** 网关: as busy as its children are many. */
export const gateway: Model =
  ({ seed, children, trouble }, { weather }) =>
  (at): Measured => {
    const overloaded = trouble === 'overloaded';
    return {
      children,
      cpu: clamp(8 + 0.9 * children + 5 * drift(seed, at, 25 * minuteMs) + (overloaded ? 62 : 0), 2, 99),
      memory: clamp(34 + 0.8 * children + 3 * drift(seed ^ 2, at, 5 * hourMs) + (overloaded ? 50 : 0), 10, 98.5),
      diskUsed: disk(seed, at, 18, 46, 60),
      clockOffset: 0.3 * drift(seed ^ 3, at, 6 * hourMs),
      temperature: weather(at).temperature + 9 + (overloaded ? 14 : 0) + 0.3 * jitter(seed, 1, at),
      rssi: radio(seed, at, -68),
    };
  };

/** 时控器: closes its contactors while street lamps should burn; the third loop is off after midnight. */
export const timer: Model =
  ({ seed, children, trouble }, { weather, night }) =>
  (at): Measured => {
    const values: Record<string, number | boolean | string> = {};
    const manual = trouble === 'manual';
    for (let loop = 1; loop <= Math.min(6, children); loop++) {
      const quiet = loop === 3 && hourOf(at) >= 0.5 && hourOf(at) < 12;
      const closed = manual ? loop === 1 : night(at) && !quiet;
      values[`loop${loop}Contactor`] = closed;
      values[`loop${loop}Aux`] = trouble === 'stuckContactor' && loop === 1 ? true : closed;
    }
    return {
      ...values,
      // Set once a month, it gains or loses a little each day.
      clockOffset:
        trouble === 'wrongClock'
          ? 96 + ((at / dayMs) % 30)
          : (6 * (noise(seed, 1000) - 0.5) * ((at / dayMs) % 30)) / 30,
      selector: manual ? 'manual' : 'auto',
      battery: 97 - 6 * noise(seed, 2000),
      temperature: ambient(at) + 6 + 0.15 * (weather(at).temperature - ambient(at)) + 0.2 * jitter(seed, 1, at),
      rssi: radio(seed, at, -73),
    };
  };
