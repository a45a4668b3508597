import { criteriaDefaults } from '../../../../contract/light/first-part.ts';
import { firstPartFailures } from '../../../../contract/light/publications.ts';
import type { Transaction } from '../../platform/db/index.ts';
import type { LampPlans } from '../plans/index.ts';
import { findChange } from './change.store.ts';
import { litRates } from './lit-rate.ts';
import { move, release, type Publication } from './publications.store.ts';
import { revert } from './reverting.ts';
import { logRevert } from './reverting.store.ts';
import { countFirst } from './telling.store.ts';

/** Who did what no person did. */
const program = 'Lampyris';

const percent = (part: number, whole: number) => (whole === 0 ? null : Math.floor((part * 1000) / whole) / 10);

/** Judges the first part once a planned step has passed for all its lamps in reach; false: nothing changes yet. */
export async function judgeFirst(
  tx: Transaction,
  plans: Pick<LampPlans, 'of'>,
  publication: Publication,
  at: Date,
): Promise<boolean> {
  const { id, criteria, judged } = publication;
  if (judged) return judged.passed && publication.goOn ? goOn(tx, id, at) : false;
  const first = await countFirst(tx, id);
  if (first.decided < first.total) return false;
  const inReach = first.total - first.away;
  const reportedPercent = percent(first.reported, first.able);
  const provenPercent = percent(first.proven, inReach);
  const { now: litPercent, before: litBeforePercent } = await litRates(tx, plans, id, at);
  const isAsLit =
    litPercent === null ||
    litBeforePercent === null ||
    litPercent >= litBeforePercent - (criteria.litDropPoints ?? criteriaDefaults.litDropPoints);
  const holds = {
    reported: (reportedPercent ?? 100) >= criteria.reportedPercent,
    proven: (provenPercent ?? 0) >= criteria.provenPercent,
    lit: isAsLit,
    alarms: first.alarms <= Math.max(1, (first.total * criteria.newAlarmsPercent) / 100),
  };
  const failed = firstPartFailures.filter((one) => !holds[one]);
  const passed = failed.length === 0;
  const result = {
    ...{ passed, at: at.toISOString(), reportedPercent, provenPercent },
    ...{ litPercent, litBeforePercent, newAlarms: first.alarms, failed },
  };
  if (passed) {
    await move(tx, id, { phase: 'judging', at, judged: result });
    return publication.goOn ? goOn(tx, id, at) : true;
  }
  const halted = { why: 'canary', at: at.toISOString(), by: null, reason: null, phase: 'tellingAll' };
  await move(tx, id, { phase: 'halted', at, judged: result, halted });
  if (publication.autoRevert) {
    const revertId = await revert(tx, publication, { actorId: publication.actorId, by: program, reason: null, at });
    // Never silently: the log names the program.
    if (revertId !== undefined) {
      const params = {
        revertId,
        ...result,
        criteria,
        ...(await findChange(tx, id)),
        return: await findChange(tx, revertId),
      };
      await logRevert(tx, id, program, { at, params });
    }
  }
  return true;
}

async function goOn(tx: Transaction, id: number, at: Date): Promise<boolean> {
  await release(tx, id, 'all');
  await move(tx, id, { phase: 'tellingAll', at });
  return true;
}
