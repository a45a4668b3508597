import type { Feature } from '../../feature.ts';
import type { Floor } from '../../floor.ts';
import type { Sessions } from '../../people/sessions/index.ts';
import type { Db } from '../../platform/db/index.ts';
import { unlessDry } from '../../platform/dry-run.ts';
import { removeUnkept } from '../../platform/files/index.ts';
import type { RegisterWeighing } from '../places/index.ts';
import { deviceAccessRoutes } from './device-access.ts';
import type { IssuedCredentials } from './credentials.ts';
import { createDevices } from './devices.service.ts';
import { devicesRoutes } from './devices.routes.ts';
import { deviceExportTask } from './export-task.ts';

export interface DevicesLink {
  /** Makes issued credentials known to the broker. */
  readonly provision: (issued: readonly IssuedCredentials[]) => Promise<void>;
  /** Protocols with a door of their own. */
  readonly wires: readonly string[];
}

/** Devices of all families: by requests (`askedDevices`), and by work beside them (`devices`). */
export function devicesFeature(
  floor: Floor,
  link: DevicesLink,
  areasOf: Sessions['workAreasOf'],
  weighing: RegisterWeighing,
) {
  const { db, answering, bus, keys, clock, log, files, sheets } = floor;
  const forget = unlessDry((names: readonly string[]) => removeUnkept({ db, files }, names), Promise.resolve());
  const on = (pool: Db) => createDevices({ ...link, db: pool, bus, keys, clock, log, forget, weighing });
  const [devices, askedDevices] = [on(db), on(answering)];
  const feature: Feature = {
    routes: [...devicesRoutes(askedDevices), ...deviceAccessRoutes({ db: answering, keys })],
    tasks: deviceExportTask({ db, clock, sheets, areasOf }),
  };
  return { devices, askedDevices, feature };
}
