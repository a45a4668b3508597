import { expectedWatts } from '../../catalogue/lighting/lamp-power.ts';
import type { LampSpec } from './spec.ts';

/**
 * What meters at the lamp show. All pure: the same lamp at the same time measures the same. Times are epoch
 * milliseconds.
 */
const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** In [0, 1), fixed for a seed and a number. */
export function noise(seed: number, at: number): number {
  let t = Math.imul((seed ^ Math.floor(at / 1000)) + 0x6d2b79f5, 0x85ebca6b);
  t = Math.imul(t ^ (t >>> 15), 1 | t);
  t ^= t + Math.imul(t ^ (t >>> 7), 61 | t);
  return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
}

const wave = (seed: number, at: number, periodMs: number): number =>
  Math.sin((at / periodMs) * Math.PI * 2 + (seed % 628) / 100);

/** Local solar hour of the day, near enough for a daily swing. */
const hourOfDay = (at: number): number => ((at + 8 * hourMs) % dayMs) / hourMs;

/**
 * Volts of a sound loop at a distance from its box: low in the evening peak, high before dawn, lower behind a loaded
 * cable.
 */
export function loopVoltage(at: number, tapVolts: number, dropVolts: number, load: number, seed: number): number {
  const swing = 2.6 * Math.cos(((hourOfDay(at) - 3.5) / 24) * Math.PI * 2);
  return (
    226.5 +
    swing +
    tapVolts -
    dropVolts * load +
    0.5 * wave(seed, at, 7 * 60_000) +
    0.7 * wave(seed >>> 3, at, 53 * 60_000)
  );
}

export function lampVoltage(spec: LampSpec, at: number, load: number): number {
  const volts =
    loopVoltage(at, spec.tapVolts, spec.dropVolts, load, spec.seed >>> 12) + (noise(spec.seed, at) - 0.5) * 0.4;
  // A wrong tap of the transformer, all day.
  if (spec.fault === 'L105') return Math.max(236.6, volts + 14.5);
  if (spec.fault === 'L106') return Math.min(196.4, volts - 32.5);
  return Math.min(234, Math.max(203, volts));
}

/** Watts that flow through the lamp with its relay closed and its driver at `level` percent. */
export function lampPower(spec: LampSpec, at: number, level: number, volts: number): number {
  if (level <= 0) return 0;
  const sound =
    expectedWatts(spec.ratedWatts, level, spec.curve) *
    spec.tolerance *
    (spec.curve === 'sodium' ? (volts / 226.5) ** 1.6 : 1);
  return sound * faultShare(spec) * (1 - 0.3 * ageOf(spec, at)) * (1 + (noise(spec.seed ^ 0x51ed, at) - 0.5) * 0.008);
}

/** A driver whose capacitors dry out is done after so long. */
const ageingMs = 60 * dayMs;
/** How far its driver has given up, 0 (sound) to 1. */
const ageOf = ({ ageingSince }: LampSpec, at: number): number =>
  ageingSince === null ? 0 : Math.min(1, Math.max(0, (at - ageingSince) / ageingMs));

function faultShare(spec: LampSpec): number {
  const own = noise(spec.seed, 0);
  switch (spec.fault) {
    case 'L101':
      return 0.004 + own * 0.02;
    case 'L107':
      return 1.28 + own * 0.15;
    case 'L108':
      return 0.42 + own * 0.2;
    default:
      return 1;
  }
}

export function powerFactor(spec: LampSpec, at: number, level: number): number {
  const own = noise(spec.seed, 1000);
  if (spec.fault === 'L104') return 0.7 + own * 0.1;
  if (spec.fault === 'L103') return 0.46 + own * 0.08;
  if (spec.fault === 'L101') return 0.35 + own * 0.2;
  if (spec.curve === 'sodium') return 0.88 + own * 0.03;
  const full = 0.945 + own * 0.035 - 0.2 * ageOf(spec, at);
  return level >= 50 ? full - ((100 - level) / 50) * 0.03 : full - 0.03 - ((50 - level) / 50) * 0.3;
}

/** Air of the season and hour, °C. */
export function ambient(at: number): number {
  const day = (at / dayMs) % 365.25;
  return (
    17 -
    12.5 * Math.cos(((day - 18) / 365.25) * Math.PI * 2) +
    3.5 * Math.cos(((hourOfDay(at) - 15) / 24) * Math.PI * 2)
  );
}

/**
 * How fast a driver in its housing, and a cabinet, takes on another temperature: after so long two thirds of the way
 * are done.
 */
const driverMs = 25 * 60_000;
export const cabinetMs = 40 * 60_000;
/** What the controller's own supply warms a lamp that is off, °C. */
export const idleWarmth = 2;

/**
 * How much warmer than the air something is `ms` later that would settle at `settled`: bodies follow, they do not jump.
 */
export const warmed = (warmth: number, settled: number, ms: number, inertiaMs: number): number =>
  settled + (warmth - settled) * Math.exp(-Math.max(0, ms) / inertiaMs);

/**
 * How much warmer than the air the driver is after `ms` in which it took this share of its rated power. `at`: the end
 * of that time.
 */
export function driverWarmth(spec: LampSpec, at: number, share: number, warmth: number, ms: number): number {
  // A lamp that overheats (L116) does so in winter too.
  const lit = spec.fault === 'L116' ? 88 + 9 * noise(spec.seed, 2000) - ambient(at) : 15 + 11 * share;
  return warmed(warmth, share > 0.02 ? lit : idleWarmth, ms, driverMs);
}

/** What the sensor at the driver shows. */
export const temperature = (spec: LampSpec, at: number, warmth: number): number =>
  ambient(at) + warmth + (noise(spec.seed ^ 0x77, at) - 0.5) * 0.4;

export function leakage(spec: LampSpec, at: number): number {
  const own = noise(spec.seed ^ 0x99, at);
  return spec.fault === 'L109' ? 34 + 18 * noise(spec.seed, 3000) + own * 2 : 0.2 + own * 0.4;
}

/** A lamp whose arc or driver gives up and starts again (L114): dark for some minutes of each cycle. */
export const flickerCycleMs = 13 * 60_000;
export const flickerDarkMs = 150_000;
export function flickersDark(spec: LampSpec, at: number): boolean {
  return spec.fault === 'L114' && (at + (spec.seed % flickerCycleMs)) % flickerCycleMs < flickerDarkMs;
}
