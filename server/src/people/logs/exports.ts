import type { Language } from '../../../../catalogue/languages.ts';
import type { Permission } from '../../../../contract/permissions.ts';
import type { ActionKey } from './action-keys.ts';
import type { LogName } from './log-rows.query.ts';
import { logTexts, type LogTexts } from './texts.ts';

export type LogExport = 'operations' | 'logins';
/** Days `yyyy-MM-dd`, both included. */
export interface ExportParams {
  readonly beginTime: string;
  readonly endTime: string;
}

export const exports: Readonly<
  Record<
    LogExport,
    {
      readonly log: LogName;
      readonly permission: Permission;
      readonly action: ActionKey;
      readonly title: (texts: LogTexts) => string;
    }
  >
> = {
  operations: {
    log: 'operation_log',
    permission: 'cscp.logging.operation',
    action: 'log.exportOperations',
    title: (texts) => texts.operationLog,
  },
  logins: {
    log: 'login_log',
    permission: 'cscp.logging.login',
    action: 'log.exportLogins',
    title: (texts) => texts.loginLog,
  },
};

/** The file's name in the caller's language, with its days. */
export const exportName = (of: LogExport, { beginTime, endTime }: ExportParams, language: Language): string =>
  `${exports[of].title(logTexts(language))}_${beginTime.trim()}_${endTime.trim()}.xlsx`;
