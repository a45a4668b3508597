import { Type } from 'typebox';
import { ExportDays, taskKindNames, taskParams, type TaskParams } from './task-kinds.ts';
import { IdParams, Nullable, Page, Size, Timestamp, byBody, listOf, route, csv, xlsx } from '../route.ts';

/** Long work of one account: exports and imports. It survives leaving the page; a restart marks what ran as failed. */

const ExportKind = Type.Enum(['export.operation-log', 'export.login-log'] as const);
const TaskState = Type.Union([
  Type.Literal('queued'),
  Type.Literal('running'),
  Type.Literal('done'),
  Type.Literal('failed'),
  Type.Literal('cancelled'),
]);

export const Task = Type.Object({
  id: Type.Integer(),
  kind: Type.Enum(taskKindNames),
  state: TaskState,
  /** Rows written and rows to write; the total is null while it is being counted. */
  done: Type.Integer(),
  total: Nullable(Type.Integer()),
  params: Type.Unsafe<TaskParams>(Type.Union([...new Set(Object.values(taskParams))])),
  /** In the caller's language; null unless it failed. */
  error: Nullable(Type.String()),
  /** Kept `until` then. */
  file: Nullable(Type.Object({ name: Type.String(), bytes: Type.Integer(), until: Timestamp })),
  createdAt: Timestamp,
  endedAt: Nullable(Timestamp),
});

export const startTask = route({
  method: 'POST',
  path: '/api/v1/tasks',
  tag: 'tasks',
  access: 'session',
  action: byBody('log.export', ({ kind }) =>
    kind === 'export.login-log' ? 'log.exportLogins' : 'log.exportOperations',
  ),
  status: 201,
  summary: 'Begins long work; the code it needs is the one of the call it stands for.',
  body: Type.Object({ kind: ExportKind, params: ExportDays }),
  reply: Task,
});
export const listTasks = route({
  method: 'GET',
  path: '/api/v1/tasks',
  tag: 'tasks',
  access: 'session',
  summary: 'The caller’s own tasks, newest first.',
  query: Type.Object({ page: Type.Optional(Page), size: Type.Optional(Size(100)) }),
  reply: listOf(Task),
});
export const getTask = route({
  method: 'GET',
  path: '/api/v1/tasks/:id',
  tag: 'tasks',
  access: 'session',
  summary: 'One own task.',
  params: IdParams,
  reply: Task,
});
export const cancelTask = route({
  method: 'POST',
  path: '/api/v1/tasks/:id/cancel',
  tag: 'tasks',
  access: 'session',
  action: 'task.cancel',
  summary: 'Stops an own task.',
  params: IdParams,
  reply: Task,
});
export const repeatTask = route({
  method: 'POST',
  path: '/api/v1/tasks/:id/repeat',
  tag: 'tasks',
  access: 'session',
  action: 'task.repeat',
  status: 201,
  summary: 'Begins an ended task again, as a new one.',
  params: IdParams,
  reply: Task,
});
export const deleteTask = route({
  method: 'DELETE',
  path: '/api/v1/tasks/:id',
  tag: 'tasks',
  access: 'session',
  action: 'task.delete',
  status: 204,
  summary: 'Removes an own ended task and its file.',
  params: IdParams,
  reply: Type.Null(),
  replyKind: 'empty',
});
export const getTaskFile = route({
  method: 'GET',
  path: '/api/v1/tasks/:id/file',
  refuses: ['missingPermission'],
  tag: 'tasks',
  access: 'session',
  summary: 'The file an own task made; kept for 7 days.',
  params: IdParams,
  reply: Type.Unknown(),
  replyKind: 'file',
  sends: [xlsx, csv],
});
