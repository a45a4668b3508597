import {
  getConnectionDrops,
  getConnectionFigures,
  getDeviceAvailability,
  listConnections,
  listDeviceConnections,
} from '../../../../contract/wires/connections.ts';
import { bind, type Binding } from '../../platform/http/index.ts';
import type { Connections } from './connections.service.ts';

export const connectionsRoutes = (connections: Connections): Binding[] => [
  bind(listConnections, ({ query }, ctx) => connections.list(ctx, query)),
  bind(getConnectionFigures, ({ query }, ctx) => connections.figures(ctx, query)),
  bind(getConnectionDrops, ({ query }, ctx) => connections.drops(ctx, query)),
  bind(getDeviceAvailability, ({ params, query }, ctx) => connections.availability(ctx, params.id, query)),
  bind(listDeviceConnections, ({ params, query }, ctx) => connections.ofDevice(ctx, params.id, query)),
];
