import type { Feature } from '../../feature.ts';
import type { Floor } from '../../floor.ts';
import type { Periods, Thresholds } from '../lamps/index.ts';
import { homeRoutes } from './home.routes.ts';
import { createHome, holdOf } from './home.service.ts';
import { createLoadSums } from './loads.ts';

export function homeFeature({ db, answering, clock, watch }: Floor, { thresholds, periods }: { readonly thresholds: Thresholds; readonly periods: Periods }) {
  const hold = holdOf(periods);
  const feature: Feature = {
    routes: homeRoutes(createHome({ db: answering, clock, thresholds, periods })),
    jobs: [{ name: 'loads', where: 'one process', start: () => createLoadSums({ db, clock: watch.jobs.named('loads'), hold }).start() }],
  };
  return { feature, hold };
}
