export type { TaskKind } from './kind.ts';
export { startTaskRunner } from './runner.ts';
export { tasksRoutes } from './tasks.routes.ts';
export { createTasks } from './tasks.service.ts';
