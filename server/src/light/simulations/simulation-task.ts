import type { Static } from 'typebox';
import type { PlanSimulation } from '../../../../contract/desk/task-kinds.ts';
import type { TaskKind } from '../../desk/tasks/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Db } from '../../platform/db/index.ts';
import { refuse } from '../../platform/http/index.ts';
import { scopeOfAccount, type AreasOf } from '../../register/devices/index.ts';
import { gather } from './gathering.ts';
import { shownNights } from './shown-nights.ts';
import * as store from './simulations.store.ts';
import { differInThread } from './thread.ts';

type Params = Static<typeof PlanSimulation>;
export interface SimulationTaskParts {
  readonly db: Db;
  readonly clock: Clock;
  readonly areasOf: AreasOf;
}

/** Reading the lamps is so much of the work. */
const readingShare = 0.4;

/** The difference of two plans as long work. It leaves no file: its result stands in the database. */
export function simulationTask({ db, clock, areasOf }: SimulationTaskParts): {
  readonly 'plan.simulation': TaskKind<Params>;
} {
  return {
    'plan.simulation': {
      permission: 'plan.query',
      action: 'plan.simulate',
      check: ({ lamps }) => Promise.resolve({ total: lamps }),
      async run({ simulationId, lamps }, { accountId }, progress, signal) {
        const simulation = await store.findSimulation(db, simulationId);
        if (!simulation) throw refuse('notFound');
        const { asked } = simulation;
        const caller = await scopeOfAccount(areasOf, accountId, asked.workAreaId);
        const gathered = await gather(asked, {
          db,
          caller,
          progress: (seen) => progress(Math.round(seen * readingShare)),
          signal,
        });
        if (!(await store.takeResult(db, simulationId, gathered.key))) {
          await differInThread(gathered.order, {
            progress: (done) => progress(Math.round(lamps * (readingShare + done * (1 - readingShare)))),
            signal,
            keep: (result, lampsOf) => {
              const { lamps: count, months, levels, findings } = result;
              const { key, withoutPlace, watts, order } = gathered;
              return store.putResult(db, simulationId, {
                ...{ key, levels, lampsOf, at: clock.now() },
                outcome: {
                  ...{ lamps: count, withoutPlace, watts, days: order.input.days, months, findings },
                  testNights: shownNights(gathered),
                },
              });
            },
          });
        }
        progress(lamps);
        return null;
      },
    },
  };
}
