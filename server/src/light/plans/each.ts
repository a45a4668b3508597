import type { Db, Transaction } from '../../platform/db/index.ts';
import type { AblePlans, AssignedPlan, LampPlans } from './lamp-plans.ts';

/** What is wrong with one lamp's data; an error of the database is one of all lamps. */
export const isOfLamp = (thrown: unknown): boolean => thrown instanceof TypeError || thrown instanceof RangeError;

interface EachPlan {
  readonly own: ReadonlyMap<number, AssignedPlan>;
  /** Lamps whose plan cannot be made. */
  readonly failed: ReadonlySet<number>;
}

interface About {
  readonly now: number;
  readonly failing: (thrown: unknown) => void;
}

/** What is read of these lamps, where one of which it cannot be stands in no other's way; `failing` hears why it cannot. */
export async function eachInHalves<Found>(
  ids: readonly number[],
  read: (ids: readonly number[]) => Promise<ReadonlyMap<number, Found>>,
  failing: (thrown: unknown) => void,
): Promise<{ readonly found: ReadonlyMap<number, Found>; readonly failed: ReadonlySet<number> }> {
  try {
    return { found: await read(ids), failed: new Set() };
  } catch (thrown) {
    if (!isOfLamp(thrown)) throw thrown;
    if (ids.length <= 1) {
      failing(thrown);
      return { found: new Map(), failed: new Set(ids) };
    }
    // In halves the bad ones are found in few steps.
    const middle = Math.ceil(ids.length / 2);
    const first = await eachInHalves(ids.slice(0, middle), read, failing);
    const second = await eachInHalves(ids.slice(middle), read, failing);
    return { found: new Map([...first.found, ...second.found]), failed: new Set([...first.failed, ...second.failed]) };
  }
}

/** The plans of these lamps, where one that cannot be made stands in no other's way. */
export async function plansOfEachLamp(
  from: Db | Transaction,
  plans: Pick<LampPlans, 'of'>,
  ids: readonly number[],
  { now, failing }: About,
): Promise<EachPlan> {
  const { found, failed } = await eachInHalves(ids, (some) => plans.of(from, some, now), failing);
  return { own: found, failed };
}

/** The same with what these lamps can: at once, unless a plan cannot be made. */
export async function ablePlansOfEachLamp(
  from: Db | Transaction,
  plans: Pick<LampPlans, 'of' | 'withAbilities' | 'abilities'>,
  ids: readonly number[],
  about: About,
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
