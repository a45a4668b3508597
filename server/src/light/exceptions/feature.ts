import type { Feature } from '../../feature.ts';
import type { Floor } from '../../floor.ts';
import type { LampPlans } from '../plans/index.ts';
import { exceptionsRoutes } from './exceptions.routes.ts';
import { createExceptionSteps } from './steps.ts';

export const exceptionsFeature = ({ db, answering, bus, clock, watch }: Floor, plans: LampPlans): Feature => ({
  routes: exceptionsRoutes({ db: answering, bus, clock, plans }),
  jobs: [
    {
      name: 'exceptions',
      where: 'one process',
      start: () => createExceptionSteps({ db, bus, clock: watch.jobs.named('exceptions'), plans }).start(),
    },
  ],
});
