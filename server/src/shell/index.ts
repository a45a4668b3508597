import type { Feature } from '../feature.ts';
import type { Floor } from '../floor.ts';
import type { Hint } from '../platform/live/index.ts';
import type { Register } from '../register/index.ts';
import type { Link } from '../start-link.ts';
import { baseMapsRoutes, createBaseMaps } from './base-maps/index.ts';
import { demoFeature } from './demo/feature.ts';
import { createLiveTopics } from './live/index.ts';
import { createSystemHealth, systemHealthRoutes, systemMetrics } from './system-health/index.ts';

export type Shell = ReturnType<typeof createShell>;

/**
 * What goes around the city's subjects: the demonstration, base maps, the live line, the state of the system itself.
 */
export function createShell(floor: Floor, register: Register, link: Link) {
  const { db, answering, bus, clock, log, watch, config } = floor;
  const demo = demoFeature(floor, register, link);
  const health = createSystemHealth({ db, answering, clock: watch.jobs.named('health'), ownId: floor.processName });
  const maps = createBaseMaps({
    ...floor,
    db: answering,
    fromThisMachine: config.mapsFromThisMachine,
    hasGround: demo.hasGround,
  });
  const features: Feature[] = [
    demo.feature,
    { routes: baseMapsRoutes(maps) },
    { routes: systemHealthRoutes(health), metrics: [systemMetrics(() => health.figures())] },
  ];
  const topicsOf = (hints: readonly Hint[]) => createLiveTopics({ db: answering, bus, clock, log, hints });
  return { demo, health, topicsOf, features };
}
