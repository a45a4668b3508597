import type { Feature } from '../../feature.ts';
import type { Floor } from '../../floor.ts';
import type { AreasOf } from '../../register/devices/index.ts';
import type { LampPlans } from '../plans/index.ts';
import { exceptionExportTask } from './export-task.ts';
import { exceptionsRoutes } from './exceptions.routes.ts';
import { createExceptionSteps } from './steps.ts';

export const exceptionsFeature = (
  { db, answering, bus, clock, sheets, watch }: Floor,
  { plans, areasOf }: { readonly plans: LampPlans; readonly areasOf: AreasOf },
): Feature => ({
  routes: exceptionsRoutes({ db: answering, bus, clock, plans }),
  tasks: exceptionExportTask({ db, clock, sheets, areasOf }),
  jobs: [
    {
      name: 'exceptions',
      where: 'one process',
      start: () => createExceptionSteps({ db, bus, clock: watch.jobs.named('exceptions'), plans }).start(),
    },
  ],
});
