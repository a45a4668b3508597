import type { Tasks } from '../../desk/tasks/index.ts';
import type { Feature } from '../../feature.ts';
import type { Floor } from '../../floor.ts';
import type { AreasOf, Devices } from '../devices/index.ts';
import { failedRowsTask } from './export-task.ts';
import { importTasks } from './import-tasks.ts';
import { importsRoutes } from './imports.routes.ts';
import { createImports } from './imports.service.ts';
import { startImportRetention } from './retention.ts';

export const importsFeature = (
  { db, answering, bus, clock, watch, files, sheets, log }: Floor,
  { tasks, ...parts }: { readonly tasks: Tasks; readonly devices: Devices; readonly areasOf: AreasOf },
): Feature => ({
  routes: importsRoutes(createImports({ db: answering, clock, files, tasks })),
  tasks: {
    ...importTasks({ ...parts, db, bus, clock, files }),
    ...failedRowsTask({ db, files, sheets, areasOf: parts.areasOf }),
  },
  jobs: [
    {
      name: 'import rows',
      where: 'one process',
      start: () => startImportRetention({ db, clock: watch.jobs.named('imports'), log }),
    },
  ],
});
