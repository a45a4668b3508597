import { familyOf, type Family } from '../../../../catalogue/index.ts';
import { counterOf, gapPeriods, plausibleTimes, type EnergyMeter } from '../../../../catalogue/lighting/energy.ts';
import { controllerFamily, lampFamily } from '../../../../catalogue/lighting/families.ts';
import { learnedWatts, type LearnedCurve } from '../../../../catalogue/lighting/lamp-power.ts';
import { switchTimes } from '../../../../catalogue/lighting/plan.ts';
import { lightingDay, type SunPlace } from '../../../../catalogue/lighting/sun.ts';
import { addDays } from '../../../../catalogue/lighting/zone.ts';

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
  readonly place: SunPlace | undefined;
  /** The greatest value that its own counter shows; else the range of the quantity holds. */
  readonly counterMax?: number | null;
  /** What was learned of lamps of its model. */
  readonly curve?: LearnedCurve | null;
}

/** What a device's energy is judged by: its family, its rated power, its counter, the plan of its place. */
export function meterOf({ family: key, ratedWatts, place, counterMax, curve = null }: Metered): EnergyMeter {
  const family = familyOf(key);
  const energy = family?.quantity.get('energy');
  const lit = place && (key === lampFamily || key === controllerFamily) ? litTime(place) : () => 0;
  // The rated power of a controller is its own, its counter that of everything behind it.
  const rated = key === controllerFamily ? null : ratedWatts;
  const [litMs, unlitMs] = [(family?.report?.lit ?? 3600) * 1000, (family?.report?.unlit ?? 3600) * 1000];
  const quickest = Math.min(litMs, unlitMs);
  return {
    mostWatts: rated === null ? plausibleWatts(family) : plausibleTimes * rated,
    ...(energy?.kind === 'number' ? counterOf(counterMax ?? energy.max, 10 ** -energy.decimals) : noCounter),
    wattsAt: key === lampFamily && ratedWatts !== null ? (level) => learnedWatts(ratedWatts, level, curve) : null,
    planned: lit,
    // What is no gap by the quicker of both periods is none: the plan, which costs more than all the rest, is asked for
    // long stretches alone. No night is two days long where lamps are switched by the sun.
    period: (from, to) =>
      to - from <= gapPeriods * quickest
        ? quickest
        : litMs === unlitMs || (to - from < longestNightMs && lit(from, to) >= to - from)
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

const nights = new WeakMap<SunPlace, Map<string, { readonly from: number; readonly to: number } | null>>();

/** How much of a stretch the plan lights, milliseconds; at full level, as the only table has it. */
function litTime(place: SunPlace): (from: number, to: number) => number {
  const known = nights.get(place) ?? new Map<string, { from: number; to: number } | null>();
  nights.set(place, known);
  const nightOf = (day: string) => {
    let night = known.get(day);
    if (night === undefined) {
      const { onAt, offAt } = switchTimes(place, day);
      night = onAt !== null && offAt !== null && onAt < offAt ? { from: onAt, to: offAt } : null;
      known.set(day, night);
    }
    return night;
  };
  return (from, to) => {
    let sum = 0;
    // An offset may move a night to the neighbouring lighting day.
    const last = addDays(lightingDay(place, to).day, 1);
    for (let day = addDays(lightingDay(place, from).day, -1); day <= last; day = addDays(day, 1)) {
      const night = nightOf(day);
      if (night) sum += Math.max(0, Math.min(to, night.to) - Math.max(from, night.from));
    }
    return sum;
  };
}
