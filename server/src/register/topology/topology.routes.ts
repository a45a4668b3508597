import { findInTree, getDevicePaths, getTreeLevel, moveInTree } from '../../../../contract/register/topology.ts';
import { bind, type Binding } from '../../platform/http/index.ts';
import type { Mover } from './move.ts';
import type { Topology } from './topology.service.ts';

export function topologyRoutes(topology: Topology, { move, problems }: Mover): Binding[] {
  return [
    bind(getTreeLevel, ({ params, query }, { caller }) => topology.level(caller, params.tree, query)),
    bind(findInTree, ({ params, query }, { caller }) => topology.places(caller, params.tree, query)),
    bind(
      moveInTree,
      ({ params, body }, ctx) => move(ctx.caller, (action, work) => ctx.change({ action }, work), params.tree, body),
      { rules: ({ params, body = {} }, { caller }) => problems(caller, params?.tree, body) },
    ),
    bind(getDevicePaths, ({ params }, { caller }) => topology.paths(caller, params.id)),
  ];
}
