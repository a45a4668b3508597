import { nightOf } from '../../../../catalogue/lighting/plan/lamp-plan.ts';
import type { LampPlan } from '../../../../catalogue/lighting/plan/programme.ts';
import type { Day } from '../../../../catalogue/lighting/zone.ts';
import { hasPowerByPlan } from '../lamps/index.ts';
import { createKindsOfDays } from './kinds-of-days.ts';

/** Loops and lamps that switch some minutes apart leave no lamp dark, ms. */
const shortestMs = 30 * 60_000;

/** Looks for lamps whose plan lights while their loop has no power by its own: lamps of the same plan once. */
export function createLoopLook(
  from: Day,
  count: number,
  breathe: () => Promise<void>,
): (lighting: string | null, plan: LampPlan) => Promise<boolean> {
  const kindsOfDays = createKindsOfDays({ from, count, seasons: true, breathe });
  const known = new Map<string, Map<LampPlan, boolean>>();
  async function isOff(lighting: string, plan: LampPlan): Promise<boolean> {
    for (const { day } of await kindsOfDays([plan])) {
      const off = nightOf(plan, day).lit.some(
        (lit) => lit.to - lit.from > shortestMs && !hasPowerByPlan(lighting, plan, lit.to - shortestMs),
      );
      if (off) return true;
      await breathe();
    }
    return false;
  }
  return async (lighting, plan) => {
    if (lighting === null) return false;
    const plans = known.get(lighting) ?? new Map<LampPlan, boolean>();
    known.set(lighting, plans);
    const off = plans.get(plan) ?? (await isOff(lighting, plan));
    plans.set(plan, off);
    return off;
  };
}
