export type { TaskKind, TaskKinds } from './kind.ts';
export { startTaskRunner } from './runner.ts';
export { tasksRoutes } from './tasks.routes.ts';
export { createTasks, type Tasks } from './tasks.service.ts';
