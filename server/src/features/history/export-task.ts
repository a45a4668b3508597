import { Readable } from 'node:stream';
import { sql } from 'kysely';
import type { Static } from 'typebox';
import type { Resolution } from '../../../../contract/history.ts';
import type { HistoryExportParams } from '../../../../contract/routes/tasks.ts';
import { exportHistory } from '../../../../contract/routes/history.ts';
import type { Db } from '../../platform/db/index.ts';
import { bind, refuse, type Binding } from '../../platform/http/index.ts';
import type { Sheets } from '../../platform/sheet/index.ts';
import { csvOf } from '../../platform/sheet/csv.ts';
import type { DeviceScope } from '../devices/index.ts';
import type { TaskKind, Tasks } from '../tasks/index.ts';
import { askedDevices, askedQuantities } from './asked.ts';
import { spanOf } from './history.service.ts';
import { historySheet, type HistorySheetParams } from './history-sheet.ts';
import { instant } from './spans.ts';
import { historyTexts } from './texts.ts';

type Params = Static<typeof HistoryExportParams>;
export interface HistoryExportParts {
  readonly db: Db; readonly sheets: Sheets;
  /** What an account may see now; a task has no request of its own. */
  readonly areasOf: (accountId: number) => Promise<DeviceScope['workAreas']>;
}

export const mostRows = 1_000_000;

/** Rows there may be at most, as far as the limit: readings are counted, stretches by those that hold some. */
async function countUpTo(db: Db, { deviceIds, resolution }: Pick<Params, 'deviceIds' | 'resolution'>, from: number, to: number): Promise<number> {
  const ids = sql`unnest(${deviceIds}::bigint[]) AS d(id)`;
  const span = (column: ReturnType<typeof sql>) => sql`${column} >= ${instant(from)}::timestamptz AND ${column} < ${instant(to)}::timestamptz`;
  const sources: Readonly<Record<Resolution, ReturnType<typeof sql>>> = {
    raw: sql`SELECT 1 FROM ${ids} JOIN reading r ON r.device_id = d.id WHERE ${span(sql`r.at`)}`,
    '15m': sql`SELECT DISTINCT r.device_id, date_bin('15 minutes', r.at, '2000-01-01Z') FROM ${ids} JOIN reading r ON r.device_id = d.id WHERE ${span(sql`r.at`)}`,
    // The hours and the day that are open are not among them.
    hour: sql`SELECT 1 FROM ${ids} JOIN reading_hour h ON h.device_id = d.id WHERE ${span(sql`h.at`)} UNION ALL SELECT 1 FROM ${ids}`,
    day: sql`SELECT 1 FROM ${ids} JOIN reading_day h ON h.device_id = d.id WHERE h.day BETWEEN ${instant(from).slice(0, 10)}::date - 1 AND ${instant(to).slice(0, 10)}::date + 1 UNION ALL SELECT 1 FROM ${ids}`,
  };
  const { rows: [counted] } = await sql<{ n: number }>`SELECT count(*)::int AS n FROM (${sources[resolution]} LIMIT ${mostRows + 1}) AS counted`.execute(db);
  return counted?.n ?? 0;
}

/** The export of curves as long work: a sheet, or a text file with commas. */
export function historyExportTask({ db, sheets, areasOf }: HistoryExportParts): { readonly 'export.history': TaskKind<Params> } {
  async function counted(params: Params, accountId: number | null): Promise<Pick<HistorySheetParams, 'scope' | 'from' | 'to' | 'count'>> {
    const scope: DeviceScope = { accountId: accountId ?? 0, workAreas: accountId === null ? [] : await areasOf(accountId), workAreaId: params.workAreaId };
    const [from, to] = spanOf(params);
    askedQuantities(params.quantities);
    await askedDevices(db, scope, params.deviceIds);
    const count = await countUpTo(db, params, from, to);
    if (count > mostRows) throw refuse('exportTooLarge', { count, limit: mostRows });
    return { scope, from, to, count };
  }
  return {
    'export.history': {
      permission: 'device.export', action: 'history.export',
      check: async (params, { accountId }) => ({ total: (await counted(params, accountId)).count }),
      async run(params, { language, timezoneOffset, accountId }, progress) {
        const { scope, from, to, count } = await counted(params, accountId);
        const order: HistorySheetParams = { deviceIds: params.deviceIds, quantities: params.quantities, from, to, resolution: params.resolution, scope, language, timezoneOffset, count };
        const name = `${historyTexts[language].title} ${instant(from).slice(0, 10)} ${instant(to - 1).slice(0, 10)}.${params.format}`;
        return { name, content: params.format === 'csv' ? Readable.from(csvOf(historySheet.open(db, order), progress)) : sheets.stream(historySheet, order, progress) };
      },
    },
  };
}

export const historyExportRoutes = (tasks: Tasks): Binding[] => [
  bind(exportHistory, ({ body }, ctx) => tasks.begin(ctx, 'export.history', { ...body, workAreaId: ctx.caller.workAreaId })),
];
