import {
  cancelTask,
  deleteTask,
  exportDevices,
  getTask,
  getTaskFile,
  listTasks,
  repeatTask,
  startTask,
} from '../../../../contract/desk/tasks.ts';
import { bind, type Binding } from '../../platform/http/index.ts';
import type { Tasks } from './tasks.service.ts';

export function tasksRoutes(tasks: Tasks): Binding[] {
  return [
    bind(startTask, ({ body }, ctx) => tasks.start(ctx, body), {
      rules: ({ body = {} }, ctx) => tasks.problems(ctx, body.kind, body.params),
    }),
    bind(
      exportDevices,
      ({ body }, ctx) => tasks.begin(ctx, 'export.devices', { ...body, workAreaId: ctx.caller.workAreaId }),
      { rules: ({ body = {} }, ctx) => tasks.problems(ctx, 'export.devices', body) },
    ),
    bind(listTasks, ({ query }, ctx) => tasks.list(ctx, query)),
    bind(getTask, ({ params }, ctx) => tasks.get(ctx, params.id)),
    bind(cancelTask, ({ params }, ctx) => tasks.cancel(ctx, params.id)),
    bind(repeatTask, ({ params }, ctx) => tasks.repeat(ctx, params.id)),
    bind(deleteTask, ({ params }, ctx) => tasks.remove(ctx, params.id)),
    bind(getTaskFile, ({ params }, ctx) => tasks.file(ctx, params.id)),
  ];
}
