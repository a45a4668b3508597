import type { Feature } from '../../feature.ts';
import type { Floor } from '../../floor.ts';
import type { Broker } from '../../platform/mqtt/index.ts';
import { createJudging, startJudging } from './judging.ts';
import { lampsRoutes } from './lamps.routes.ts';
import { createLamps } from './lamps.service.ts';
import type { Periods } from './reach.ts';
import type { Thresholds } from './thresholds.ts';

/** Lamps as they are, and the judging that says so: in one process at a time, of what any process stores. */
export function lampsFeature({ db, answering, bus, clock, watch, log }: Floor, { broker, thresholds, periods }: { readonly broker: Broker; readonly thresholds: Thresholds; readonly periods: Periods }): Feature {
  const judging = createJudging({
    db, clock: watch.jobs.named('judging'), thresholds, periods, listening: () => broker.problem() === null,
    announce: (ids) => bus.publish('lamps.judged', { ids }),
    onError: (thrown) => log.error({ err: thrown }, 'judging failed'),
  });
  return {
    routes: lampsRoutes(createLamps({ db: answering, clock, periods })),
    jobs: [{ name: 'judging', where: 'one process', start: () => startJudging(judging, bus, log) }],
  };
}
