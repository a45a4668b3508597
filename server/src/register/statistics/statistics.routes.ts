import {
  getAssetStatistics,
  getAssetStatisticsFile,
  listControllerStatistics,
  listExpiries,
} from '../../../../contract/register/statistics.ts';
import { bind, type Binding } from '../../platform/http/index.ts';
import type { Expiries } from './expiries.ts';
import type { Statistics } from './statistics.service.ts';

export const statisticsRoutes = (statistics: Statistics, expiries: Expiries): Binding[] => [
  bind(getAssetStatistics, ({ query }, ctx) => statistics.figures(ctx, query)),
  bind(listControllerStatistics, ({ query }, ctx) => statistics.controllers(ctx, query)),
  bind(listExpiries, ({ query }, ctx) => expiries.list(ctx, query)),
  bind(getAssetStatisticsFile, ({ query }, ctx) => statistics.file(ctx, query)),
];
