import type { Language } from '../../../../catalogue/languages.ts';
import type { SheetKind } from '../../platform/sheet/kind.ts';
import type { SheetRow } from '../../platform/sheet/sheet.ts';
import { wallTime } from '../../platform/sheet/wall-time.ts';
import type { Days } from './days.ts';
import { readDays } from './log-days.store.ts';
import { shownParams, type LoginRow, type LogName, type OperationRow } from './log-rows.query.ts';
import { logTexts, messageText } from './texts.ts';

export interface LogSheetParams {
  readonly log: LogName;
  readonly days: Days;
  /** What was counted, and what the sheet may hold at most. */
  readonly count: number;
  readonly most: number;
  readonly language: Language;
  readonly timezoneOffset: number;
}

const columnsOf = {
  operation_log: [
    ['time', 'time', 20],
    ['username', 'text', 18],
    ['ip', 'text', 16],
    ['uri', 'text', 36],
    ['operation', 'text', 22],
    ['params', 'text', 50],
    ['status', 'number', 8],
    ['result', 'text', 8],
    ['times', 'number', 8],
  ],
  login_log: [
    ['time', 'time', 20],
    ['username', 'text', 18],
    ['ip', 'text', 16],
    ['message', 'text', 30],
    ['result', 'text', 8],
    ['times', 'number', 8],
  ],
} as const;

/** The sheet of an export: texts in the caller's language, times on the caller's clock. */
export const logSheet: SheetKind<LogSheetParams> = {
  module: import.meta.url,
  name: 'logSheet',
  open(db, { log, days, count, most, language, timezoneOffset }) {
    const texts = logTexts(language);
    const result = (isSuccess: boolean) => (isSuccess ? texts.success : texts.failure);
    const operation = (row: OperationRow): SheetRow => [
      wallTime(row.at, timezoneOffset),
      row.username,
      row.ip,
      row.uri,
      messageText(language, row.message),
      shownParams(row.params),
      row.status,
      result(row.status < 400),
      row.times,
    ];
    const login = (row: LoginRow): SheetRow => [
      wallTime(row.at, timezoneOffset),
      row.username,
      row.ip,
      messageText(language, row.message),
      result(row.status === 'success'),
      row.times,
    ];
    const rows =
      log === 'operation_log'
        ? batches(readDays(db, log, days), operation, most)
        : batches(readDays(db, log, days), login, most);
    return {
      name: log === 'operation_log' ? texts.operationLog : texts.loginLog,
      columns: columnsOf[log].map(([key, kind, width]) => ({ title: texts.columns[key], kind, width })),
      rows,
      count,
    };
  },
};

/** Today's log grows while it is written: what came after the count is let in up to the limit. */
async function* batches<R>(
  from: AsyncIterable<readonly R[]>,
  toRow: (row: R) => SheetRow,
  most: number,
): AsyncGenerator<SheetRow[]> {
  let done = 0;
  for await (const batch of from) {
    const rows = batch.slice(0, most - done).map(toRow);
    yield rows;
    done += rows.length;
    if (done >= most) return;
  }
}
