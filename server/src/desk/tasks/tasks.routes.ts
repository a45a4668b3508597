import {
  cancelTask,
  deleteTask,
  getTask,
  getTaskFile,
  listTasks,
  repeatTask,
  startTask,
} from '../../../../contract/desk/tasks.ts';
import { exportCalls } from '../../../../contract/desk/exports.ts';
import { bind, type Binding } from '../../platform/http/index.ts';
import type { Tasks } from './tasks.service.ts';

type ListExport = keyof typeof exportCalls;
const listExports = Object.keys(exportCalls) as readonly ListExport[];

/** The call that begins the export of a list: its body and the work area in force are what the task is begun with. */
const begins = (tasks: Tasks, kind: ListExport): Binding =>
  bind(exportCalls[kind], ({ body }, ctx) => tasks.begin(ctx, kind, { ...body, workAreaId: ctx.caller.workAreaId }), {
    rules: ({ body = {} }, ctx) => tasks.problems(ctx, kind, body),
  });

export function tasksRoutes(tasks: Tasks): Binding[] {
  return [
    bind(startTask, ({ body }, ctx) => tasks.start(ctx, body), {
      rules: ({ body = {} }, ctx) => tasks.problems(ctx, body.kind, body.params),
    }),
    ...listExports.map((kind) => begins(tasks, kind)),
    bind(listTasks, ({ query }, ctx) => tasks.list(ctx, query)),
    bind(getTask, ({ params }, ctx) => tasks.get(ctx, params.id)),
    bind(cancelTask, ({ params }, ctx) => tasks.cancel(ctx, params.id)),
    bind(repeatTask, ({ params }, ctx) => tasks.repeat(ctx, params.id)),
    bind(deleteTask, ({ params }, ctx) => tasks.remove(ctx, params.id)),
    bind(getTaskFile, ({ params }, ctx) => tasks.file(ctx, params.id)),
  ];
}
