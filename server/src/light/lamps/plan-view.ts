import { litBetween, nightOf } from '../../../../catalogue/lighting/plan/lamp-plan.ts';
import type { LampPlan, Span } from '../../../../catalogue/lighting/plan/programme.ts';
import { lightingDay, lightingDayOf, sunDay, type SunPlace } from '../../../../catalogue/lighting/sun.ts';
import { addDays, type Day } from '../../../../catalogue/lighting/zone.ts';
import type { PlanView } from './light.ts';

/** What a lamp and its supply are judged by. Times in ms. */
export interface JudgedPlan extends PlanView {
  /** Stretches with planned light, ascending; a night may have several. */
  readonly lit: readonly Span[];
  /** From on to off, dark stretches included, ascending: when loops have power. */
  readonly planned: readonly Span[];
}

/** Nights and days of one plan around an instant, computed once and then looked up per sample. */
export interface AreaPlan extends JudgedPlan {
  readonly plan: LampPlan;
  /** Sunset to sunrise, ascending. */
  readonly nights: readonly Span[];
  /** The lighting day of `now`: noon to noon. */
  readonly lightingDay: Span;
  /** The last on-time of a night at or before `at`, whatever was dark since; null in polar day. */
  readonly lastNight: (at: number) => number | null;
}

/** Two nights back and one ahead: what a judgement over the last hours and the next switch need. */
export function areaPlan(plan: LampPlan, now: number): AreaPlan {
  const { place } = plan;
  const today = lightingDay(place, now);
  const days = [-2, -1, 0, 1].map((ahead) => addDays(today.day, ahead));
  const lit = litBetween(
    plan,
    lightingDayOf(place, days[0] ?? today.day).from,
    lightingDayOf(place, addDays(today.day, 1)).to,
  );
  const planned = days.flatMap((day): Span[] => {
    const { on, off } = nightOf(plan, day);
    return on === null || off === null ? [] : [{ from: on, to: off }];
  });
  const daylight = days.flatMap((day) => spanOf(sunDay(place, day).sunrise, sunDay(place, day).sunset));
  const inside = (spans: readonly Span[], at: number, margin = 0) =>
    spans.some((span) => span.from + margin <= at && at < span.to - margin);
  const last = (spans: readonly Span[], at: number) => spans.findLast((span) => span.from <= at)?.from ?? null;
  return {
    plan,
    lit,
    planned,
    nights: days.flatMap((day) => darknessOf(place, day)),
    lightingDay: { from: today.from, to: today.to },
    shouldBeLit: (at) => inside(lit, at),
    lastOn: (at) => last(lit, at),
    lastNight: (at) => last(planned, at),
    isDay: (at, marginSeconds) => inside(daylight, at, marginSeconds * 1000),
  };
}

/** Sunset to the next sunrise; none where one of them does not happen. */
export const darknessOf = (place: SunPlace, day: Day): Span[] =>
  spanOf(sunDay(place, day).sunset, sunDay(place, addDays(day, 1)).sunrise);

const spanOf = (from: number | null, to: number | null): Span[] => (from === null || to === null ? [] : [{ from, to }]);
