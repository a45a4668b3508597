import { addDays, type Day } from '../../../../catalogue/lighting/zone.ts';
import type { LampPlans } from './lamp-plans.ts';

/** Plans with what is on its way to their lamps in so many lighting days from one on. */
export const plansComing = (plans: LampPlans, from: Day, days: number): LampPlans => ({
  ...plans,
  of: (db, ids, at) => plans.of(db, ids, at, addDays(from, days)),
});
