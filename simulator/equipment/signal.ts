import { noise } from '../lamp/electrics.ts';

/** Curves that devices measure along. All pure; times are epoch milliseconds. */
export const minuteMs = 60_000;
export const hourMs = 3_600_000;
export const dayMs = 24 * hourMs;
/** The city's zone has no daylight saving. */
const zoneMs = 8 * hourMs;

/** Days since the epoch by the city's calendar, and the hour of that day. */
export const dayOf = (at: number): number => Math.floor((at + zoneMs) / dayMs);
export const dayStart = (day: number): number => day * dayMs - zoneMs;
export const hourOf = (at: number): number => ((at + zoneMs) % dayMs) / hourMs;

export const clamp = (value: number, low: number, high: number): number => Math.min(high, Math.max(low, value));

/** Wanders between -1 and 1: a value for each period, joined smoothly. */
export function drift(seed: number, at: number, periodMs: number): number {
  const step = Math.floor(at / periodMs);
  const share = at / periodMs - step;
  const from = noise(seed, step * 1000);
  const to = noise(seed, (step + 1) * 1000);
  return 2 * (from + ((to - from) * (1 - Math.cos(share * Math.PI))) / 2) - 1;
}

/** 1 at an hour of the day, less before and after it; hours go round. */
export function bump(hour: number, centre: number, width: number): number {
  const away = Math.abs(((hour - centre + 36) % 24) - 12);
  return Math.exp(-((away / width) ** 2));
}

/** How busy streets are, 0 to 1: two peaks, quiet before dawn. */
export const traffic = (hour: number): number =>
  clamp(
    0.06 +
      0.8 * bump(hour, 8.2, 1.6) +
      0.55 * bump(hour, 13, 3.2) +
      0.9 * bump(hour, 18.2, 2) +
      0.3 * bump(hour, 21, 2),
    0,
    1,
  );

/** How many people are about, 0 to 1: a long evening. */
export const people = (hour: number): number =>
  clamp(0.03 + 0.35 * bump(hour, 8, 1.5) + 0.55 * bump(hour, 12.5, 2.5) + 0.95 * bump(hour, 19.5, 2.6), 0, 1);

/** A curve of the day and what it sums up to, hours × its value: the sum never falls and follows the curve. */
export interface DailySum {
  readonly value: (at: number) => number;
  /** Since the epoch. */
  readonly sum: (at: number) => number;
}

const stepsOfDay = 288;

export function dailySum(curve: (hour: number) => number): DailySum {
  const sums = [0];
  for (let step = 0; step < stepsOfDay; step++)
    sums.push((sums[step] ?? 0) + (curve(((step + 0.5) * 24) / stepsOfDay) * 24) / stepsOfDay);
  return {
    value: (at) => curve(hourOf(at)),
    sum: (at) => {
      const place = (hourOf(at) / 24) * stepsOfDay;
      const step = Math.min(stepsOfDay - 1, Math.floor(place));
      const [from = 0, to = 0] = [sums[step], sums[step + 1]];
      return dayOf(at) * (sums[stepsOfDay] ?? 0) + from + (to - from) * (place - step);
    },
  };
}

/** The steps of a mean over the past: fine enough that a switch shows as a slope. */
const lagSteps = 36;
const weights = Array.from({ length: lagSteps }, (_, step) => Math.exp((-4 * step) / lagSteps));
const weightSum = weights.reduce((sum, weight) => sum + weight, 0);

/** What a body shows that follows `input` with this inertia. */
export function lagged(at: number, inertiaMs: number, input: (at: number) => number): number {
  let sum = 0;
  for (let step = 0; step < lagSteps; step++)
    sum += (weights[step] ?? 0) * input(at - (4 * step * inertiaMs) / lagSteps);
  return sum / weightSum;
}

/** A battery that is changed every few years, % left. `low`: it was forgotten. */
export function battery(seed: number, at: number, low: boolean): number {
  const lifeMs = 1400 * dayMs;
  const age = ((at + noise(seed, 7000) * lifeMs) % lifeMs) / lifeMs;
  return low ? 6 + 8 * noise(seed, 8000) : 100 - 68 * age;
}

export const radio = (seed: number, at: number, mean: number): number =>
  mean + 8 * (noise(seed, 9000) - 0.5) + 2 * drift(seed ^ 0x31, at, 20 * minuteMs);
