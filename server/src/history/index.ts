import type { Desk } from '../desk/index.ts';
import type { Feature } from '../feature.ts';
import type { Floor } from '../floor.ts';
import type { Light } from '../light/index.ts';
import type { LampPlans } from '../light/plans/index.ts';
import type { People } from '../people/index.ts';
import { createPlaceFigures, placeFiguresRoutes } from './place-figures/index.ts';
import { readingsFeature } from './readings/feature.ts';

/** What was: readings, hours and days of them, energy. */
export function createHistoryWing(
  floor: Floor,
  { tasks }: Desk,
  { sessions }: People,
  { hold }: Light,
  plans: LampPlans,
) {
  const { answering: db, clock } = floor;
  const features: Feature[] = [
    readingsFeature(floor, { tasks, areasOf: sessions.workAreasOf, hold, plans }),
    { routes: placeFiguresRoutes(createPlaceFigures({ db, clock })) },
  ];
  return { features };
}
