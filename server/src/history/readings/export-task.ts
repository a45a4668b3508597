import type { Static } from 'typebox';
import { longestFineDays, type Resolution } from '../../../../contract/history.ts';
import type { HistoryExportParams } from '../../../../contract/desk/task-kinds.ts';
import { exportHistory } from '../../../../contract/history/history.ts';
import type { Db } from '../../platform/db/index.ts';
import { bind, problemsOf, refuse, type Binding } from '../../platform/http/index.ts';
import type { Sheets } from '../../platform/sheet/index.ts';
import { scopeOfAccount, type AreasOf } from '../../register/devices/index.ts';
import type { TaskKind, Tasks } from '../../desk/tasks/index.ts';
import { askedDevices, askedQuantities } from './asked.ts';
import { spanOf } from './history.service.ts';
import { historySheet, mostRows, type HistorySheetParams } from './history-sheet.ts';
import { expectedRows } from './export.store.ts';
import { isFine } from './resolution.ts';
import { instant } from './spans.query.ts';
import { historyTexts } from './texts.ts';

type Params = Static<typeof HistoryExportParams>;
export interface HistoryExportParts {
  readonly db: Db;
  readonly sheets: Sheets;
  readonly areasOf: AreasOf;
}

const dayMs = 86_400_000;
/** Refuses readings and quarters of an hour of more days than one file holds: before anything is looked at. */
function refuseLongFine(resolution: Resolution, from: number, to: number): void {
  const given = Math.ceil((to - from) / dayMs);
  if (isFine(resolution) && given > longestFineDays)
    throw refuse(
      'historyExportSpan',
      { days: longestFineDays, given },
      { fields: [{ field: 'from', rule: 'invalid' }] },
    );
}

/** The export of curves as long work: a sheet, or a text file with commas. */
export function historyExportTask({ db, sheets, areasOf }: HistoryExportParts): {
  readonly 'export.history': TaskKind<Params>;
} {
  async function counted(
    params: Params,
    accountId: number | null,
  ): Promise<Pick<HistorySheetParams, 'scope' | 'from' | 'to' | 'count'>> {
    const scope = await scopeOfAccount(areasOf, accountId, params.workAreaId);
    const [from, to] = spanOf(params);
    refuseLongFine(params.resolution, from, to);
    askedQuantities(params.quantities);
    await askedDevices(db, scope, params.deviceIds);
    const { count, sure } = await expectedRows(db, params, from, to);
    if (sure > mostRows) throw refuse('exportTooLarge', { count, limit: mostRows });
    return { scope, from, to, count };
  }
  return {
    'export.history': {
      permission: 'device.export',
      action: 'history.export',
      problems: ({ from, to, resolution, quantities }) =>
        problemsOf(
          () => {
            if (from === undefined || to === undefined) return;
            const span = spanOf({ from, to });
            if (resolution !== undefined) refuseLongFine(resolution, ...span);
          },
          () => (quantities === undefined ? undefined : void askedQuantities(quantities.flatMap((key) => key ?? []))),
        ),
      check: async (params, { accountId }) => ({ total: (await counted(params, accountId)).count }),
      async run(params, { language, timezoneOffset, accountId }, progress) {
        const { scope, from, to, count } = await counted(params, accountId);
        const order: HistorySheetParams = {
          deviceIds: params.deviceIds,
          quantities: params.quantities,
          from,
          to,
          resolution: params.resolution,
          scope,
          language,
          timezoneOffset,
          count,
        };
        const name = `${historyTexts[language].title} ${instant(from).slice(0, 10)} ${instant(to - 1).slice(0, 10)}.${params.format}`;
        return { name, content: sheets.stream(historySheet, order, progress, params.format) };
      },
    },
  };
}

export const historyExportRoutes = (tasks: Tasks): Binding[] => [
  bind(
    exportHistory,
    ({ body }, ctx) => tasks.begin(ctx, 'export.history', { ...body, workAreaId: ctx.caller.workAreaId }),
    { rules: ({ body = {} }, ctx) => tasks.problems(ctx, 'export.history', body) },
  ),
];
