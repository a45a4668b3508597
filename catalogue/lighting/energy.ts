import { decimalsOf } from '../fields/number.ts';

/**
 * Energy between readings: the difference of a counter, judged; over a stretch without reports spread by the
 * planned level; without any counter rated power × level curve × time. Instants are epoch milliseconds, energies kWh.
 */

const hourMs = 3_600_000;

/** Differences above so many times the rated power × time are not believed. */
export const plausibleTimes = 1.5;
/** A counter that falls from above this share of its range has rolled over. */
export const rolloverShare = 0.9;
/** So many reporting periods without a reading are a gap. */
export const gapPeriods = 3;

export interface CounterReading {
  readonly at: number;
  readonly kwh: number;
}

export interface Meter {
  /** The most that can flow, watts; null: not known, then nothing is too much. */
  readonly mostWatts: number | null;
  /** How much the counter counts until it shows the same again: from its greatest value to 0 it is one step. */
  readonly counterRange: number;
  /** The smallest step of the counter: one of it is always believed. */
  readonly stepKwh: number;
}

/**
 * How a counter counts that shows at most `most`: 99999.9 counts tenths, and a tenth later 0. Without decimals it may
 * have more than it was said to have: its steps are those of its quantity. A power of ten is no greatest value, but
 * where it starts again.
 */
export function counterOf(most: number, stepKwh: number): Pick<Meter, 'counterRange' | 'stepKwh'> {
  if (/^10*$/.test(String(most))) return { counterRange: most, stepKwh };
  const decimals = decimalsOf(most);
  return {
    counterRange: Number((most + 10 ** -decimals).toFixed(decimals)),
    stepKwh: decimals > 0 ? 10 ** -decimals : stepKwh,
  };
}

/** What the step from one counter reading to the next says. */
export interface CounterStep {
  /** null: cannot be true; the stretch is left out. */
  readonly kwh: number | null;
  readonly event: 'rollover' | 'reset' | 'invalid' | null;
  /** The most that was believed. */
  readonly limitKwh: number | null;
}

/** The most that a device may plausibly have used in a time. */
export function limitKwh(
  { mostWatts, stepKwh }: Pick<Meter, 'mostWatts' | 'stepKwh'>,
  milliseconds: number,
): number | null {
  return mostWatts === null ? null : (mostWatts / 1000) * (milliseconds / hourMs) + stepKwh;
}

/**
 * Judges one step of a counter. A fall is a rollover near its end, else a reset, of which what it shows now was used
 * since, if that can be.
 */
export function counterStep(before: CounterReading, after: CounterReading, meter: Meter): CounterStep {
  const limit = limitKwh(meter, after.at - before.at);
  const difference = after.kwh - before.kwh;
  const judged = (kwh: number, event: 'rollover' | 'reset' | null): CounterStep =>
    limit !== null && kwh > limit ? { kwh: null, event: 'invalid', limitKwh: limit } : { kwh, event, limitKwh: limit };
  if (difference >= 0) return judged(difference, null);
  // What shows more than it can has another counter than it was said to have.
  if (before.kwh > rolloverShare * meter.counterRange && before.kwh <= meter.counterRange)
    return judged(meter.counterRange - before.kwh + after.kwh, 'rollover');
  return judged(after.kwh, 'reset');
}

/**
 * A reading as energy is reckoned from it: of a counter (`kwh`), or, while the device counts nothing, of its level in
 * percent.
 */
export interface EnergyReading {
  readonly at: number;
  readonly kwh: number | null;
  readonly level: number | null;
}

export interface EnergyMeter extends Meter {
  /** Watts at a level, for what is calculated; null: nothing is. */
  readonly wattsAt: ((level: number) => number) | null;
  /**
   * How often it reports in this stretch, milliseconds; of one that is no gap by the quickest of its periods that one.
   */
  readonly period: (from: number, to: number) => number;
  /** The share of this stretch in the planned light: level × time in any unit; 0: dark. */
  readonly planned: (from: number, to: number) => number;
}

export interface HourEnergy {
  measured: number;
  estimated: number;
  calculated: number;
  invalidSeconds: number;
  resets: number;
}

export interface EnergyEvent {
  readonly at: number;
  readonly kind: 'rollover' | 'reset' | 'invalid';
  readonly fromAt: number;
  readonly fromKwh: number;
  readonly toKwh: number;
  readonly limitKwh: number | null;
}

