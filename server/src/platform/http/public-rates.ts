import type { RouteShape } from '../../../../contract/route.ts';
import type { Clock } from '../clock.ts';
import { addressKey } from './address.ts';

/** Limit of the addresses that are counted in one minute; above it the one that called longest ago is forgotten. */
const usualPlaces = 50_000;

/**
 * Counts the calls of public routes by route, address and minute, in this process: a row in the database would cost
 * more than the call. Returns the seconds to wait, 0 to go on.
 */
export function createPublicRates(
  clock: Clock,
  mostPlaces = usualPlaces,
): (route: RouteShape, address: string) => number {
  let minute = 0;
  let calls = new Map<string, number>();
  return ({ method, path, limits: { perMinute = Infinity } }, address) => {
    const seconds = Math.floor(clock.now().getTime() / 1000);
    if (Math.floor(seconds / 60) !== minute) {
      minute = Math.floor(seconds / 60);
      calls = new Map();
    }
    const place = `${method} ${path} ${addressKey(address)}`;
    const count = (calls.get(place) ?? 0) + 1;
    calls.delete(place);
    calls.set(place, count);
    for (const oldest of calls.keys()) {
      if (calls.size <= mostPlaces) break;
      calls.delete(oldest);
    }
    return count > perMinute ? 60 - (seconds % 60) : 0;
  };
}
