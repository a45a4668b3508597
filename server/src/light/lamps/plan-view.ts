import { litBetween, nightOf } from '../../../../catalogue/lighting/plan/lamp-plan.ts';
import type { LampPlan, Span } from '../../../../catalogue/lighting/plan/programme.ts';
import { lightingDay, lightingDayOf, sunDay, type SunPlace } from '../../../../catalogue/lighting/sun.ts';
import { addDays, type Day } from '../../../../catalogue/lighting/zone.ts';
import type { TemplateContent } from '../../../../catalogue/lighting/plan/scheme.ts';
import type { AssignedPlan } from '../plans/index.ts';
import type { PlanView } from './light.ts';

/** What a lamp and its supply are judged by. Times in ms. */
export interface JudgedPlan extends PlanView {
  /** Stretches with planned light, ascending; a night may have several. */
  readonly lit: readonly Span[];
  /** From on to off, dark stretches included, ascending: when loops have power. */
  readonly planned: readonly Span[];
  /** What its controller is set to; absent: what the catalogue declares. */
  readonly template?: TemplateContent;
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

/** The same of a lamp with a plan of its own, with what its controller is set to. */
export function ownPlan(plan: AssignedPlan, now: number): AreaPlan {
  const template = plan.following.at(-1)?.template?.content;
  return { ...areaPlan(plan, now), ...(template ? { template } : {}) };
}

/** The levels of the night of a lighting day; `byPattern`: the pattern alone keeps the lamp dark. */
export function nightSteps(
  plan: LampPlan,
  day: Day,
): { readonly at: number; readonly level: number; readonly byPattern: boolean }[] {
  const { steps, plannedDark } = nightOf(plan, day);
  return steps.flatMap(({ at, level }, index) => {
    const byPattern = level === 0 && plannedDark.some(({ from, to }) => from <= at && at < to);
    const before = steps[index - 1];
    // Neighbours that differ in their pattern alone are one stretch of this lamp, unless it is the end of the night.
    return before?.level === level && level > 0 ? [] : [{ at, level, byPattern }];
  });
}

/** The reporting periods that a lamp is set to, seconds. */
export const periodOf = <P extends { readonly litSeconds: number; readonly unlitSeconds: number }>(
  { template }: JudgedPlan,
  usual: P,
): P =>
  template ? { ...usual, litSeconds: template.reportLitSeconds, unlitSeconds: template.reportUnlitSeconds } : usual;

/** Sunset to the next sunrise; none where one of them does not happen. */
export const darknessOf = (place: SunPlace, day: Day): Span[] =>
  spanOf(sunDay(place, day).sunset, sunDay(place, addDays(day, 1)).sunrise);

const spanOf = (from: number | null, to: number | null): Span[] => (from === null || to === null ? [] : [{ from, to }]);
