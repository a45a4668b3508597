import type pg from 'pg';
import type { Static } from 'typebox';
import type { PlanSimulation } from '../../../../contract/desk/task-kinds.ts';
import type { TaskKind } from '../../desk/tasks/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Db } from '../../platform/db/index.ts';
import { refuse } from '../../platform/http/index.ts';
import { scopeOfAccount, type AreasOf } from '../../register/devices/index.ts';
import * as store from './simulations.store.ts';
import { simulateInThread } from './thread.ts';

type Params = Static<typeof PlanSimulation>;
export interface SimulationTaskParts {
  readonly db: Db;
  /** For the thread's own connection. */
  readonly connection: pg.ClientConfig;
  readonly clock: Clock;
  readonly areasOf: AreasOf;
}

/** The difference of two plans as long work. It leaves no file: its result stands in the database. */
export function simulationTask({ db, connection, clock, areasOf }: SimulationTaskParts): {
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
        await simulateInThread(
          { simulationId, asked, caller, lamps, connection, at: clock.now() },
          { progress: (done) => progress(Math.round(lamps * done)), signal },
        );
        progress(lamps);
        return null;
      },
    },
  };
}
