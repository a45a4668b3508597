import type { Programme } from './programme.ts';

/** What a plan asks of the device that runs it, and what devices say that they can. */

/** What a device says that it can do of a plan by itself. */
export interface PlanAbilities {
  /** Most periods of a programme. */
  readonly periods: number;
  /** Several programmes by the calendar, light control, alternate patterns. */
  readonly calendar: boolean;
  readonly light: boolean;
  readonly cycle: boolean;
}

export interface PlanNeeds {
  /** Those of its longest programme. */
  readonly periods: number;
  /** It has several programmes. */
  readonly calendar: boolean;
  /** It has alternate patterns. */
  readonly cycle: boolean;
  /** It has a level between dark and full. */
  readonly dimming: boolean;
}

/** What these programmes ask for: those that a plan uses. */
export function needsOf(programmes: readonly Programme[]): PlanNeeds {
  const periods = programmes.flatMap((programme) => programme.periods);
  return {
    periods: Math.max(0, ...programmes.map((programme) => programme.periods.length)),
    calendar: programmes.length > 1,
    cycle: periods.some(({ pattern }) => pattern !== 'all'),
    dimming: periods.some(({ level }) => level > 0 && level < 100),
  };
}

/** What a plan may ask for that a device has not. */
export const planLacks = ['periods', 'calendar', 'cycle'] as const;
type PlanLack = (typeof planLacks)[number];
const holds: Readonly<Record<PlanLack, (said: PlanAbilities, needs: PlanNeeds) => boolean>> = {
  periods: (said, needs) => said.periods >= needs.periods,
  calendar: (said, needs) => said.calendar || !needs.calendar,
  cycle: (said, needs) => said.cycle || !needs.cycle,
};

/**
 * Whether a device that said this runs the plan by itself; otherwise it goes by each night's table. Light control asks
 * for nothing: a lamp without a sensor ignores it.
 */
export const canFollow = (said: PlanAbilities | undefined, needs: PlanNeeds): boolean =>
  said !== undefined && planLacks.every((lack) => holds[lack](said, needs));

/** What of a plan a device that said this cannot hold. */
export const lacksOf = (said: PlanAbilities, needs: PlanNeeds): PlanLack[] =>
  planLacks.filter((lack) => !holds[lack](said, needs));

/** Whether a lamp that is dimmed this way (`type` of its record) has the levels of a plan. A relay has two. */
export const hasLevels = (dimming: string | null, needs: Pick<PlanNeeds, 'dimming'>): boolean =>
  dimming !== 'switch' || !needs.dimming;
