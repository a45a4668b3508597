import { kilometresBetween } from '../../../../catalogue/coordinates.ts';
import { isUsedAt, type Place } from './coordinates.ts';

/** What only a person can answer about where a file lies. */
export interface PlaceQuestion {
  readonly kind: 'outsideSystem' | 'farFromRegister';
  readonly rows: number;
  readonly km: number | null;
}

/** Farther from everything that is registered than a country is wide. */
export const farKilometres = 500;

/** Kilometres to the nearest of these places; null where there is none. */
export const nearest = (place: Place, places: readonly Place[]): number | null =>
  places.length === 0
    ? null
    : Math.round(places.reduce((least, one) => Math.min(least, kilometresBetween(place, one)), Infinity));

/** What is doubtful of a middle and of how many rows lie where the system is not used. */
export function questionsOf(
  system: string,
  middle: Place,
  counts: { readonly rows: number; readonly outside: number },
  km: number | null,
): PlaceQuestion[] {
  const outside = counts.outside * 2 > counts.rows || !isUsedAt(system, middle);
  return [
    ...(outside ? [{ kind: 'outsideSystem' as const, rows: Math.max(1, counts.outside), km: null }] : []),
    ...(km !== null && km > farKilometres ? [{ kind: 'farFromRegister' as const, rows: counts.rows, km }] : []),
  ];
}
