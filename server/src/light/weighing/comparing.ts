import { litByPattern } from '../../../../catalogue/lighting/plan/pattern.ts';
import type { LampRole } from '../../../../catalogue/lighting/plan/programme.ts';
import { lightingDay } from '../../../../catalogue/lighting/sun.ts';
import { addDays, type Day } from '../../../../catalogue/lighting/zone.ts';
import { breather } from '../../platform/breather.ts';
import type { Transaction } from '../../platform/db/index.ts';
import { plansOfEachLamp, type AssignedPlan, type LampPlans } from '../plans/index.ts';
import { calendarOf, createComparison } from '../publications/index.ts';

export const atOnce = 1000;
export type Plans = ReadonlyMap<number, AssignedPlan>;

export async function plansOf(tx: Transaction, plans: LampPlans, ids: readonly number[], at: number): Promise<Plans> {
  const found = new Map<number, AssignedPlan>();
  // A lamp whose plan cannot be made stands in no other's way: who tells it its plan hears why.
  const about = { now: at, failing: () => undefined };
  for (let from = 0; from < ids.length; from += atOnce) {
    const { own } = await plansOfEachLamp(tx, plans, ids.slice(from, from + atOnce), about);
    for (const [id, plan] of own) found.set(id, plan);
  }
  return found;
}

/** Lamps that are darker by their second plan. Lamps with the same plan and the same turns of patterns are compared once. */
export async function darkerOf<T extends { readonly id: number }>(
  lamps: readonly T[],
  before: Plans,
  after: Plans,
  at: number,
): Promise<T[]> {
  const breathe = breather();
  const known = new Map<string, boolean>();
  const darker: T[] = [];
  const comparisons = new Map<Day, ReturnType<typeof createComparison>>();
  const compareFrom = (day: Day) => {
    const compare = comparisons.get(day) ?? createComparison(day, breathe);
    comparisons.set(day, compare);
    return compare;
  };
  async function isEverDarker(was: AssignedPlan, is: AssignedPlan): Promise<boolean> {
    for (const day of firstDays(is, at)) if ((await compareFrom(day)(was, is)).darker) return true;
    return false;
  }
  for (const lamp of lamps) {
    const [was, is] = [before.get(lamp.id), after.get(lamp.id)];
    if (!was || !is || was === is) continue;
    const key = JSON.stringify([
      ...[calendarOf(is), is.exceptions.map(({ id }) => id), was.place, is.place],
      ...[is.role.minLevel, is.role.rotation, turnsOf(was.role), turnsOf(is.role)],
    ]);
    const isDarker = known.get(key) ?? (await isEverDarker(was, is));
    known.set(key, isDarker);
    if (isDarker) darker.push(lamp);
    await breathe();
  }
  return darker;
}

/** The lighting day of an instant, and the later ones on which a lamp begins to follow something else. */
function firstDays({ place, following }: AssignedPlan, at: number): readonly Day[] {
  const today = lightingDay(place, at).day;
  return [today, ...following.flatMap(({ from }) => (from > today ? [from] : []))];
}

/** In which of six turns, the whole circle of every pattern, a lamp is lit. */
function turnsOf(role: LampRole): string {
  const turning: LampRole = { ...role, rotation: 'nightly' };
  return Array.from({ length: 6 }, (_, turn) => addDays('2026-01-01', turn))
    .flatMap((day) => (['alternateOne', 'alternateTwo'] as const).map((one) => litByPattern(one, turning, day)))
    .map(Number)
    .join('');
}
