import type { Desk } from '../desk/index.ts';
import type { Feature } from '../feature.ts';
import type { Floor } from '../floor.ts';
import type { People } from '../people/index.ts';
import { calendarRoutes, createCalendars } from './calendar/index.ts';
import { exceptionsFeature } from './exceptions/feature.ts';
import { nightsFeature } from './nights/feature.ts';
import type { LampPlans } from './plans/index.ts';
import { publicationsFeature } from './publications/feature.ts';
import { rowsFeature } from './rows/feature.ts';
import { schedulesRoutes } from './schedules/index.ts';
import { schemesRoutes } from './schemes/index.ts';
import { simulationsFeature } from './simulations/feature.ts';
import { templatesRoutes } from './templates/index.ts';
import { plansHint } from './versioned/index.ts';
import { createHolidayWeighing, createRowWeighing } from './weighing/index.ts';
import { whyRoutes } from './why/index.ts';

/** Lamps by plan: what is made, published, excepted, tried and proven. */
export function byPlan(floor: Floor, { tasks }: Desk, { sessions }: People, lampPlans: LampPlans): Feature[] {
  const parts = { db: floor.answering, bus: floor.bus, clock: floor.clock };
  const own = { ...parts, plans: lampPlans };
  const seen = { plans: lampPlans, areasOf: sessions.workAreasOf };
  return [
    { routes: whyRoutes(own) },
    { routes: calendarRoutes(createCalendars({ ...parts, weigh: createHolidayWeighing(floor) })) },
    { routes: [...schemesRoutes(parts), ...templatesRoutes(parts)], hints: [plansHint] },
    publicationsFeature(floor, seen),
    exceptionsFeature(floor, seen),
    { routes: schedulesRoutes(own) },
    nightsFeature(floor, seen),
    rowsFeature(floor, createRowWeighing(own)),
    simulationsFeature(floor, { tasks, areasOf: sessions.workAreasOf }),
  ];
}
