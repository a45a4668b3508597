import type { Feature } from '../../feature.ts';
import type { Floor } from '../../floor.ts';
import type { Hint } from '../../platform/live/index.ts';
import { createKindBook } from './kind.ts';
import { startTaskRunner } from './runner.ts';
import { tasksRoutes } from './tasks.routes.ts';
import { createTasks } from './tasks.service.ts';

/** One of the account's own tasks changed. */
export const tasksHint: Hint = {
  topic: 'tasks',
  own: true,
  listen: (bus, say) => [
    bus.subscribe('tasks.changed', ({ accountId, taskId }) => say({ type: 'task', id: taskId }, accountId)),
  ],
};

/** Long work of every feature; its kinds are offered while the program is put together, before its first request. */
export function tasksFeature({ answering, db, database, bus, clock, watch, files, log }: Floor) {
  const book = createKindBook();
  const tasks = createTasks({ db: answering, bus, clock, files, kinds: book.kinds });
  const feature: Feature = {
    routes: tasksRoutes(tasks),
    hints: [tasksHint],
    jobs: [
      {
        name: 'tasks',
        where: 'every process',
        start: () =>
          startTaskRunner({
            db,
            connection: database.connection,
            bus,
            clock: watch.jobs.named('tasks'),
            files,
            log,
            kinds: book.kinds,
          }),
      },
    ],
  };
  return { feature, tasks, book };
}
