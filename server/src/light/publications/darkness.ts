import { levelsBetween } from '../../../../catalogue/lighting/plan/lamp-plan.ts';
import type { LampPlan } from '../../../../catalogue/lighting/plan/programme.ts';
import { lightingDayOf } from '../../../../catalogue/lighting/sun.ts';
import { addDays, type Day } from '../../../../catalogue/lighting/zone.ts';
import { publicationBounds } from '../../../../contract/light/publications.ts';
import { calendarOf, programmeOf } from './kinds-of-days.ts';

/** Two plans: whether the second is darker, and the hours of each level in the first two nights. */
export interface Difference {
  readonly darker: boolean;
  readonly before: ReadonlyMap<number, number>;
  readonly after: ReadonlyMap<number, number>;
}

/** Suns of places differ by seconds: what is darker for less is not, ms. */
const shortestMs = 60_000;
const hourMs = 3_600_000;
/** Lighting days that are compared; devices get as many as lie ahead. */
const { nights: firstDays, days: daysAhead } = publicationBounds.compared;

/**
 * Compares plans from a lighting day on. Days on which other programmes meet are found once for all plans with the same
 * calendars, so that a lamp costs at most a night for each two programmes.
 */
export function createComparison(
  from: Day,
  breathe: () => Promise<void>,
): (before: LampPlan, after: LampPlan) => Promise<Difference> {
  const later = new Map<string, readonly Day[]>();
  async function laterDays(before: LampPlan, after: LampPlan): Promise<readonly Day[]> {
    const key = JSON.stringify([calendarOf(before), calendarOf(after), after.place.timeZone]);
    const known = later.get(key);
    if (known) return known;
    const met = new Set<string>();
    const days: Day[] = [];
    for (let day = from, ahead = 0; ahead < daysAhead; day = addDays(day, 1), ahead += 1) {
      await breathe();
      const pair = `${programmeOf(before, day)} / ${programmeOf(after, day)}`;
      if (met.has(pair)) continue;
      met.add(pair);
      if (ahead >= firstDays) days.push(day);
    }
    later.set(key, days);
    return days;
  }
  const between = (before: LampPlan, after: LampPlan, first: Day, last: Day) => {
    const span = [lightingDayOf(after.place, first).from, lightingDayOf(after.place, last).to] as const;
    return [levelsBetween(before, ...span), levelsBetween(after, ...span)] as const;
  };
  async function isEverDarker(before: LampPlan, after: LampPlan): Promise<boolean> {
    if (isDarker(...between(before, after, from, addDays(from, firstDays - 1)))) return true;
    for (const day of await laterDays(before, after)) {
      if (isDarker(...between(before, after, day, day))) return true;
      await breathe();
    }
    return false;
  }

  return async (before, after) => {
    const [old, next] = between(before, after, from, addDays(from, 1));
    return { darker: await isEverDarker(before, after), before: hoursOf(old), after: hoursOf(next) };
  };
}

/** Whether the night of a lighting day is darker by the second plan. */
export function isDarkerOn(before: LampPlan, after: LampPlan, day: Day): boolean {
  const { from, to } = lightingDayOf(after.place, day);
  return isDarker(levelsBetween(before, from, to), levelsBetween(after, from, to));
}

type Stretches = ReturnType<typeof levelsBetween>;

const isDarker = (before: Stretches, after: Stretches): boolean =>
  after.some((one) =>
    before.some(
      (other) => one.level < other.level && Math.min(one.to, other.to) - Math.max(one.from, other.from) >= shortestMs,
    ),
  );

function hoursOf(stretches: Stretches): ReadonlyMap<number, number> {
  const sums = new Map<number, number>();
  for (const { level, from, to } of stretches)
    if (level > 0) sums.set(level, (sums.get(level) ?? 0) + (to - from) / hourMs);
  return sums;
}
