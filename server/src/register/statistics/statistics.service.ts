import { families, familyOf } from '../../../../catalogue/index.ts';
import { lampFamily } from '../../../../catalogue/lighting/families.ts';
import type { QueryOf, ReplyOf } from '../../../../contract/route.ts';
import {
  ageYears,
  mostGroups,
  onlineDays,
  type figureNames,
  type getAssetStatistics,
  type listControllerStatistics,
} from '../../../../contract/register/statistics.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Db } from '../../platform/db/index.ts';
import { refuse, type RequestContext } from '../../platform/http/index.ts';
import { sheetType } from '../../platform/sheet/index.ts';
import { namesFrom } from '../dictionaries/index.ts';
import * as store from './statistics.store.ts';
import { workbookOf } from './workbook.ts';

type Ctx = Pick<RequestContext, 'caller' | 'language' | 'timezoneOffset'>;
export type AssetStatistics = ReplyOf<typeof getAssetStatistics>;
export type Statistics = ReturnType<typeof createStatistics>;

const withLamps = 'central-controller';
const controllerFamilies = [withLamps, 'time-controller'];
/** Families whose devices are never judged, because they say nothing. */
const silentFamilies = families.filter(({ report }) => report === null).map(({ key }) => key);
const usualSize = 50;
const mostControllersInFile = 10_000;
const ageOrder: readonly (string | null)[] = ['future', ...ageYears.map(String), null];

/** The day it is for the caller: offsets are counted from UTC+8. */
const dayOf = (now: Date, timezoneOffset: number): string =>
  new Date(now.getTime() + (480 + timezoneOffset) * 60_000).toISOString().slice(0, 10);

/** The register in figures; every number is counted from rows. */
export function createStatistics({ db, clock }: { readonly db: Db; readonly clock: Clock }) {
  async function figures({ caller, timezoneOffset }: Ctx, filters: store.Filters): Promise<AssetStatistics> {
    if (filters.family?.split(',').some((key) => !familyOf(key))) throw refuse('unknownFamily');
    const now = clock.now();
    const rows = await store.countGroups(
      db,
      store.conditionsOf(caller, filters),
      dayOf(now, timezoneOffset),
      silentFamilies,
      lampFamily,
    );
    const total = rows.find(({ grouping }) => grouping === store.groupings.total);
    const figure = (name: (typeof figureNames)[number]) => {
      const own = rows
        .filter(({ grouping }) => grouping === store.groupings[name])
        .map(({ key, label, count }) => ({ key, label, count }));
      if (name === 'ages') own.sort((a, b) => ageOrder.indexOf(a.key) - ageOrder.indexOf(b.key));
      const rest = own.slice(mostGroups);
      return {
        groups: own.slice(0, mostGroups),
        omitted: { groups: rest.length, count: rest.reduce((sum, { count }) => sum + count, 0) },
      };
    };
    return {
      at: now.toISOString(),
      total: total?.count ?? 0,
      enabled: total?.enabled ?? 0,
      families: figure('families'),
      workAreas: figure('workAreas'),
      roads: figure('roads'),
      ages: figure('ages'),
      vendors: figure('vendors'),
      states: figure('states'),
    };
  }

  function controllersOf(
    { caller }: Ctx,
    filters: store.Filters,
    limit: number,
    offset: number,
  ): Promise<store.Controller[]> {
    const now = clock.now();
    const from = new Date(now.getTime() - onlineDays * 86_400_000);
    return store.findControllers(db, caller, filters, {
      families: controllerFamilies,
      withLamps,
      lampFamily,
      from,
      now,
      limit,
      offset,
    });
  }

  return {
    figures,

    async controllers(
      ctx: Ctx,
      { page = 1, size = usualSize, ...filters }: QueryOf<typeof listControllerStatistics>,
    ): Promise<ReplyOf<typeof listControllerStatistics>> {
      const [data, recordsTotal] = await Promise.all([
        controllersOf(ctx, filters, size, Math.max(0, page - 1) * size),
        store.countControllers(db, ctx.caller, filters, controllerFamilies),
      ]);
      return { data, recordsTotal };
    },

    async file(ctx: Ctx, filters: store.Filters) {
      const [told, controllers, names] = await Promise.all([
        figures(ctx, filters),
        controllersOf(ctx, filters, mostControllersInFile, 0),
        namesFrom(db, ctx.language),
      ]);
      return {
        ...(await workbookOf(told, controllers, names, ctx.language, dayOf(clock.now(), ctx.timezoneOffset))),
        type: sheetType,
      };
    },
  };
}
