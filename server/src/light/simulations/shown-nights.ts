import { resolveNight } from '../../../../catalogue/lighting/plan/night.ts';
import { testNights } from '../../../../catalogue/lighting/plan/test-nights.ts';
import { addDays, zoneOffset, type Day } from '../../../../catalogue/lighting/zone.ts';
import type { Gathered } from './gathering.ts';
import type { LevelAt, ShownNight } from './simulations.types.ts';

/** A look at nights of the plans that most lamps of a simulation follow. */

const minuteMs = 60_000;
/** A change of programme, and a holiday, are looked for so many days ahead. */
const daysAhead = 366;

export function shownNights({ order: { input }, tracks }: Gathered): ShownNight[] {
  let most = input.classes[0];
  for (const one of input.classes) if (one.lamps > (most?.lamps ?? 0)) most = one;
  const [a, b] = most ? [input.plans[most.a], input.plans[most.b]] : [];
  const trackB = tracks[b?.track ?? 0];
  const place = input.places[b?.place ?? 0];
  if (!a || !b || !trackB || !place) return [];
  const first = trackB.programmeOn(input.from);
  const next = (holds: (day: Day) => boolean): Day | null => {
    for (let index = 1; index < daysAhead; index += 1) {
      const day = addDays(input.from, index);
      if (holds(day)) return day;
    }
    return null;
  };
  const nights = testNights(place, input.from, {
    change: next((day) => trackB.programmeOn(day) !== first),
    holiday: next((day) => trackB.facts.holiday(day).classes.some((one) => one.class === 'public')),
  });
  const stepsOf = (plan: typeof a, day: Day): LevelAt[] => {
    const programme = tracks[plan.track]?.programmeOn(day)?.programme;
    const where = input.places[plan.place];
    if (!programme || !where) return [];
    return resolveNight(programme, where, day, plan.role).steps.map(({ at, level }) => {
      const minute = Math.round(at / minuteMs) * minuteMs - where.sunOffsetMinutes * minuteMs;
      return { at: new Date(minute + zoneOffset(minute, where.timeZone)).toISOString().slice(11, 16), level };
    });
  };
  return nights.map(({ kind, day }) => ({ kind, day, a: stepsOf(a, day), b: stepsOf(b, day) }));
}
