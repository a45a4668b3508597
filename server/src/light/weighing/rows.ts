import { lightingDay } from '../../../../catalogue/lighting/sun.ts';
import { dayOf } from '../../../../catalogue/lighting/zone.ts';
import { breather } from '../../platform/breather.ts';
import type { Transaction } from '../../platform/db/index.ts';
import { refuse } from '../../platform/http/index.ts';
import type { Clock } from '../../platform/clock.ts';
import { countDarkening } from '../commands/index.ts';
import { findComing, plansComing, type LampPlans } from '../plans/index.ts';
import { findLamps, judgeFloors, lockPlannedLight, type Lamp } from '../publications/index.ts';
import type { WeighRows } from '../rows/index.ts';
import { darkerOf, plansOf, type Plans } from './comparing.ts';
import { lampsOnRoad } from './lamps.store.ts';

/** Lighting days over which rows are held against the floor of their road. */
export const daysAhead = 400;

/**
 * Weighs another order of the poles of a road by what the lamps on them do by their patterns. Nobody can be asked to
 * agree to it later, as the rows are there: what is more than an account may darken alone is refused.
 */
export function createRowWeighing({ plans, clock }: { readonly plans: LampPlans; readonly clock: Clock }): WeighRows {
  return async (tx, caller, roadId, work) => {
    await lockPlannedLight(tx);
    const now = clock.now();
    const at = now.getTime();
    const ids = await lampsOnRoad(tx, roadId);
    const coming = [...(await findComing(tx, ids, now))];
    const later = plansComing(plans, dayOf(at, 'UTC'), daysAhead);
    const before = { now: await plansOf(tx, plans, ids, at), later: await plansOf(tx, later, coming, at) };
    await work();
    if (before.now.size === 0 && before.later.size === 0) return 0;
    const after = { now: await plansOf(tx, plans, ids, at), later: await plansOf(tx, later, coming, at) };
    const lamps = await findLamps(tx, { deviceIds: ids }, caller, ids.length);
    const darker = new Set([
      ...(await darkerOf(lamps, before.now, after.now, at)),
      ...(await darkerOf(lamps, before.later, after.later, at)),
    ]);
    if (darker.size > 0) await refuseBelowFloor(tx, plans, { lamps, before, after, at });
    await countDarkening(tx, { actorId: caller.accountId, cause: 'rows', lamps: [...darker], now }, (much) => {
      throw refuse('rowsDarken', { ...much }, { body: { ...much } });
    });
    return darker.size;
  };
}

/** Now, and with what is on its way to the lamps. */
interface Both {
  readonly now: Plans;
  readonly later: Plans;
}
interface Asked {
  readonly lamps: readonly Lamp[];
  readonly before: Both;
  readonly after: Both;
  readonly at: number;
}

/** What is kept lit may have been the reason that a pattern was allowed: it is not taken back without a publication. */
async function refuseBelowFloor(tx: Transaction, plans: LampPlans, { lamps, before, after, at }: Asked): Promise<void> {
  const [plan] = [...after.now.values(), ...after.later.values()];
  if (!plan) return;
  const found = await judgeFloors(tx, {
    ...{ lamps, before: before.now, after: after.now, plans, at },
    again: () => Promise.resolve({ before: before.later, after: after.later }),
    ...{ from: lightingDay(plan.place, at).day, days: daysAhead, darker: true },
    breathe: breather(),
  });
  // Where the scheme is excepted a second person agreed to it.
  const [worst] = found.filter(({ reason }) => reason === null).toSorted((a, b) => a.level - b.level);
  if (!worst) return;
  const { level, floor, ids } = worst;
  const count = ids.length;
  throw refuse('rowsBelowFloor', { level, floor, count }, { body: { level, floor, count } });
}
