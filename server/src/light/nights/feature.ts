import type { Feature } from '../../feature.ts';
import type { Floor } from '../../floor.ts';
import type { Hint } from '../../platform/live/index.ts';
import type { AreasOf } from '../../register/devices/index.ts';
import type { LampPlans } from '../plans/index.ts';
import { nightExportTask } from './export-task.ts';
import { nightMetrics } from './metrics.ts';
import { nightsRoutes } from './nights.routes.ts';
import { createNightSteps } from './steps.ts';

/** A rehearsal or a report went on. */
export const nightsHint: Hint = {
  topic: 'nights',
  permissions: ['plan.query'],
  gathered: true,
  listen: (bus, say) => [bus.subscribe('nights.changed', () => say({ type: 'nights' }))],
};

export function nightsFeature(
  { db, answering, bus, clock, watch, sheets, config }: Floor,
  { plans, areasOf }: { readonly plans: LampPlans; readonly areasOf: AreasOf },
): Feature {
  const jobClock = watch.jobs.named('nights');
  const steps = createNightSteps({ db, bus, clock: jobClock, plans, reportAt: config.morningReport });
  return {
    routes: nightsRoutes({ db: answering, clock }),
    hints: [nightsHint],
    tasks: nightExportTask({ db, sheets, areasOf }),
    metrics: nightMetrics(answering, steps),
    jobs: [{ name: 'nights', where: 'one process', start: () => steps.start() }],
  };
}
