import { Type } from 'typebox';
import { Day, Page, Size, Timestamp, specified, xlsx } from '../route.ts';

/** Login log and operation log (specified 8.1 to 8.4). Pages from 0. Messages come in the caller's language. */

const Text = Type.String({ maxLength: 200 });
const page = {
  page: Type.Optional(Page),
  size: Type.Optional(Size()),
  sort: Type.Optional(Type.String({ maxLength: 60 })),
  /** Days of the caller's zone, both included (ours). */
  beginTime: Type.Optional(Day),
  endTime: Type.Optional(Day),
  /** Instants, both included; if days are given too, both limits apply. */
  'time.greaterOrEqualThan': Type.Optional(Timestamp),
  'time.lessOrEqualThan': Type.Optional(Timestamp),
  /** success or failure (ours). */
  status: Type.Optional(Type.Union([Type.Literal('success'), Type.Literal('failure')])),
} as const;

export const OperationLogRow = Type.Object({
  id: Type.Integer(),
  username: Type.String(),
  uri: Type.String(),
  ip: Type.String(),
  time: Type.String(),
  params: Type.Union([Type.String(), Type.Null()]),
  message: Type.String(),
  status: Type.Integer(),
  times: Type.Integer(),
  sealed: Type.Boolean(),
});
export const LoginLogRow = Type.Object({
  id: Type.Integer(),
  userName: Type.String(),
  ip: Type.String(),
  time: Type.String(),
  message: Type.String(),
  status: Type.String(),
  times: Type.Integer(),
  sealed: Type.Boolean(),
});
const rowsOf = <T extends typeof OperationLogRow | typeof LoginLogRow>(row: T) =>
  Type.Object({
    data: Type.Array(row),
    recordsTotal: Type.Integer(),
    recordsFiltered: Type.Integer(),
    recordsTotalExact: Type.Optional(Type.Boolean()),
  });

export const listOperationLog = specified({
  method: 'GET',
  path: '/api/system/cscpLogOperations',
  aliases: ['/api/system/cscpLogOperationsByCriteria'],
  tag: 'logs',
  access: 'cscp.logging.operation',
  summary: 'The operation log, newest first. Sort: time, username.',
  query: Type.Object({ 'username.contains': Type.Optional(Text), ...page }),
  reply: rowsOf(OperationLogRow),
});

export const listLoginLog = specified({
  method: 'GET',
  path: '/api/system/cscpLogLogins',
  aliases: ['/api/system/cscpLogLoginsByCriteria'],
  tag: 'logs',
  access: 'cscp.logging.login',
  summary: 'The login log, newest first. Sort: time, userName.',
  query: Type.Object({ 'userName.contains': Type.Optional(Text), ...page }),
  reply: rowsOf(LoginLogRow),
});

const Range = Type.Object({ beginTime: Type.String({ maxLength: 40 }), endTime: Type.String({ maxLength: 40 }) });

/** Changes nothing, but the log records who exported it. */
export const exportOperationLog = specified({
  method: 'POST',
  path: '/api/operationsExcel',
  refuses: ['tooManyExports'],
  tag: 'logs',
  access: 'cscp.logging.operation',
  action: 'log.exportOperations',
  summary: 'The operation log of the days begin to end, both included, as .xlsx; at most 1,000,000 rows.',
  body: Range,
  reply: Type.Unknown(),
  replyKind: 'file',
  sends: [xlsx],
});

export const exportLoginLog = specified({
  method: 'POST',
  path: '/api/logInExcel',
  refuses: ['tooManyExports'],
  tag: 'logs',
  access: 'cscp.logging.login',
  action: 'log.exportLogins',
  summary: 'The login log of the days begin to end, both included, as .xlsx; at most 1,000,000 rows.',
  body: Range,
  reply: Type.Unknown(),
  replyKind: 'file',
  sends: [xlsx],
});
