import { defaultTable, switchTimes, type TablePoint } from '../../../../catalogue/lighting/plan.ts';
import { lightingDay, sunDay, type SunPlace } from '../../../../catalogue/lighting/sun.ts';
import { addDays } from '../../../../catalogue/lighting/zone.ts';
import type { PlanView } from './light.ts';

export interface Span {
  readonly from: number;
  readonly to: number;
}

/** Nights and days of one place around an instant, computed once and then looked up per sample. Times in ms. */
export interface AreaPlan extends PlanView {
  /** Stretches in which the table lights the lamps, ascending. */
  readonly lit: readonly Span[];
  /** Sunset to sunrise, ascending. */
  readonly nights: readonly Span[];
  /** The lighting day of `now`: noon to noon. */
  readonly lightingDay: Span;
  readonly onAt: number | null;
  readonly offAt: number | null;
  readonly sunset: number | null;
  readonly sunrise: number | null;
}

/** Two nights back and one ahead: what a judgement over the last hours and the next switch need. */
export function areaPlan(place: SunPlace, now: number, table: readonly TablePoint[] = defaultTable): AreaPlan {
  const today = lightingDay(place, now);
  const lit: Span[] = [];
  const nights: Span[] = [];
  const days: Span[] = [];
  for (let back = 2; back >= -1; back--) {
    const day = addDays(today.day, -back);
    const { onAt, offAt } = switchTimes(place, day, table);
    if (onAt !== null && offAt !== null && onAt < offAt) lit.push({ from: onAt, to: offAt });
    const { sunset, sunrise } = sunDay(place, day);
    const nextSunrise = sunDay(place, addDays(day, 1)).sunrise;
    if (sunset !== null && nextSunrise !== null) nights.push({ from: sunset, to: nextSunrise });
    if (sunrise !== null && sunset !== null) days.push({ from: sunrise, to: sunset });
  }
  const inside = (spans: readonly Span[], at: number, margin = 0) =>
    spans.some((span) => span.from + margin <= at && at < span.to - margin);
  const tonight = switchTimes(place, today.day, table);
  return {
    lit,
    nights,
    lightingDay: { from: today.from, to: today.to },
    onAt: tonight.onAt,
    offAt: tonight.offAt,
    sunset: sunDay(place, today.day).sunset,
    sunrise: sunDay(place, addDays(today.day, 1)).sunrise,
    shouldBeLit: (at) => inside(lit, at),
    lastOn: (at) => lit.findLast((span) => span.from <= at)?.from ?? null,
    isDay: (at, marginSeconds) => inside(days, at, marginSeconds * 1000),
  };
}