export interface EnergyOfHours {
  /** By the instant the hour begins. */
  readonly hours: ReadonlyMap<number, HourEnergy>;
  /** Of the readings within the span, the first of which is the end of a step. */
  readonly events: readonly EnergyEvent[];
}

/**
 * Energy hour by hour of the stretches between neighbouring readings (ascending), as far as they lie in `from`–`to`
 * (full hours). A stretch between two counter readings is measured; longer than three reporting periods it is
 * estimated, and its hours share the difference by the planned level. A stretch after a reading without a counter is
 * calculated from its level, beyond three periods from the plan.
 */
export function energyOfHours(
  readings: readonly EnergyReading[],
  { from, to }: { readonly from: number; readonly to: number },
  meter: EnergyMeter,
): EnergyOfHours {
  const hours = new Map<number, HourEnergy>();
  const events: EnergyEvent[] = [];
  for (const [index, after] of readings.entries()) {
    const before = readings[index - 1];
    if (!before || after.at <= from || before.at >= to || after.at <= before.at) continue;
    if (before.kwh === null) calculate(hours, before, after, { from, to }, meter);
    else if (after.kwh !== null) {
      const event = count(
        hours,
        { at: before.at, kwh: before.kwh },
        { at: after.at, kwh: after.kwh },
        { from, to },
        meter,
      );
      if (event && after.at <= to) events.push(event);
    }
  }
  return { hours, events };
}

function count(
  hours: Map<number, HourEnergy>,
  before: CounterReading,
  after: CounterReading,
  span: { from: number; to: number },
  meter: EnergyMeter,
): EnergyEvent | null {
  const { kwh, event, limitKwh: limit } = counterStep(before, after, meter);
  const noted = event && {
    at: after.at,
    kind: event,
    fromAt: before.at,
    fromKwh: before.kwh,
    toKwh: after.kwh,
    limitKwh: limit,
  };
  if (kwh === null) {
    for (const part of partsOf(before.at, after.at, span))
      hourOf(hours, part.hour).invalidSeconds += (part.to - part.from) / 1000;
    return noted;
  }
  const isGap = isLong(before.at, after.at, meter);
  const light = isGap ? meter.planned(before.at, after.at) : 0;
  for (const part of partsOf(before.at, after.at, span)) {
    const share =
      light > 0 ? meter.planned(part.from, part.to) / light : (part.to - part.from) / (after.at - before.at);
    hourOf(hours, part.hour)[isGap ? 'estimated' : 'measured'] += kwh * share;
  }
  // Told once, in the hour in which it was seen.
  if (event === 'reset' && after.at > span.from && after.at <= span.to)
    hourOf(hours, Math.floor((after.at - 1) / hourMs) * hourMs).resets += 1;
  return noted;
}

function calculate(
  hours: Map<number, HourEnergy>,
  before: EnergyReading,
  after: EnergyReading,
  span: { from: number; to: number },
  meter: EnergyMeter,
): void {
  if (meter.wattsAt === null || before.level === null) return;
  const isGap = isLong(before.at, after.at, meter);
  const watts = meter.wattsAt(isGap ? 100 : before.level);
  for (const part of partsOf(before.at, after.at, span))
    hourOf(hours, part.hour).calculated +=
      (watts * (isGap ? meter.planned(part.from, part.to) : part.to - part.from)) / hourMs / 1000;
}

const isLong = (from: number, to: number, { period }: EnergyMeter): boolean =>
  to - from > gapPeriods * period(from, to);

/** A stretch cut at full hours, as far as it lies in the span. */
function* partsOf(
  from: number,
  to: number,
  span: { readonly from: number; readonly to: number },
): Generator<{ hour: number; from: number; to: number }> {
  const end = Math.min(to, span.to);
  for (let at = Math.max(from, span.from); at < end;) {
    const hour = Math.floor(at / hourMs) * hourMs;
    const next = Math.min(hour + hourMs, end);
    yield { hour, from: at, to: next };
    at = next;
  }
}

function hourOf(hours: Map<number, HourEnergy>, hour: number): HourEnergy {
  let energy = hours.get(hour);
  if (!energy) {
    energy = { measured: 0, estimated: 0, calculated: 0, invalidSeconds: 0, resets: 0 };
    hours.set(hour, energy);
  }
  return energy;
}
