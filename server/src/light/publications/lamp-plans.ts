import type { LampPlan } from '../../../../catalogue/lighting/plan/programme.ts';
import { defaultPlan } from '../../../../catalogue/lighting/plan/table.ts';
import type { Db, Transaction } from '../../platform/db/index.ts';
import { loadPlaces } from '../../register/places/index.ts';
import { plansOfEachLamp, type AssignedPlan, type LampPlans } from '../plans/index.ts';

interface Asked {
  readonly deviceId: number;
  readonly workAreaId: number;
}
type From = Db | Transaction;

/** The plans of lamps without one of their own, by the sun of their area. */
export async function plansOfAreas(from: From, ids: readonly number[]): Promise<ReadonlyMap<number, LampPlan>> {
  if (ids.length === 0) return new Map();
  const places = await loadPlaces(from, [...new Set(ids)]);
  return new Map([...places].map(([id, place]) => [id, defaultPlan(place)]));
}

/** Own plans, else those by the sun of their area. */
async function withAreas(from: From, lamps: readonly Asked[], own: ReadonlyMap<number, AssignedPlan>) {
  const areas = await plansOfAreas(
    from,
    lamps.map(({ workAreaId }) => workAreaId),
  );
  return { own, of: (id: number, area: number): LampPlan | undefined => own.get(id) ?? areas.get(area) };
}
const idsOf = (lamps: readonly Asked[]) => lamps.map(({ deviceId }) => deviceId);

/**
 * The plans of these lamps, given or by the sun of their area, for who looks at them beside others: a lamp without a
 * place, or whose plan cannot be made, has none. Who tells it its plan hears why.
 */
export const plansWithAreas = (from: From, plans: Pick<LampPlans, 'of'>, lamps: readonly Asked[], now: number) =>
  plansOfEach(from, plans, lamps, { now, failing: () => undefined });

/** The same; `failing` hears why a plan cannot be made. */
export async function plansOfEach(
  from: From,
  plans: Pick<LampPlans, 'of'>,
  lamps: readonly Asked[],
  about: { readonly now: number; readonly failing: (thrown: unknown) => void },
) {
  const { own, failed } = await plansOfEachLamp(from, plans, idsOf(lamps), about);
  const known = await withAreas(from, lamps, own);
  return {
    own,
    failed,
    of: (id: number, area: number): LampPlan | undefined => (failed.has(id) ? undefined : known.of(id, area)),
  };
}

const atOnce = 1000;

/** What lamps follow beside which others are judged. */
export async function othersOf(
  tx: Transaction,
  plans: Pick<LampPlans, 'of'>,
  lamps: readonly Asked[],
  at: number,
): Promise<ReadonlyMap<number, LampPlan>> {
  const found = new Map<number, LampPlan>();
  for (let from = 0; from < lamps.length; from += atOnce) {
    const some = lamps.slice(from, from + atOnce);
    const { of } = await plansWithAreas(tx, plans, some, at);
    for (const { deviceId, workAreaId } of some) {
      const plan = of(deviceId, workAreaId);
      if (plan) found.set(deviceId, plan);
    }
  }
  return found;
}
