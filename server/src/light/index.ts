import type { Desk } from '../desk/index.ts';
import type { Feature } from '../feature.ts';
import type { Floor } from '../floor.ts';
import type { People } from '../people/index.ts';
import type { Link } from '../start-link.ts';
import { calendarRoutes, createCalendars } from './calendar/index.ts';
import { commandsFeature } from './commands/feature.ts';
import { exceptionsFeature } from './exceptions/feature.ts';
import { homeFeature } from './home/feature.ts';
import { nightsFeature } from './nights/feature.ts';
import { publicationsFeature } from './publications/feature.ts';
import { schemesRoutes } from './schemes/index.ts';
import { templatesRoutes } from './templates/index.ts';
import { plansHint } from './versioned/index.ts';
import { createLamps, defaultThresholds, lampsRoutes, reportPeriods } from './lamps/index.ts';
import type { LampPlans } from './plans/index.ts';
import { whyRoutes } from './why/index.ts';
import { schedulesRoutes } from './schedules/index.ts';
import { rowsFeature } from './rows/feature.ts';
import { createHolidayWeighing, createRowWeighing } from './weighing/index.ts';
import { simulationsFeature } from './simulations/feature.ts';

export type Light = ReturnType<typeof createLight>;

/** Lamps, what they are commanded, and the night at a glance. */
export function createLight(floor: Floor, { tasks }: Desk, { sessions }: People, { link }: Link, lampPlans: LampPlans) {
  const periods = reportPeriods();
  const plans = { db: floor.answering, bus: floor.bus, clock: floor.clock };
  const home = homeFeature(floor, { thresholds: defaultThresholds, periods, plans: lampPlans });
  const features: Feature[] = [
    { routes: lampsRoutes(createLamps({ db: floor.answering, clock: floor.clock, plans: lampPlans, periods })) },
    home.feature,
    { routes: whyRoutes({ db: floor.answering, clock: floor.clock, plans: lampPlans }) },
    { routes: calendarRoutes(createCalendars({ ...plans, weigh: createHolidayWeighing(floor) })) },
    {
      routes: [...schemesRoutes(plans), ...templatesRoutes(plans)],
      hints: [plansHint],
    },
    commandsFeature(floor, { tasks, link, areasOf: sessions.workAreasOf, plans: lampPlans }),
    publicationsFeature(floor, { plans: lampPlans, areasOf: sessions.workAreasOf }),
    exceptionsFeature(floor, { plans: lampPlans, areasOf: sessions.workAreasOf }),
    { routes: schedulesRoutes({ ...plans, plans: lampPlans }) },
    nightsFeature(floor, { plans: lampPlans, areasOf: sessions.workAreasOf }),
    rowsFeature(floor, createRowWeighing({ plans: lampPlans, clock: floor.clock })),
    simulationsFeature(floor, { tasks, areasOf: sessions.workAreasOf }),
  ];
  return { hold: home.hold, features };
}
