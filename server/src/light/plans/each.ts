import type { Db, Transaction } from '../../platform/db/index.ts';
import type { AblePlans, AssignedPlan, LampPlans } from './lamp-plans.ts';

/** What is wrong with one lamp's data; an error of the database is one of all lamps. */
export const isOfLamp = (thrown: unknown): boolean => thrown instanceof TypeError || thrown instanceof RangeError;

interface EachPlan {
  readonly own: ReadonlyMap<number, AssignedPlan>;
  /** Lamps whose plan cannot be made. */
  readonly failed: ReadonlySet<number>;
}

/** The plans of these lamps, where one that cannot be made stands in no other's way; `failing` hears why it cannot. */
export async function plansOfEachLamp(
  from: Db | Transaction,
  plans: Pick<LampPlans, 'of'>,
  ids: readonly number[],
  { now, failing }: { readonly now: number; readonly failing: (thrown: unknown) => void },
): Promise<EachPlan> {
  try {
    return { own: await plans.of(from, ids, now), failed: new Set() };
  } catch (thrown) {
    if (!isOfLamp(thrown)) throw thrown;
    if (ids.length <= 1) {
      failing(thrown);
      return { own: new Map(), failed: new Set(ids) };
    }
    // In halves the bad ones are found in few steps.
    const middle = Math.ceil(ids.length / 2);
    const first = await plansOfEachLamp(from, plans, ids.slice(0, middle), { now, failing });
    const second = await plansOfEachLamp(from, plans, ids.slice(middle), { now, failing });
    return { own: new Map([...first.own, ...second.own]), failed: new Set([...first.failed, ...second.failed]) };
  }
}

/** The same with what these lamps can: at once, unless a plan cannot be made. */
export async function ablePlansOfEachLamp(
  from: Db | Transaction,
  plans: Pick<LampPlans, 'of' | 'withAbilities' | 'abilities'>,
  ids: readonly number[],
  about: { readonly now: number; readonly failing: (thrown: unknown) => void },
): Promise<EachPlan & AblePlans> {
  try {
    return { ...(await plans.withAbilities(from, ids, about.now)), failed: new Set() };
  } catch (thrown) {
    if (!isOfLamp(thrown)) throw thrown;
    const found = await plansOfEachLamp(from, plans, ids, about);
    return { ...found, able: await plans.abilities(from, [...found.own.keys()]) };
  }
}

/** Plans that leave out lamps whose plan cannot be made, and log each once; these are added to `failed`. */
export const soundPlans = (plans: LampPlans, failed = new Set<number>()): LampPlans => ({
  ...plans,
  async of(from, ids, now, coming) {
    const by: Pick<LampPlans, 'of'> = { of: (db, some, at) => plans.of(db, some, at, coming) };
    const reasons: unknown[] = [];
    const each = await plansOfEachLamp(from, by, ids, { now, failing: (thrown) => void reasons.push(thrown) });
    const before = failed.size;
    for (const id of each.failed) failed.add(id);
    if (failed.size > before) plans.leftOut(failed.size - before, reasons[0]);
    return each.own;
  },
});
