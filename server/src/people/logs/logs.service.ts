import type { Clock } from '../../platform/clock.ts';
import { countOf, type Db } from '../../platform/db/index.ts';
import { refuse, refuseFields, type RequestContext } from '../../platform/http/index.ts';
import { sheetType, type Sheets } from '../../platform/sheet/index.ts';
import { exportDays, spanOf, type AskedDays, type AskedSpan } from './days.ts';
import { createExportSlots } from './export-slots.ts';
import { exportName, exports, type ExportParams, type LogExport } from './exports.ts';
import type { LogName } from './log-rows.query.ts';
import { logSheet } from './log-sheet.ts';
import { loginOf, operationOf } from './logs.specified.ts';
import * as store from './logs.store.ts';

export interface LogsParts {
  readonly db: Db;
  readonly clock: Clock;
  readonly sheets: Sheets;
  /** What one export may hold; 1,000,000 unless told (specified 8.4). */
  readonly mostRows?: number;
}
export type Logs = ReturnType<typeof createLogs>;
interface ListQuery extends AskedSpan {
  readonly page?: number;
  readonly size?: number;
  readonly sort?: string;
  readonly status?: 'success' | 'failure';
}
type Reader = Pick<RequestContext, 'language' | 'timezoneOffset'>;

const standardSize = 50;

/** Login log and operation log: lists, and exports as sheets (specified 8.3, 8.4). */
export function createLogs({ db, clock, sheets, mostRows = 1_000_000 }: LogsParts) {
  const slots = createExportSlots();

  async function list<L extends LogName>(
    log: L,
    username: string | undefined,
    query: ListQuery,
    { timezoneOffset }: Reader,
  ) {
    const { days, problems } = spanOf(query, timezoneOffset);
    const order = orderOf(query.sort ?? 'time,desc');
    if (problems.length > 0 || !order)
      throw refuseFields(...problems, ...(order ? [] : [{ field: 'sort', rule: 'enum' } as const]));
    const limit = query.size ?? standardSize;
    const { rows, ...counted } = await store.findPage(
      db,
      log,
      { username: username?.trim() || undefined, days, status: query.status },
      { ...order, limit, offset: (query.page ?? 0) * limit },
    );
    return { rows, counts: { ...countOf(counted), recordsFiltered: counted.count } };
  }

  return {
    async operations(username: string | undefined, query: ListQuery, reader: Reader) {
      const { rows, counts } = await list('operation_log', username, query, reader);
      return { data: rows.map(operationOf(reader.language)), ...counts };
    },

    async logins(username: string | undefined, query: ListQuery, reader: Reader) {
      const { rows, counts } = await list('login_log', username, query, reader);
      return { data: rows.map(loginOf(reader.language)), ...counts };
    },

    /** What the rules say of an export's days, for whom it is refused: everything at once. */
    exportProblems: (params: AskedDays, timezoneOffset: number, at = '') =>
      exportDays(params, timezoneOffset, clock.now()).problems.map((problem) => ({
        ...problem,
        field: `${at}${problem.field}`,
      })),

    /**
     * `at` stands before the names of fields. Refuses days that are none, reversed or later than today, and more rows
     * than an export may hold, before any work begins.
     */
    async checkExport(
      of: LogExport,
      params: ExportParams,
      timezoneOffset: number,
      at = '',
    ): Promise<{ count: number }> {
      const problems = this.exportProblems(params, timezoneOffset, at);
      if (problems.length > 0) throw refuseFields(...problems);
      const { days } = exportDays(params, timezoneOffset, clock.now());
      const count = await store.countDays(db, exports[of].log, days);
      if (count > mostRows)
        throw refuse(
          'exportTooLarge',
          { count, limit: mostRows },
          { fields: [{ field: `${at}endTime`, rule: 'maximum', values: { limit: mostRows } }] },
        );
      return { count };
    },

    /** The sheet as a stream; `written` hears how many rows are out. */
    exportStream(
      of: LogExport,
      params: ExportParams,
      count: number,
      { language, timezoneOffset }: Reader,
      written: (rows: number) => void = () => undefined,
    ) {
      const { days } = exportDays(params, timezoneOffset, clock.now());
      return sheets.stream(
        logSheet,
        { log: exports[of].log, days, count, most: mostRows, language, timezoneOffset },
        written,
      );
    },

    /** The export of the specification: written down in the operation log, then streamed; few at once, whoever asks. */
    async export(of: LogExport, params: ExportParams, ctx: Reader & Pick<RequestContext, 'change' | 'caller'>) {
      const release = slots.take(ctx.caller.accountId);
      try {
        const { count } = await this.checkExport(of, params, ctx.timezoneOffset);
        await ctx.change({ action: exports[of].action, params: { ...params, rows: count } }, () => Promise.resolve());
        const content = this.exportStream(of, params, count, ctx);
        // Written to its end, or given up.
        content.once('end', release).once('close', release);
        return { name: exportName(of, params, ctx.language), type: sheetType, content };
      } catch (thrown) {
        release();
        throw thrown;
      }
    },
  };
}

/** `time,desc` or `username,asc` (`userName` of the login log). */
function orderOf(sort: string): { by: 'time' | 'username'; direction: 'asc' | 'desc' } | undefined {
  const [key = '', direction = 'asc', ...rest] = sort.split(',').map((part) => part.trim().toLowerCase());
  if ((key !== 'time' && key !== 'username') || (direction !== 'asc' && direction !== 'desc') || rest.length > 0)
    return undefined;
  return { by: key, direction };
}
