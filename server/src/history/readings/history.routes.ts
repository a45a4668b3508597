import {
  getEnergy,
  getHistoryQuantities,
  getHistorySeries,
  getHistoryStorage,
  updateHistoryStorage,
} from '../../../../contract/history/history.ts';
import { bind, type Binding } from '../../platform/http/index.ts';
import type { Energy } from './energy.service.ts';
import type { History } from './history.service.ts';
import type { HistoryStorage } from './storage.service.ts';

export function historyRoutes(history: History, energy: Energy, storage: HistoryStorage): Binding[] {
  return [
    bind(getHistorySeries, ({ query }, { caller }) => history.series(caller, query)),
    bind(getHistoryQuantities, ({ query }, { caller }) => history.quantities(caller, query)),
    bind(getEnergy, ({ query }, { caller }) => energy.energy(caller, query)),
    bind(getHistoryStorage, () => storage.read()),
    bind(updateHistoryStorage, ({ body }, ctx) => storage.update(ctx, body), { rules: 'none' }),
  ];
}
