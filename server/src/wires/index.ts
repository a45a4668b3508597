import type { Feature } from '../feature.ts';
import type { Floor } from '../floor.ts';
import type { People } from '../people/index.ts';
import type { Register } from '../register/index.ts';
import type { Link } from '../start-link.ts';
import { connectionsFeature } from './connections/feature.ts';
import { deviceProtocolRoutes } from './device-protocol/index.ts';
import { createDeviceSettings, settingsMetrics, type PlanSource } from './device-settings/index.ts';
import { provisioningFeature } from './provisioning/feature.ts';

/** How devices come to us, stay connected and are set. */
export function createWires(
  floor: Floor,
  { sessions: { workAreasOf: areasOf } }: People,
  register: Register,
  { broker, link, ingest, provision, devicesFind }: Link,
  plans: PlanSource,
) {
  const { db, bus, log, watch, config } = floor;
  const settings = createDeviceSettings({ db, clock: watch.jobs.named('settings'), bus, link, plans, log });
  const features: Feature[] = [
    provisioningFeature(floor, {
      broker,
      devices: register.askedDevices,
      provision,
      replay: (topic, payload, receivedAt) => ingest.take({ topic, payload, username: null }, receivedAt),
    }),
    connectionsFeature(floor, { ...register, areasOf }),
    {
      jobs: [{ name: 'device settings', where: 'one process', start: () => settings.start() }],
      metrics: [settingsMetrics(settings)],
    },
    { routes: deviceProtocolRoutes({ demo: config.demo, broker: devicesFind }) },
  ];
  return { features };
}
