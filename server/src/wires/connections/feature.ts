import type { Feature } from '../../feature.ts';
import type { Floor } from '../../floor.ts';
import type { Devices } from '../../register/devices/index.ts';
import { connectionsRoutes } from './connections.routes.ts';
import { createConnections } from './connections.service.ts';

export const connectionsFeature = (
  { answering, db, clock, watch }: Floor,
  { devices, askedDevices }: { readonly devices: Devices; readonly askedDevices: Devices },
): Feature => ({
  routes: connectionsRoutes(createConnections({ db: answering, clock, devices: askedDevices })),
  jobs: [
    {
      name: 'connection log',
      where: 'every process',
      start: () => createConnections({ db, clock: watch.jobs.named('connections'), devices }).start(),
    },
  ],
});
