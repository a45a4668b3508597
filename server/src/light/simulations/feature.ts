import type { Tasks } from '../../desk/tasks/index.ts';
import type { Feature } from '../../feature.ts';
import type { Floor } from '../../floor.ts';
import type { AreasOf } from '../../register/devices/index.ts';
import { simulationExportTask } from './export-task.ts';
import { simulationTask } from './simulation-task.ts';
import { simulationsRoutes } from './simulations.routes.ts';
import { createSimulations } from './simulations.service.ts';

/** The difference of two plans over a year: a task that computes it, its result, and its file. */
export const simulationsFeature = (
  { db, database: { connection }, answering, bus, clock, sheets }: Floor,
  { tasks, areasOf }: { readonly tasks: Tasks; readonly areasOf: AreasOf },
): Feature => ({
  routes: simulationsRoutes(createSimulations({ db: answering, bus, clock, tasks })),
  tasks: { ...simulationTask({ db, connection, clock, areasOf }), ...simulationExportTask({ db, clock, sheets }) },
});
