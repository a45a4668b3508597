import type { Tasks } from '../../desk/tasks/index.ts';
import type { Feature } from '../../feature.ts';
import type { Floor } from '../../floor.ts';
import { markLoadsDue, type Hold } from '../../light/home/index.ts';
import type { LampPlans } from '../../light/plans/index.ts';
import type { AreasOf } from '../../register/devices/index.ts';
import { createEnergy } from './energy.service.ts';
import { historyExportRoutes, historyExportTask } from './export-task.ts';
import { historyRoutes } from './history.routes.ts';
import { createHistory } from './history.service.ts';
import { startHistoryRetention } from './retention.ts';
import { createRoller } from './roller.ts';
import { createHistoryStorage } from './storage.service.ts';

/** Readings and energy over time; `hold`: for how long a lamp's reading counts for the load of its area. */
export function readingsFeature(
  { db, answering, clock, watch, log, sheets, config }: Floor,
  {
    tasks,
    areasOf,
    hold,
    plans,
  }: { readonly tasks: Tasks; readonly areasOf: AreasOf; readonly hold: Hold; readonly plans: LampPlans },
): Feature {
  const storage = createHistoryStorage({
    db: answering,
    clock,
    dataDir: config.databaseUrl === null ? config.dataDir : null,
  });
  return {
    routes: [
      ...historyRoutes(createHistory({ db: answering, clock, plans }), createEnergy({ db: answering }), storage),
      ...historyExportRoutes(tasks),
    ],
    tasks: historyExportTask({ db, sheets, areasOf }),
    jobs: [
      {
        name: 'history',
        where: 'one process',
        start: () =>
          createRoller({
            db,
            clock: watch.jobs.named('history'),
            log,
            plans,
            cameLate: (tx, hours) => markLoadsDue(tx, hours, hold),
          }).start(),
      },
      {
        name: 'history retention',
        where: 'one process',
        start: () => startHistoryRetention({ db, clock: watch.jobs.named('retention'), log }),
      },
    ],
  };
}
