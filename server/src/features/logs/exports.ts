import type { Language } from '../../../../catalogue/languages.ts';
import type { Permission } from '../../../../contract/permissions.ts';
import type { Db } from '../../platform/db/index.ts';
import type { Sheet, SheetRow } from '../../platform/sheet/index.ts';
import type { ActionKey } from './action-keys.ts';
import { wallTime, type Days } from './days.ts';
import { readDays, type LoginRow, type LogName, type OperationRow } from './logs.store.ts';
import { logTexts, messageText, type LogTexts } from './texts.ts';

export type LogExport = 'operations' | 'logins';
/** Days `yyyy-MM-dd`, both included. */
export interface ExportParams { readonly beginTime: string; readonly endTime: string }
interface Reader { readonly language: Language; readonly timezoneOffset: number }

export const exports: Readonly<Record<LogExport, { readonly log: LogName; readonly permission: Permission; readonly action: ActionKey; readonly title: (texts: LogTexts) => string }>> = {
  operations: { log: 'operation_log', permission: 'cscp.logging.operation', action: 'log.exportOperations', title: (texts) => texts.operationLog },
  logins: { log: 'login_log', permission: 'cscp.logging.login', action: 'log.exportLogins', title: (texts) => texts.loginLog },
};

/** The file's name in the caller's language, with its days. */
export const exportName = (of: LogExport, { beginTime, endTime }: ExportParams, language: Language): string =>
  `${exports[of].title(logTexts(language))}_${beginTime.trim()}_${endTime.trim()}.xlsx`;

const columnsOf = {
  operations: [['time', 'time', 20], ['username', 'text', 18], ['ip', 'text', 16], ['uri', 'text', 36], ['operation', 'text', 22], ['params', 'text', 50], ['status', 'number', 8], ['result', 'text', 8], ['times', 'number', 8]],
  logins: [['time', 'time', 20], ['username', 'text', 18], ['ip', 'text', 16], ['message', 'text', 30], ['result', 'text', 8], ['times', 'number', 8]],
} as const;

/** The sheet of an export: texts in the caller's language, times on the caller's clock. */
export function sheetOf(db: Db, of: LogExport, { days, count, most }: { days: Days; count: number; most: number }, { language, timezoneOffset }: Reader, written: (rows: number) => void): Sheet {
  const texts = logTexts(language);
  const result = (isSuccess: boolean) => (isSuccess ? texts.success : texts.failure);
  const operation = (row: OperationRow): SheetRow =>
    [wallTime(row.at, timezoneOffset), row.username, row.ip, row.uri, messageText(language, row.message), row.params, row.status, result(row.status < 400), row.times];
  const login = (row: LoginRow): SheetRow =>
    [wallTime(row.at, timezoneOffset), row.username, row.ip, messageText(language, row.message), result(row.status === 'success'), row.times];
  const rows = of === 'operations' ? batches(readDays(db, 'operation_log', days), operation, most, written) : batches(readDays(db, 'login_log', days), login, most, written);
  return { name: exports[of].title(texts), columns: columnsOf[of].map(([key, kind, width]) => ({ title: texts.columns[key], kind, width })), rows, count };
}

/** Today's log grows while it is written: what came after the count is let in up to the limit. */
async function* batches<R>(from: AsyncIterable<readonly R[]>, toRow: (row: R) => SheetRow, most: number, written: (rows: number) => void): AsyncGenerator<SheetRow[]> {
  let done = 0;
  for await (const batch of from) {
    const rows = batch.slice(0, most - done).map(toRow);
    yield rows;
    done += rows.length;
    written(done);
    if (done >= most) return;
  }
}
