import { getHistoryQuantities, getHistorySeries } from '../../../../contract/routes/history.ts';
import { bind, type Binding } from '../../platform/http/index.ts';
import type { History } from './history.service.ts';

export function historyRoutes(history: History): Binding[] {
  return [
    bind(getHistorySeries, ({ query }, { caller }) => history.series(caller, query)),
    bind(getHistoryQuantities, ({ query }, { caller }) => history.quantities(caller, query)),
  ];
}
