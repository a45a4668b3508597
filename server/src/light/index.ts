import type { Desk } from '../desk/index.ts';
import type { Feature } from '../feature.ts';
import type { Floor } from '../floor.ts';
import type { People } from '../people/index.ts';
import type { Link } from '../start-link.ts';
import { byPlan } from './by-plan.ts';
import { commandsFeature } from './commands/feature.ts';
import { homeFeature } from './home/feature.ts';
import { createLamps, defaultThresholds, lampsRoutes, reportPeriods } from './lamps/index.ts';
import type { LampPlans } from './plans/index.ts';

export type Light = ReturnType<typeof createLight>;

/** Lamps, what they are commanded, and the night at a glance. */
export function createLight(floor: Floor, desk: Desk, people: People, { link }: Link, plans: LampPlans) {
  const periods = reportPeriods();
  const { absenceOf } = people.sessions;
  const home = homeFeature(floor, { thresholds: defaultThresholds, periods, plans, absenceOf });
  const features: Feature[] = [
    { routes: lampsRoutes(createLamps({ db: floor.answering, clock: floor.clock, plans, periods })) },
    home.feature,
    commandsFeature(floor, { tasks: desk.tasks, link, areasOf: people.sessions.workAreasOf, plans }),
    ...byPlan(floor, desk, people, plans),
  ];
  return { hold: home.hold, features };
}
