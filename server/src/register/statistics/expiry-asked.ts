import { familyOf } from '../../../../catalogue/index.ts';
import type { Clock } from '../../platform/clock.ts';
import { refuse } from '../../platform/http/index.ts';

const minuteMs = 60_000;

/** Refuses families that nobody declared. */
export function refuseUnknownFamily(family: string | undefined): void {
  if (family?.split(',').some((key) => !familyOf(key))) throw refuse('unknownFamily');
}

/** Days begin with a minute wherever a device stands: within one the same is asked, and what was counted holds. */
export const thisMinute = (clock: Clock): Date => new Date(Math.floor(clock.now().getTime() / minuteMs) * minuteMs);
