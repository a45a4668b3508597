import { lightingDayOf } from '../../../../catalogue/lighting/sun.ts';
import type { Day } from '../../../../catalogue/lighting/zone.ts';
import type { getPublication } from '../../../../contract/light/publications.ts';
import type { ReplyOf } from '../../../../contract/route.ts';
import { breather } from '../../platform/breather.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Db } from '../../platform/db/index.ts';
import type { DeviceScope } from '../../register/devices/index.ts';
import { remember, scopeKey } from '../home/index.ts';
import { reportPeriods } from '../lamps/index.ts';
import { formerOf, type LampPlans } from '../plans/index.ts';
import { plansOfEach } from './lamp-plans.ts';
import { findAwaited } from './next-proof.store.ts';
import { nextProof, paceBy } from './proving.rules.ts';

type NextProof = ReplyOf<typeof getPublication>['nextProof'];

interface Asked {
  readonly id: number;
  readonly effectiveFrom: Day;
}
interface Parts {
  readonly db: Db;
  readonly clock: Clock;
  readonly plans: Pick<LampPlans, 'of'>;
}

/** How old an answer may be, ms. */
const age = 5000;

/**
 * When the lamps of a publication that were told and are not proven will be proven, by some lamps of each kind. Callers
 * who see the same devices share an answer.
 */
export function createNextProofs({ db, clock, plans }: Parts) {
  const answers = remember<NextProof>(clock, age);
  const periods = reportPeriods();

  async function look(caller: DeviceScope, { id, effectiveFrom }: Asked): Promise<NextProof> {
    const now = clock.now().getTime();
    const lamps = await findAwaited(db, caller, id);
    const known = await plansOfEach(db, plans, lamps, { now, failing: () => undefined });
    const breathe = breather();
    let [first, last] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
    for (const { deviceId, toldAt, seenAt, lighting } of lamps) {
      await breathe();
      const plan = known.own.get(deviceId);
      if (!plan) continue;
      const one = { ...paceBy(plan.following.at(-1), periods, 0), plan, former: formerOf(plan), lighting };
      const from = Math.max(toldAt, seenAt ?? toldAt, lightingDayOf(plan.place, effectiveFrom).from);
      const at = nextProof(one, { from, now });
      if (at !== null) [first, last] = [Math.min(first, at), Math.max(last, at)];
    }
    return first > last ? null : { first: new Date(first).toISOString(), last: new Date(last).toISOString() };
  }

  return (caller: DeviceScope, asked: Asked): Promise<NextProof> =>
    answers(`${asked.id} ${scopeKey(caller)}`, () => look(caller, asked));
}
