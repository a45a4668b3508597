import { join } from 'node:path';
import type { Feature } from '../../feature.ts';
import type { Floor } from '../../floor.ts';
import type { Devices } from '../../register/devices/index.ts';
import type { Link } from '../../start-link.ts';
import { demoRoutes } from './demo.routes.ts';
import { createDemo } from './demo.service.ts';
import { handoverFile } from './handover-file.ts';
import { startSimulator } from './simulator-process.ts';

/** The demonstration: its city in the database, and its devices as a process of their own. */
export function demoFeature(
  { config, log, running, clock, db, answering, bus, files, leases }: Floor,
  { devices }: { readonly devices: Devices },
  { broker, address }: Link,
) {
  const folder = join(config.dataDir, 'simulator');
  const demo = createDemo({
    db,
    answering,
    bus,
    clock,
    log,
    devices,
    files,
    enabled: config.demo,
    lamps: config.demoLamps,
    folder,
  });
  const everythingRuns = Promise.withResolvers<void>();
  let giveBack: (() => Promise<void>) | undefined;
  /**
   * In one process at a time: two would sign its devices in against each other. The first start makes the city before
   * the program answers requests.
   */
  const make = async () => {
    if (!config.demo) return;
    const made = Promise.withResolvers<void>();
    made.promise.catch(() => undefined);
    giveBack = leases.hold('demo', async (held) => {
      held.signal.addEventListener('abort', () => everythingRuns.resolve(), { once: true });
      const starting = demo.start(broker, address);
      starting.then(() => made.resolve(), made.reject);
      const { lamps } = await starting;
      await everythingRuns.promise;
      if (!held.isMine()) return () => undefined;
      const simulator = startSimulator({ handoverFile: handoverFile(folder), lamps, log, clock });
      return () => simulator.stop();
    });
    await leases.tried();
    if (leases.held().includes('demo')) await made.promise;
  };
  const play = () => {
    everythingRuns.resolve();
    if (giveBack) running.add('demo', giveBack);
  };
  const feature: Feature = { routes: demoRoutes(demo) };
  return { feature, make, play, hasGround: () => demo.exists() };
}
