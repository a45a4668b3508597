import type { Feature } from '../../feature.ts';
import type { Floor } from '../../floor.ts';
import type { AreasOf, Devices } from '../../register/devices/index.ts';
import { connectionsRoutes } from './connections.routes.ts';
import { createConnections } from './connections.service.ts';
import { connectionExportTask } from './export-task.ts';

export const connectionsFeature = (
  { answering, db, clock, watch, sheets }: Floor,
  {
    devices,
    askedDevices,
    areasOf,
  }: { readonly devices: Devices; readonly askedDevices: Devices; readonly areasOf: AreasOf },
): Feature => ({
  routes: connectionsRoutes(createConnections({ db: answering, clock, devices: askedDevices })),
  tasks: connectionExportTask({ db, clock, sheets, areasOf }),
  jobs: [
    {
      name: 'connection log',
      where: 'every process',
      start: () => createConnections({ db, clock: watch.jobs.named('connections'), devices }).start(),
    },
  ],
});
