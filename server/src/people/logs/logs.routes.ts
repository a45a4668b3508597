import {
  exportLoginLog,
  exportOperationLog,
  listLoginLog,
  listOperationLog,
} from '../../../../contract/specified/logs.ts';
import { bind, type Binding } from '../../platform/http/index.ts';
import type { Logs } from './logs.service.ts';

export function logsRoutes(logs: Logs): Binding[] {
  return [
    bind(listOperationLog, ({ query }, ctx) => logs.operations(query['username.contains'], query, ctx)),
    bind(listLoginLog, ({ query }, ctx) => logs.logins(query['userName.contains'], query, ctx)),
    bind(exportOperationLog, ({ body }, ctx) => logs.export('operations', body, ctx), {
      rules: ({ body = {} }, ctx) => logs.exportProblems(body, ctx.timezoneOffset),
    }),
    bind(exportLoginLog, ({ body }, ctx) => logs.export('logins', body, ctx), {
      rules: ({ body = {} }, ctx) => logs.exportProblems(body, ctx.timezoneOffset),
    }),
  ];
}
