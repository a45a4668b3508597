import type { Static } from 'typebox';
import type { ExportDays as Days } from '../../../../contract/desk/task-kinds.ts';
import type { TaskKind } from '../../desk/tasks/index.ts';
import { exportName, exports, type LogExport } from './exports.ts';
import type { Logs } from './logs.service.ts';

type ExportDays = Static<typeof Days>;

/** The exports as long work: the same checks, the same sheet, kept as a file. */
export function logExportTasks(logs: Logs): {
  readonly 'export.operation-log': TaskKind<ExportDays>;
  readonly 'export.login-log': TaskKind<ExportDays>;
} {
  const kind = (of: LogExport): TaskKind<ExportDays> => ({
    permission: exports[of].permission,
    action: exports[of].action,
    problems: (params, { timezoneOffset }) => logs.exportProblems(params, timezoneOffset, 'params.'),
    async check(params, { timezoneOffset }) {
      const { count } = await logs.checkExport(of, params, timezoneOffset, 'params.');
      return { total: count };
    },
    async run(params, reader, progress) {
      const { count } = await logs.checkExport(of, params, reader.timezoneOffset);
      return {
        name: exportName(of, params, reader.language),
        content: logs.exportStream(of, params, count, reader, progress),
      };
    },
  });
  return { 'export.operation-log': kind('operations'), 'export.login-log': kind('logins') };
}
