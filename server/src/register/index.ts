import type { Desk } from '../desk/index.ts';
import type { Feature } from '../feature.ts';
import type { Floor } from '../floor.ts';
import type { People } from '../people/index.ts';
import { attachmentsFeature } from './attachments/feature.ts';
import { createDeviceMap, deviceMapRoutes } from './device-map/index.ts';
import { devicesFeature, type DevicesLink } from './devices/feature.ts';
import { createDictionaries, dictionariesRoutes } from './dictionaries/index.ts';
import { importsFeature } from './imports/feature.ts';
import { createLabels, labelsRoutes } from './labels/index.ts';
import type { RegisterWeighing } from './places/index.ts';
import { createRecords, recordsRoutes } from './records/index.ts';
import { searchFeature } from './search/feature.ts';
import { createExpiries, createStatistics, expiryExportTask, statisticsRoutes } from './statistics/index.ts';
import { createDeviceHistory, deviceHistoryRoutes } from './timeline/index.ts';
import { createMover, createTopology, topologyRoutes } from './topology/index.ts';

export type Register = ReturnType<typeof createRegister>;

/** Everything that stands in the city, and where. */
export function createRegister(
  floor: Floor,
  { tasks }: Desk,
  { sessions: { workAreasOf: areasOf } }: People,
  { provision, wires }: DevicesLink,
  weighing: RegisterWeighing,
) {
  const { answering: db, bus, clock, keys, sheets, config } = floor;
  const { devices, askedDevices, feature } = devicesFeature(floor, { provision, wires }, areasOf, weighing);
  const worker = new URL('../label-worker.ts', import.meta.url);
  const features: Feature[] = [
    feature,
    { routes: recordsRoutes(createRecords({ db, bus, keys, weighing })) },
    { routes: dictionariesRoutes(createDictionaries({ db })) },
    importsFeature(floor, { tasks, devices, areasOf }),
    attachmentsFeature(floor),
    searchFeature(floor),
    { routes: labelsRoutes(createLabels({ db, secure: config.tls !== null, worker })) },
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
