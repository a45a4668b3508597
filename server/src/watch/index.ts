import type { Feature } from '../feature.ts';
import type { Floor } from '../floor.ts';
import type { Link } from '../start-link.ts';
import { presenceFeature } from './presence/feature.ts';

/** What is found wrong, of every family. */
export function createWatchWing(floor: Floor, { broker }: Link) {
  const features: Feature[] = [presenceFeature(floor, broker)];
  return { features };
}
