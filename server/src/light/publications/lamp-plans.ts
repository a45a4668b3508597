import type { LampPlan } from '../../../../catalogue/lighting/plan/programme.ts';
import { defaultPlan } from '../../../../catalogue/lighting/plan/table.ts';
import type { Db, Transaction } from '../../platform/db/index.ts';
import { loadPlaces } from '../../register/places/index.ts';
import type { LampPlans } from '../plans/index.ts';

/** The plans of these lamps, given or by the sun of their area; a lamp without a place has none. */
export async function plansWithAreas(
  from: Db | Transaction,
  plans: Pick<LampPlans, 'of'>,
  lamps: readonly { readonly deviceId: number; readonly workAreaId: number }[],
  now: number,
) {
  const own = await plans.of(
    from,
    lamps.map(({ deviceId }) => deviceId),
    now,
  );
  const places = await loadPlaces(from, [...new Set(lamps.map(({ workAreaId }) => workAreaId))]);
  const areas = new Map([...places].map(([id, place]) => [id, defaultPlan(place)]));
  return { own, of: (id: number, area: number): LampPlan | undefined => own.get(id) ?? areas.get(area) };
}
