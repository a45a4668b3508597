import type { Feature } from '../../feature.ts';
import type { Floor } from '../../floor.ts';
import type { Hint } from '../../platform/live/index.ts';
import type { Periods, Thresholds } from '../lamps/index.ts';
import type { LampPlans } from '../plans/index.ts';
import { homeRoutes } from './home.routes.ts';
import { createHome, holdOf } from './home.service.ts';
import { createLoadSums } from './loads.ts';
import { createHomeMap } from './map.service.ts';
import { createSince, type SinceParts } from './since.service.ts';

/** What the home page counts may have changed. */
export const homeHint: Hint = {
  topic: 'home',
  gathered: true,
  listen: (bus, say) =>
    (['lamps.judged', 'settings.changed'] as const).map((topic) => bus.subscribe(topic, () => say({ type: 'home' }))),
};

export function homeFeature(
  { db, answering, clock, watch }: Floor,
  {
    thresholds,
    periods,
    plans,
    absenceOf,
  }: {
    readonly thresholds: Thresholds;
    readonly periods: Periods;
    readonly plans: LampPlans;
    readonly absenceOf: SinceParts['absenceOf'];
  },
) {
  const hold = holdOf(periods);
  const feature: Feature = {
    routes: homeRoutes(createHome({ db: answering, clock, thresholds, periods, plans }), {
      map: createHomeMap({ db: answering, clock }),
      since: createSince({ db: answering, clock, absenceOf }),
    }),
    hints: [homeHint],
    jobs: [
      {
        name: 'loads',
        where: 'one process',
        start: () => createLoadSums({ db, clock: watch.jobs.named('loads'), hold }).start(),
      },
    ],
  };
  return { feature, hold };
}
