import type { Feature } from '../feature.ts';
import type { Floor } from '../floor.ts';
import type { LampPlans } from '../light/plans/index.ts';
import type { Link } from '../start-link.ts';
import { presenceFeature } from './presence/feature.ts';

/** What is found wrong, of every family. */
export function createWatchWing(floor: Floor, { broker }: Link, plans: LampPlans) {
  const features: Feature[] = [presenceFeature(floor, broker, plans)];
  return { features };
}
