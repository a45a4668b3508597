import { isFailing } from '../city/dramas.ts';
import type { Fleet } from './fleet.ts';

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
    for (const lamp of lamps) {
      if (failing) lamp.lastWord();
      lamp.blackOut(failing);
    }
    controller?.report();
  }, lookEveryMs);
  return () => clearInterval(timer);
}
