import { levelAt } from '../../../../catalogue/lighting/plan/lamp-plan.ts';
import type { Transaction } from '../../platform/db/index.ts';
import { reportPeriods } from '../lamps/index.ts';
import { formerOf, type LampPlans } from '../plans/index.ts';
import { plansWithAreas } from './lamp-plans.ts';
import { settleMs, shownBy } from './proving.rules.ts';
import { findReadings } from './proving.store.ts';
import { findFirstProofs } from './telling.store.ts';

const dayMs = 86_400_000;
const periods = reportPeriods();

/** Of the lamps of the first part that were to be lit both times: the share that was; null: there is none. */
interface LitRates {
  readonly now: number | null;
  readonly before: number | null;
}

/**
 * The strict lit rate of the first part at the steps that were judged, and of the same lamps at the same time of the
 * night before: lamps of which nobody heard were not lit.
 */
export async function litRates(
  tx: Transaction,
  plans: Pick<LampPlans, 'of'>,
  publicationId: number,
  at: Date,
): Promise<LitRates> {
  const lit = (await findFirstProofs(tx, publicationId)).filter(({ expected }) => expected > 0);
  if (lit.length === 0) return { now: null, before: null };
  const { own, of } = await plansWithAreas(tx, plans, lit, at.getTime());
  const compared = lit.flatMap((lamp) => {
    const given = own.get(lamp.deviceId);
    const former = given ? formerOf(given) : of(lamp.deviceId, lamp.workAreaId);
    const seconds = given?.following.at(-1)?.template?.content.reportLitSeconds ?? periods.litSeconds;
    const from = lamp.stepAt.getTime() - dayMs + settleMs;
    const span = { deviceId: lamp.deviceId, from, to: from + 2 * seconds * 1000 };
    return former && levelAt(former, span.from) > 0 && levelAt(former, span.to) > 0 ? [{ lamp, span }] : [];
  });
  const readings = await findReadings(
    tx,
    compared.map(({ span }) => span),
  );
  const watts = new Map(lit.map(({ deviceId, ratedWatts }) => [deviceId, ratedWatts]));
  const seen = new Set(
    readings.flatMap((one) => {
      return (shownBy(one, watts.get(one.deviceId) ?? null) ?? 0) > 0 ? one.deviceId : [];
    }),
  );
  const share = (count: number) => (compared.length === 0 ? null : Math.floor((count * 1000) / compared.length) / 10);
  return {
    now: share(compared.filter(({ lamp }) => (lamp.observed ?? 0) > 0).length),
    // Nothing was heard of any of them: they were not there yet, or nobody knows.
    before: readings.length === 0 ? null : share(compared.filter(({ lamp }) => seen.has(lamp.deviceId)).length),
  };
}
