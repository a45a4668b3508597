import { getAssetStatistics, getAssetStatisticsFile, listControllerStatistics } from '../../../../contract/routes/statistics.ts';
import { bind, type Binding } from '../../platform/http/index.ts';
import type { Statistics } from './statistics.service.ts';

export const statisticsRoutes = (statistics: Statistics): Binding[] => [
  bind(getAssetStatistics, ({ query }, ctx) => statistics.figures(ctx, query)),
  bind(listControllerStatistics, ({ query }, ctx) => statistics.controllers(ctx, query)),
  bind(getAssetStatisticsFile, ({ query }, ctx) => statistics.file(ctx, query)),
];
