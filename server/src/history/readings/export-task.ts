import { sql } from 'kysely';
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
import { isFine } from './resolution.ts';
import { hourMs, instant } from './spans.ts';
import { historyTexts } from './texts.ts';

type Params = Static<typeof HistoryExportParams>;
export interface HistoryExportParts {
  readonly db: Db;
  readonly sheets: Sheets;
  readonly areasOf: AreasOf;
}

const dayMs = 86_400_000;
/** So many hours of devices are counted, more are reckoned. */
const countedHours = 50_000;

interface Expected {
  /** About how many rows there will be. */
  readonly count: number;
  /** At least so many. */
  readonly sure: number;
}

/**
 * How many rows there will be: reckoned from the days of the devices, of days themselves counted. Hours are counted
 * where that is little, and as far as the limit where there seem to be more than it.
 */
async function expectedRows(
  db: Db,
  { deviceIds, resolution }: Pick<Params, 'deviceIds' | 'resolution'>,
  from: number,
  to: number,
): Promise<Expected> {
  const ids = sql`unnest(${deviceIds}::bigint[]) AS d(id)`;
  const days = sql`reading_day h ON h.device_id = d.id AND h.day BETWEEN ${instant(from).slice(0, 10)}::date - 1 AND ${instant(to).slice(0, 10)}::date + 1`;
  const read = async (query: ReturnType<typeof sql>): Promise<Expected> =>
    (await sql<Expected>`${query}`.execute(db)).rows[0] ?? { count: 0, sure: 0 };
  // The hours and the day that are open are not among them.
  const counted = (rows: ReturnType<typeof sql>) =>
    read(
      sql`SELECT count(*)::int AS count, count(*)::int AS sure FROM (${rows} UNION ALL SELECT 1 FROM ${ids} LIMIT ${mostRows + 1}) AS counted`,
    );
  const reckoned = (rows: ReturnType<typeof sql>) =>
    read(sql`SELECT coalesce(round(sum(${rows} * share.x)), 0)::float8 AS count, coalesce(sum(${rows}) FILTER (WHERE share.x = 1), 0)::float8 AS sure FROM ${ids} JOIN device e USING (id) JOIN work_area a ON a.id = e.work_area_id JOIN ${days}
    CROSS JOIN LATERAL (SELECT extract(epoch FROM h.day::timestamp AT TIME ZONE a.time_zone)::float8 AS begins, extract(epoch FROM (h.day + 1)::timestamp AT TIME ZONE a.time_zone)::float8 AS ends) s
    CROSS JOIN LATERAL (SELECT greatest(0, (least(s.ends, ${to / 1000}::float8) - greatest(s.begins, ${from / 1000}::float8)) / (s.ends - s.begins)) AS x) share`);
  switch (resolution) {
    case 'raw':
      return reckoned(sql`h.readings`);
    case '15m':
      return reckoned(sql`least(h.readings, 96)`);
    case 'hour': {
      const exact = () =>
        counted(
          sql`SELECT 1 FROM ${ids} JOIN reading_hour h ON h.device_id = d.id WHERE h.at >= ${instant(from)}::timestamptz AND h.at < ${instant(to)}::timestamptz`,
        );
      if (deviceIds.length * ((to - from) / hourMs) <= countedHours) return exact();
      const about = await reckoned(sql`least(h.readings, 24)`);
      // Readings of a day may all be of one hour: only what was seen is refused.
      return about.count > mostRows ? exact() : { ...about, sure: 0 };
    }
    case 'day':
      return counted(sql`SELECT 1 FROM ${ids} JOIN ${days}`);
  }
}

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
