import { lightingDay, sunDay, type SunPlace } from '../../catalogue/lighting/sun.ts';
import { failureAfterSunsetMs, failureMs } from '../city/dramas.ts';
import type { Fleet } from './fleet.ts';

/** When the cabinet without luck fails in the lighting day of an instant: epoch ms; null: the sun does not set. */
export function failureOf(place: SunPlace, at: number): { readonly from: number; readonly to: number } | null {
  const { sunset } = sunDay(place, lightingDay(place, at).day);
  return sunset === null ? null : { from: sunset + failureAfterSunsetMs, to: sunset + failureAfterSunsetMs + failureMs };
}

export function isFailing(place: SunPlace, at: number): boolean {
  const failure = failureOf(place, at);
  return failure !== null && at >= failure.from && at < failure.to;
}

const lookEveryMs = 2000;

/** Takes the supply of the city's failing cabinet away each evening and gives it back. Returns how to stop. */
export function playOutage(fleet: Fleet, now: () => number): () => void {
  const { failingBox } = fleet.city.dramas;
  if (failingBox === null) return () => undefined;
  const lamps = fleet.lampsOfBox(failingBox);
  const controller = fleet.controllers[failingBox];
  let failing = false;
  const timer = setInterval(() => {
    const place = lamps[0]?.lamp.settings.place;
    if (!place || isFailing(place, now()) === failing) return;
    failing = !failing;
    for (const lamp of lamps) lamp.behave(failing ? 'unpowered' : 'normal');
    controller?.report();
  }, lookEveryMs);
  return () => clearInterval(timer);
}
