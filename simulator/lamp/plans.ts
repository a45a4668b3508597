import type { LampPlan } from '../../catalogue/lighting/plan/programme.ts';
import { planOfTable, type TablePoint } from '../../catalogue/lighting/plan/table.ts';
import type { SunPlace } from '../../catalogue/lighting/sun.ts';

/** Plans that are kept; a city has a few, a fleet of lamps with places of their own has one each. */
const mostPlans = 20_000;
const plans = new Map<string, LampPlan>();

/** The plan of a table at a place: lamps that are told the same share it, and its nights. */
export function sharedPlan(place: SunPlace, table: readonly TablePoint[]): LampPlan {
  const { latitude, longitude, timeZone, sunOffsetMinutes } = place;
  const key = JSON.stringify([latitude, longitude, timeZone, sunOffsetMinutes, table]);
  let plan = plans.get(key);
  if (!plan) {
    plan = planOfTable(place, table);
    if (plans.size >= mostPlans) plans.clear();
    plans.set(key, plan);
  }
  return plan;
}
