import { getRows, listRowRoads, orderRows, putRows } from '../../../../contract/light/rows.ts';
import { bind, type Binding } from '../../platform/http/index.ts';
import type { Rows } from './rows.service.ts';

export const rowsRoutes = (rows: Rows): Binding[] => [
  bind(listRowRoads, ({ query }, { caller }) => rows.roads(caller, query)),
  bind(getRows, ({ query }, { caller }) => rows.get(caller, query.roadId)),
  bind(orderRows, ({ params, body }, ctx) => rows.order(ctx, params.roadId, body), { rules: 'none' }),
  bind(putRows, ({ params, body }, ctx) => rows.put(ctx, params.roadId, body), {
    rules: ({ params, body = {} }, { caller }) => rows.problems(caller, params?.roadId, body),
  }),
];
