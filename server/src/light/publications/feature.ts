import type { Feature } from '../../feature.ts';
import type { Floor } from '../../floor.ts';
import type { Hint } from '../../platform/live/index.ts';
import type { AreasOf } from '../../register/devices/index.ts';
import type { LampPlans } from '../plans/index.ts';
import { publicationExportTasks } from './export-task.ts';
import { publicationMetrics } from './metrics.ts';
import { publicationsRoutes } from './publications.routes.ts';
import { createSteps } from './steps.ts';

/** A publication went on: lists of publications are others. */
export const publicationsHint: Hint = {
  topic: 'publications',
  permissions: ['plan.query', 'lamp.approve'],
  gathered: true,
  listen: (bus, say) => [bus.subscribe('publications.changed', () => say({ type: 'publications' }))],
};

export function publicationsFeature(
  { db, answering, bus, clock, sheets, watch }: Floor,
  { plans, areasOf }: { readonly plans: LampPlans; readonly areasOf: AreasOf },
): Feature {
  const steps = createSteps({
    ...{ db, bus, plans, planned: watch.meters.planned },
    clock: watch.jobs.named('publications'),
  });
  return {
    routes: publicationsRoutes({ db: answering, bus, clock, plans }),
    hints: [publicationsHint],
    tasks: publicationExportTasks({ db, clock, sheets, areasOf }),
    metrics: publicationMetrics(answering, steps),
    jobs: [{ name: 'publications', where: 'one process', start: () => steps.start() }],
  };
}
