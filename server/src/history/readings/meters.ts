import { familyOf, type Family } from '../../../../catalogue/index.ts';
import { counterOf, gapPeriods, plausibleTimes, type EnergyMeter } from '../../../../catalogue/lighting/energy.ts';
import { controllerFamily, lampFamily } from '../../../../catalogue/lighting/families.ts';
import { learnedWatts, type LearnedCurve } from '../../../../catalogue/lighting/lamp-power.ts';
import { levelsBetween, litBetween } from '../../../../catalogue/lighting/plan/lamp-plan.ts';
import type { LampPlan } from '../../../../catalogue/lighting/plan/programme.ts';

const longestNightMs = 48 * 3_600_000;

/** Families energy is known of: those with a counter, and lamps. */
const counting = (family: Family): boolean => family.quantity.has('energy');
export const isEnergyFamily = (key: string): boolean => {
  const family = familyOf(key);
  return family !== undefined && (counting(family) || key === lampFamily);
};

export interface Metered {
  readonly family: string;
  readonly ratedWatts: number | null;
  /** What it follows; undefined: no place is known, nothing is planned. */
  readonly plan: LampPlan | undefined;
  /** The greatest value that its own counter shows; else the range of the quantity holds. */
  readonly counterMax?: number | null;
  /** What was learned of lamps of its model. */
  readonly curve?: LearnedCurve | null;
}

/** What a device's energy is judged by: its family, its rated power, its counter, its plan. */
export function meterOf({ family: key, ratedWatts, plan: ownPlan, counterMax, curve = null }: Metered): EnergyMeter {
  const family = familyOf(key);
  const energy = family?.quantity.get('energy');
  const plan = key === lampFamily || key === controllerFamily ? ownPlan : undefined;
  // The rated power of a controller is its own, its counter that of everything behind it.
  const rated = key === controllerFamily ? null : ratedWatts;
  const [litMs, unlitMs] = [(family?.report?.lit ?? 3600) * 1000, (family?.report?.unlit ?? 3600) * 1000];
  const quickest = Math.min(litMs, unlitMs);
  return {
    mostWatts: rated === null ? plausibleWatts(family) : plausibleTimes * rated,
    ...(energy?.kind === 'number' ? counterOf(counterMax ?? energy.max, 10 ** -energy.decimals) : noCounter),
    wattsAt: key === lampFamily && ratedWatts !== null ? (level) => learnedWatts(ratedWatts, level, curve) : null,
    planned: (from, to) => (plan ? lightOf(plan, from, to, curve) : 0),
    // What is no gap by the quicker of both periods is none: the plan, which costs more than all the rest, is asked for
    // long stretches alone. No night is two days long where lamps are switched by the sun.
    period: (from, to) =>
      to - from <= gapPeriods * quickest
        ? quickest
        : litMs === unlitMs || (to - from < longestNightMs && plan !== undefined && isLit(plan, from, to))
          ? litMs
          : unlitMs,
  };
}

const noCounter = { counterRange: Number.POSITIVE_INFINITY, stepKwh: 0 };

/** The most a device of the family can take at all, by the ranges of what it reports. */
function plausibleWatts(family: Family | undefined): number | null {
  const powers = ['power', 'powerA', 'powerB', 'powerC', 'chargingPower'].flatMap(
    (key) => family?.quantity.get(key) ?? [],
  );
  return powers.length === 0
    ? null
    : powers.reduce((sum, quantity) => sum + (quantity.kind === 'number' ? quantity.max : 0), 0);
}

/**
 * How much light the plan gives in a stretch: milliseconds, each weighed by what its level takes of the power at full
 * level.
 */
function lightOf(plan: LampPlan, from: number, to: number, curve: LearnedCurve | null): number {
  const full = learnedWatts(1, 100, curve);
  return levelsBetween(plan, from, to).reduce(
    (light, { from: start, to: end, level }) => light + ((end - start) * learnedWatts(1, level, curve)) / full,
    0,
  );
}

/** Whether the plan lights a stretch from end to end. */
function isLit(plan: LampPlan, from: number, to: number): boolean {
  const [first] = litBetween(plan, from, to);
  return first?.from === from && first.to === to;
}
