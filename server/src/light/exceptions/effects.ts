import { hasLevels } from '../../../../catalogue/lighting/plan/ability.ts';
import { exceptedProgramme, exceptionsOn } from '../../../../catalogue/lighting/plan/exceptions.ts';
import { levelsBetween } from '../../../../catalogue/lighting/plan/lamp-plan.ts';
import type { LampPlan } from '../../../../catalogue/lighting/plan/programme.ts';
import { lightingDay } from '../../../../catalogue/lighting/sun.ts';
import { addDays } from '../../../../catalogue/lighting/zone.ts';
import type { exceptionReasons } from '../../../../contract/light/exceptions.ts';
import { breather } from '../../platform/breather.ts';
import type { Db, Transaction } from '../../platform/db/index.ts';
import {
  fitsDevice,
  mostExceptions,
  plainOf,
  type AssignedPlan,
  type LampException,
  type LampPlans,
} from '../plans/index.ts';
import type { Lamp } from '../publications/index.ts';
import { leaveOut } from './exceptions.store.ts';

export interface Effects {
  readonly cannot: ReadonlyMap<number, (typeof exceptionReasons)[number]>;
  readonly darker: readonly Lamp[];
  /** What lamps for which it holds would do without it, and with it. */
  readonly before: ReadonlyMap<number, LampPlan>;
  readonly after: ReadonlyMap<number, LampPlan>;
}

const atOnce = 1000;
/** What is darker for less is not, ms. */
const shortestMs = 60_000;

/** What an exception that was just written does to its lamps. Lamps with the same plan are compared once. */
export async function effectsOf(
  tx: Transaction,
  plans: LampPlans,
  id: number,
  lamps: readonly Lamp[],
  now: Date,
): Promise<Effects> {
  const cannot = new Map<number, (typeof exceptionReasons)[number]>();
  const darker: Lamp[] = [];
  const [before, after] = [new Map<number, LampPlan>(), new Map<number, LampPlan>()];
  const known = new Map<AssignedPlan, Effect>();
  const breathe = breather();
  for (let from = 0; from < lamps.length; from += atOnce) {
    const some = lamps.slice(from, from + atOnce);
    const inUse = some.filter(({ enabled }) => enabled);
    for (const lamp of some) if (!lamp.enabled) cannot.set(lamp.id, 'disabled');
    const ids = inUse.map((lamp) => lamp.id);
    const found = await plans.of(tx, ids, now.getTime());
    const abilities = await plans.abilities(tx, ids);
    for (const lamp of inUse) {
      const plan = found.get(lamp.id);
      const one = plan?.exceptions.find((exception) => exception.id === id);
      if (!plan || !one) {
        cannot.set(lamp.id, 'noPlace');
        continue;
      }
      const effect = known.get(plan) ?? effectOn(plan, one, now.getTime());
      known.set(plan, effect);
      if (effect === 'periods') cannot.set(lamp.id, 'periods');
      else if (!hasLevels(abilities(lamp.id).dimming, effect)) cannot.set(lamp.id, 'capability');
      else {
        if (effect.darker) darker.push(lamp);
        before.set(lamp.id, effect.before);
        after.set(lamp.id, plan);
      }
      await breathe();
    }
  }
  // They go on as before beside the others.
  await leaveOut(tx, id, cannot);
  return { cannot, darker, before, after };
}

/**
 * That it would need too many periods, or what the lamp does without it, whether it is darker with it, and whether it is
 * dimmed in its time.
 */
type Effect = 'periods' | { readonly before: LampPlan; readonly darker: boolean; readonly dimming: boolean };

function effectOn(plan: AssignedPlan, one: LampException, now: number): Effect {
  if (plan.exceptions.length > mostExceptions || !fitsDevice(plan, now)) return 'periods';
  const plain = plainOf(plan);
  const others = plan.exceptions.filter((exception) => exception !== one);
  for (
    let day = lightingDay(plan.place, one.from).day;
    exceptionsOn(plan.place, [one], day).length > 0;
    day = addDays(day, 1)
  ) {
    const { left } = exceptedProgramme(plan, plan.exceptions, day, plain.programmeOn(day));
    if (left.includes(one)) return 'periods';
  }
  const before = withExceptions(plan, others);
  const dimming = levelsBetween(plan, one.from, one.to).some(({ level }) => level > 0 && level < 100);
  return { before, darker: isDarker(before, plan, one), dimming };
}

/** A plan with these of its exceptions. */
function withExceptions(plan: AssignedPlan, exceptions: readonly LampException[]): LampPlan {
  const plain = plainOf(plan);
  return {
    ...plain,
    programmeOn: (day) => exceptedProgramme(plan, exceptions, day, plain.programmeOn(day)).programme,
  };
}

function isDarker(before: LampPlan, after: LampPlan, { from, to }: Pick<LampException, 'from' | 'to'>): boolean {
  const [was, is] = [levelsBetween(before, from, to), levelsBetween(after, from, to)];
  return is.some((next) =>
    was.some(
      (former) =>
        next.level < former.level && Math.min(next.to, former.to) - Math.max(next.from, former.from) >= shortestMs,
    ),
  );
}

/** How many lamps a change of an exception's lamps darkens in this time. Lamps with the same plan are compared once. */
export async function countDarker(
  { before, after }: Pick<Effects, 'before' | 'after'>,
  time: Pick<LampException, 'from' | 'to'>,
): Promise<number> {
  const known = new Map<LampPlan, boolean>();
  const breathe = breather();
  let count = 0;
  for (const [id, was] of before) {
    const next = after.get(id);
    const is = known.get(was) ?? (next !== undefined && isDarker(was, next, time));
    known.set(was, is);
    if (is) count += 1;
    await breathe();
  }
  return count;
}

/** Lamps of an exception that are darker when it ends now. Lamps with the same plan are compared once. */
export async function darkerAfterEnd<L extends { readonly id: number }>(
  db: Db,
  plans: LampPlans,
  id: number,
  lamps: readonly L[],
  now: Date,
): Promise<L[]> {
  const at = now.getTime();
  const darker: L[] = [];
  const known = new Map<AssignedPlan, boolean>();
  const breathe = breather();
  for (let from = 0; from < lamps.length; from += atOnce) {
    const some = lamps.slice(from, from + atOnce);
    const found = await plans.of(
      db,
      some.map((lamp) => lamp.id),
      at,
    );
    for (const lamp of some) {
      const plan = found.get(lamp.id);
      const one = plan?.exceptions.find((exception) => exception.id === id);
      if (!plan || !one || one.to <= at) continue;
      const others = plan.exceptions.filter((exception) => exception !== one);
      const is =
        known.get(plan) ?? isDarker(plan, withExceptions(plan, others), { from: Math.max(one.from, at), to: one.to });
      known.set(plan, is);
      if (is) darker.push(lamp);
      await breathe();
    }
  }
  return darker;
}
