import type { Day } from '../../../../catalogue/lighting/zone.ts';
import type { Bus } from '../../platform/bus/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Db } from '../../platform/db/index.ts';
import type { Periods } from '../lamps/index.ts';
import { followingOn, type AssignedPlan, type LampPlans } from '../plans/index.ts';
import { paceBy, type Pace } from '../publications/index.ts';

export interface NightsParts {
  readonly db: Db;
  readonly bus: Bus;
  readonly clock: Clock;
  readonly plans: Pick<LampPlans, 'of'>;
  /** Minutes of the day at which areas are told how their night was. */
  readonly reportAt: number;
}
/** What goes wrong with one lamp stands in no other's way; the turn tells of it in the end. */
export interface LampwiseParts extends NightsParts {
  readonly failing: (thrown: unknown) => void;
}

/** Lamps looked at together. */
export const atOnce = 500;
/** Manual states begin at most so long before what they cover, ms. */
export const manualMs = 86_400_000;

/** How a lamp with this plan follows and reports on a lighting day. */
export const paceOf = (own: AssignedPlan | undefined, day: Day, periods: Periods, clockOffsetMs: number): Pace =>
  paceBy(own && followingOn(own.following, day), periods, clockOffsetMs);
