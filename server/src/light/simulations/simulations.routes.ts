import { getSimulation, listFindingLamps, simulatePlans } from '../../../../contract/light/simulations.ts';
import { bind, type Binding } from '../../platform/http/index.ts';
import type { Simulations } from './simulations.service.ts';

export const simulationsRoutes = (simulations: Simulations): Binding[] => [
  bind(simulatePlans, ({ body }, ctx) => simulations.begin(ctx, body), {
    rules: ({ body = {} }) => simulations.problems(body),
  }),
  bind(getSimulation, ({ params }, ctx) => simulations.get(ctx, params.id)),
  bind(listFindingLamps, ({ params, query }, ctx) => simulations.lamps(ctx, params, query)),
];
