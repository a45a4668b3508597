import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Day } from '../../../../catalogue/lighting/zone.ts';
import type { Bus } from '../../platform/bus/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Db } from '../../platform/db/index.ts';
import type { Periods } from '../lamps/index.ts';
import { followingOn, type AssignedPlan, type LampPlans } from '../plans/index.ts';
import type { Pace } from '../publications/index.ts';

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
/** The event loop is left after so long, ms. */
const longestTurnMs = 20;

/** Leaves the event loop to others after some work; call it between the things that are worked on. */
export function breather(): () => Promise<void> {
  let begun = performance.now();
  return async () => {
    if (performance.now() - begun < longestTurnMs) return;
    await nextTurn();
    begun = performance.now();
  };
}

/** How a lamp with this plan follows and reports on a lighting day. */
export function paceOf(own: AssignedPlan | undefined, day: Day, periods: Periods, clockOffsetMs: number): Pace {
  const followed = own && followingOn(own.following, day);
  const template = followed?.template?.content;
  const ramps = [...(followed?.programmes.values() ?? [])].flatMap((one) =>
    one.periods.map(({ rampSeconds }) => rampSeconds),
  );
  return {
    litMs: (template?.reportLitSeconds ?? periods.litSeconds) * 1000,
    unlitMs: (template?.reportUnlitSeconds ?? periods.unlitSeconds) * 1000,
    rampMs: Math.max(0, ...ramps) * 1000,
    clockOffsetMs,
  };
}
