import type { Feature } from '../../feature.ts';
import type { Floor } from '../../floor.ts';
import { defaultThresholds, reportPeriods } from '../../light/lamps/index.ts';
import type { LampPlans } from '../../light/plans/index.ts';
import type { Broker } from '../../platform/mqtt/index.ts';
import { createJudging, startJudging } from './judging.ts';

/**
 * Whether devices are there, and what lamps do: judged in one process at a time, whichever process stored their
 * readings.
 */
export function presenceFeature({ db, bus, watch, log }: Floor, broker: Broker, plans: LampPlans): Feature {
  const judging = createJudging({
    db,
    clock: watch.jobs.named('judging'),
    thresholds: defaultThresholds,
    periods: reportPeriods(),
    plans,
    listening: () => broker.problem() === null,
    announce: (ids) => bus.publish('lamps.judged', { ids }),
    onError: (thrown) => log.error({ err: thrown }, 'judging failed'),
  });
  return { jobs: [{ name: 'judging', where: 'one process', start: () => startJudging(judging, bus, log) }] };
}
