import type { LampPlan } from '../../../../catalogue/lighting/plan/programme.ts';
import { defaultPlan } from '../../../../catalogue/lighting/plan/table.ts';
import type { Db, Transaction } from '../../platform/db/index.ts';
import { loadPlaces } from '../../register/places/index.ts';
import type { AssignedPlan, LampPlans } from '../plans/index.ts';

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

/** What is wrong with one lamp's data; an error of the database is one of all lamps. */
export const isOfLamp = (thrown: unknown): boolean => thrown instanceof TypeError || thrown instanceof RangeError;

interface Asked {
  readonly deviceId: number;
  readonly workAreaId: number;
}
interface EachGiven {
  readonly own: ReadonlyMap<number, AssignedPlan>;
  readonly of: (id: number, area: number) => LampPlan | undefined;
  /** Lamps whose plan cannot be made. */
  readonly failed: ReadonlySet<number>;
}
/** The same where one lamp whose plan cannot be made stands in no other's way; `failing` hears why it cannot. */
export async function plansOfEach(
  from: Db | Transaction,
  plans: Pick<LampPlans, 'of'>,
  lamps: readonly Asked[],
  { now, failing }: { readonly now: number; readonly failing: (thrown: unknown) => void },
): Promise<EachGiven> {
  try {
    return { ...(await plansWithAreas(from, plans, lamps, now)), failed: new Set() };
  } catch (thrown) {
    if (!isOfLamp(thrown)) throw thrown;
    if (lamps.length <= 1) {
      failing(thrown);
      return { own: new Map(), of: () => undefined, failed: new Set(lamps.map(({ deviceId }) => deviceId)) };
    }
    // In halves the bad ones are found in few steps.
    const middle = Math.ceil(lamps.length / 2);
    const first = await plansOfEach(from, plans, lamps.slice(0, middle), { now, failing });
    const second = await plansOfEach(from, plans, lamps.slice(middle), { now, failing });
    const inFirst = new Set(lamps.slice(0, middle).map(({ deviceId }) => deviceId));
    return {
      own: new Map([...first.own, ...second.own]),
      of: (id, area) => (inFirst.has(id) ? first : second).of(id, area),
      failed: new Set([...first.failed, ...second.failed]),
    };
  }
}
