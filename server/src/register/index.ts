import type { Desk } from '../desk/index.ts';
import type { Feature } from '../feature.ts';
import type { Floor } from '../floor.ts';
import type { People } from '../people/index.ts';
import type { Db } from '../platform/db/index.ts';
import { removeUnkept } from '../platform/files/index.ts';
import { attachmentsFeature } from './attachments/feature.ts';
import { createDeviceMap, deviceMapRoutes } from './device-map/index.ts';
import {
  createDevices,
  deviceAccessRoutes,
  deviceExportTask,
  devicesRoutes,
  type IssuedCredentials,
} from './devices/index.ts';
import { createDictionaries, dictionariesRoutes } from './dictionaries/index.ts';
import { importsFeature } from './imports/feature.ts';
import { createLabels, labelsRoutes } from './labels/index.ts';
import { createRecords, recordsRoutes } from './records/index.ts';
import { searchFeature } from './search/feature.ts';
import { createExpiries, createStatistics, expiryExportTask, statisticsRoutes } from './statistics/index.ts';
import { createDeviceHistory, deviceHistoryRoutes } from './timeline/index.ts';
import { createMover, createTopology, topologyRoutes } from './topology/index.ts';

export type Register = ReturnType<typeof createRegister>;

/** Everything that stands in the city, and where. `provision` makes issued credentials known to the broker; `wires`: protocols
 * with a door of their own. */
export function createRegister(
  floor: Floor,
  { tasks }: Desk,
  { sessions: { workAreasOf: areasOf } }: People,
  {
    provision,
    wires,
  }: {
    readonly provision: (issued: readonly IssuedCredentials[]) => Promise<void>;
    readonly wires: readonly string[];
  },
) {
  const { answering: db, bus, clock, keys, log, files, sheets, config } = floor;
  const devicesOn = (on: Db) =>
    createDevices({
      db: on,
      bus,
      keys,
      clock,
      log,
      provision,
      wires,
      forget: (names) => removeUnkept({ db: floor.db, files }, names),
    });
  const [devices, askedDevices] = [devicesOn(floor.db), devicesOn(db)];
  const features: Feature[] = [
    {
      routes: [...devicesRoutes(askedDevices), ...deviceAccessRoutes({ db, keys })],
      tasks: deviceExportTask({ db: floor.db, clock, sheets, areasOf }),
    },
    { routes: recordsRoutes(createRecords({ db, bus, keys })) },
    { routes: dictionariesRoutes(createDictionaries({ db })) },
    importsFeature(floor, { tasks, devices, areasOf }),
    attachmentsFeature(floor),
    searchFeature(floor),
    {
      routes: labelsRoutes(
        createLabels({ db, secure: config.tls !== null, worker: new URL('../label-worker.ts', import.meta.url) }),
      ),
    },
    { routes: deviceHistoryRoutes(createDeviceHistory({ db, devices: askedDevices })) },
    {
      routes: statisticsRoutes(createStatistics({ db, clock }), createExpiries({ db, clock })),
      tasks: expiryExportTask({ db: floor.db, clock, sheets, areasOf }),
    },
    { routes: topologyRoutes(createTopology({ db, clock, devices: askedDevices }), createMover({ db, bus, clock })) },
    { routes: deviceMapRoutes(createDeviceMap({ db, clock })) },
  ];
  return { devices, askedDevices, features };
}
