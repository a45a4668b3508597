import { familyOf } from '../../../../catalogue/index.ts';
import type { Clock } from '../../platform/clock.ts';
import { refuse } from '../../platform/http/index.ts';

const minuteMs = 60_000;

export const hasUnknownFamily = (families: string | undefined): boolean =>
  families?.split(',').some((key) => !familyOf(key)) ?? false;

/** Refuses families that nobody declared. */
export function refuseUnknownFamily(families: string | undefined): void {
  if (hasUnknownFamily(families)) throw refuse('unknownFamily');
}

/** Days begin with a minute wherever a device stands: within one the same is asked, and what was counted holds. */
export const thisMinute = (clock: Clock): Date => new Date(Math.floor(clock.now().getTime() / minuteMs) * minuteMs);
