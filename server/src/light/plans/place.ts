import { kilometresBetween } from '../../../../catalogue/coordinates.ts';
import type { SunPlace } from '../../../../catalogue/lighting/sun.ts';
import { scheduleBounds } from '../../../../contract/light/schedules.ts';
import type { Area } from '../../register/places/index.ts';

interface Coordinates {
  readonly latitude: number;
  readonly longitude: number;
}
/** Both null: nobody knows it. */
export interface MaybeCoordinates {
  readonly latitude: number | null;
  readonly longitude: number | null;
}

export const coordinatesOf = (one: MaybeCoordinates | null | undefined): Coordinates | null =>
  one && one.latitude !== null && one.longitude !== null ? { latitude: one.latitude, longitude: one.longitude } : null;

/**
 * Whole kilometres between two places that are too far from each other for one night: it would move by more than three
 * minutes, which darkens lamps without the second person who has to agree to that. Null: they are near, or unknown.
 */
export function kilometresTooFar(one: Coordinates | null, other: Coordinates | null): number | null {
  if (!one || !other) return null;
  const km = kilometresBetween(one, other);
  return km > scheduleBounds.placeKilometres ? Math.ceil(km) : null;
}

/** Server and device reckon the sun by the same digits; 0.01° are 2.4 s of the sun from east to west. */
const rounded = (degrees: number): number => Math.round(degrees * 100) / 100;

interface Standing extends MaybeCoordinates {
  /** Where it stood when its plan was agreed to. */
  readonly givenLatitude: number | null;
  readonly givenLongitude: number | null;
}

/**
 * By whose sun a lamp burns: the template's place, or its own or its pole's, or its area's. Records that are moved far
 * from where its plan was given move no night: the plan stays there until it is published again, which is weighed. A
 * lamp that was given no plan burned by the sun of its area.
 */
export function placeInForce(
  template: MaybeCoordinates | undefined,
  lamp: Standing,
  area: MaybeCoordinates | undefined,
): Coordinates | null {
  const published = coordinatesOf(template);
  if (published) return published;
  const [own, known] = [coordinatesOf(lamp), coordinatesOf(area)];
  const given = coordinatesOf({ latitude: lamp.givenLatitude, longitude: lamp.givenLongitude }) ?? known;
  const stands = own ?? known;
  return kilometresTooFar(stands, given) === null ? stands : given;
}

/** The same as plans have it; null: nobody knows where the lamp stands, so nobody knows its sun. */
export function sunPlaceOf(template: MaybeCoordinates | undefined, lamp: Standing, area: Area): SunPlace | null {
  const place = placeInForce(template, lamp, area);
  const { timeZone, sunOffsetMinutes } = area;
  return (
    place && {
      latitude: rounded(place.latitude),
      longitude: rounded(place.longitude),
      timeZone,
      sunOffsetMinutes,
    }
  );
}

/** Kilometres from the place of a plan to where the lamp stands by the records; null: it goes by them. */
export const kilometresFromRecords = (plan: Coordinates, stands: Coordinates | null): number | null =>
  stands === null || (rounded(stands.latitude) === plan.latitude && rounded(stands.longitude) === plan.longitude)
    ? null
    : Math.ceil(kilometresBetween(plan, stands));
