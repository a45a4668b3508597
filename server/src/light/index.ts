import { families } from '../../../catalogue/index.ts';
import { controllerFamily, lampFamily } from '../../../catalogue/lighting/families.ts';
import type { Desk } from '../desk/index.ts';
import type { Feature } from '../feature.ts';
import type { Floor } from '../floor.ts';
import type { People } from '../people/index.ts';
import type { Link } from '../start-link.ts';
import { commandsFeature } from './commands/feature.ts';
import { homeFeature } from './home/feature.ts';
import { lampsFeature } from './lamps/feature.ts';
import { defaultThresholds } from './lamps/index.ts';

export type Light = ReturnType<typeof createLight>;

/** Lamps, what they are commanded, and the night at a glance. */
export function createLight(floor: Floor, { tasks }: Desk, { sessions }: People, { broker }: Link) {
  const judged = { broker, thresholds: defaultThresholds, periods: reportPeriods() };
  const home = homeFeature(floor, judged);
  const features: Feature[] = [lampsFeature(floor, judged), home.feature, commandsFeature(floor, { tasks, broker, areasOf: sessions.workAreasOf })];
  return { hold: home.hold, features };
}

/** How often lamps and controllers report by themselves, seconds, as the catalogue says. */
function reportPeriods() {
  const lamp = families.find(({ key }) => key === lampFamily)?.report;
  const controller = families.find(({ key }) => key === controllerFamily)?.report;
  if (!lamp || !controller) throw new Error('the catalogue has no reporting periods for lamps');
  return { litSeconds: lamp.lit, unlitSeconds: lamp.unlit, controllerSeconds: controller.heartbeat };
}
