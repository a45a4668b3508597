import { sunDay, type SunPlace } from '../../../../catalogue/lighting/sun.ts';
import { addDays, dayOf } from '../../../../catalogue/lighting/zone.ts';
import type { Span } from '../curves/model.ts';

/** Longer spans have more nights than can be told apart. */
const longest = 16 * 86_400_000;

/**
 * The nights of a place within a span of up to sixteen days; none of a polar day, and none of what has too many to be
 * seen.
 */
export function nightsBetween(place: SunPlace, { from, to }: Span): Span[] {
  if (to - from > longest) return [];
  const nights: Span[] = [];
  for (let day = addDays(dayOf(from, place.timeZone), -1); ; day = addDays(day, 1)) {
    const [sunset, sunrise] = [sunDay(place, day).sunset, sunDay(place, addDays(day, 1)).sunrise];
    if (sunset !== null && sunset >= to) return nights;
    if (sunset === null && day > dayOf(to, place.timeZone)) return nights;
    if (sunset !== null && sunrise !== null && sunrise > from && sunrise > sunset)
      nights.push({ from: sunset, to: sunrise });
  }
}
