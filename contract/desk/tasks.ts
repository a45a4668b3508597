import { Type } from 'typebox';
import { HistoryExport } from '../history.ts';
import { IdParams, Nullable, Page, Size, Timestamp, byBody, listOf, route, csv, xlsx } from '../route.ts';

/** Long work of one account: exports and imports. It survives leaving the page; a restart marks what ran as failed. */

const ExportKind = Type.Union([Type.Literal('export.operation-log'), Type.Literal('export.login-log')]);
const TaskKind = Type.Union([
  ExportKind,
  Type.Literal('export.devices'),
  Type.Literal('export.command'),
  Type.Literal('export.history'),
  Type.Literal('import.check'),
  Type.Literal('import.apply'),
  Type.Literal('import.undo'),
]);
const TaskState = Type.Union([
  Type.Literal('queued'),
  Type.Literal('running'),
  Type.Literal('done'),
  Type.Literal('failed'),
  Type.Literal('cancelled'),
]);

/** Days of the caller's zone, both included: `yyyy-MM-dd`. */
export const ExportDays = Type.Object({
  beginTime: Type.String({ maxLength: 40 }),
  endTime: Type.String({ maxLength: 40 }),
});

/** A family's list as it is filtered: the filters as they stand in its address, or the ids of what was selected. */
const DeviceList = Type.Object({
  family: Type.String({ maxLength: 64 }),
  query: Type.Record(Type.String({ maxLength: 64 }), Type.String({ maxLength: 80_000 })),
});
/** With the work area that was in force. */
export const DeviceExport = Type.Interface([DeviceList], { workAreaId: Nullable(Type.Integer()) });

/** The results of a command per device; `states` null: all. With the work area that was in force. */
export const CommandExport = Type.Object({
  commandId: Type.Integer(),
  format: Type.Enum(['xlsx', 'csv']),
  states: Nullable(Type.Array(Type.String())),
  workAreaId: Nullable(Type.Integer()),
});

/** Of an import: which, and of its writing whether all rows or none. Begun by the calls of imports. */
export const ImportStep = Type.Object({
  importId: Type.Integer(),
  rows: Type.Optional(Type.Union([Type.Literal('valid'), Type.Literal('all')])),
});

/** With the work area that was in force. */
export const HistoryExportParams = Type.Interface([HistoryExport], { workAreaId: Nullable(Type.Integer()) });

export const Task = Type.Object({
  id: Type.Integer(),
  kind: TaskKind,
  state: TaskState,
  /** Rows written and rows to write; the total is null while it is being counted. */
  done: Type.Integer(),
  total: Nullable(Type.Integer()),
  params: Type.Union([ExportDays, DeviceExport, CommandExport, HistoryExportParams, ImportStep]),
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
export const exportDevices = route({
  method: 'POST',
  path: '/api/v1/device-exports',
  limits: { bytes: 512 * 1024 },
  tag: 'tasks',
  access: 'device.export',
  action: 'device.export',
  areaScoped: true,
  status: 201,
  summary: 'Begins the export of a family’s list as it is filtered, as a task; the sheet imports unchanged.',
  body: DeviceList,
  reply: Task,
});
