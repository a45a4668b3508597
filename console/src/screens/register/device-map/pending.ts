import { metresBetween } from '../../../parts/map/distance.ts';
import type { DeviceField } from '../../../parts/map/device-field.ts';

export interface Position {
  readonly longitude: number;
  readonly latitude: number;
}

/** A move that nobody has confirmed yet. */
export interface Pending {
  readonly id: number;
  readonly family: string;
  readonly code: string;
  readonly version: number;
  /** Where it stands on the map now, its own place or its pole's; null: nowhere. */
  readonly from: Position | null;
  /** Its own position before: what undoing writes. */
  readonly own: Position | null;
  readonly to: Position;
}

/** As the register keeps positions: a tenth of a metre. */
export const rounded = ({ longitude, latitude }: Position): Position => ({
  longitude: Math.round(longitude * 1e6) / 1e6,
  latitude: Math.round(latitude * 1e6) / 1e6,
});

/** A position so many metres further east and north. */
export const shifted = ({ longitude, latitude }: Position, east: number, north: number): Position => {
  const degree = 111_320;
  return {
    longitude: longitude + east / (degree * Math.max(0.01, Math.cos((latitude * Math.PI) / 180))),
    latitude: Math.max(-85, Math.min(85, latitude + north / degree)),
  };
};

/** Further from the others than this is asked about, as in imports. */
export const farMetres = 50_000;
/** So few positions have no middle to be far from. */
const fewPositions = 3;

/**
 * The middle of all that stands somewhere, which one stray does not move; null: there are too few to tell. Goes through
 * all of them: asked once a field.
 */
export function middleOf(field: DeviceField): Position | null {
  if (field.size < fewPositions) return null;
  const middle = (axis: 0 | 1): number =>
    Float32Array.from({ length: field.size }, (_, index) => field.positions[index * 2 + axis]!).sort()[
      field.size >> 1
    ]!;
  const [longitude, latitude] = field.place.toLngLat(middle(0), middle(1));
  return { longitude, latitude };
}

/** How far it is moved, metres; null: it stood nowhere. */
export const metresMoved = ({ from, to }: Pending): number | null => (from === null ? null : metresBetween(from, to));

/** How far the axes reach: a map in Mercator has no poles. */
const most = { longitude: 180, latitude: 85 };
const readDegrees = (text: string, reach: number): number | null =>
  /^-?\d+(\.\d+)?$/.test(text.trim()) && Math.abs(Number(text)) <= reach ? Number(text) : null;

/**
 * Longitude and latitude as they are typed, each null where it is no number within its bounds; `position` needs both.
 */
export function readPosition(typed: { readonly longitude: string; readonly latitude: string }): {
  readonly longitude: number | null;
  readonly latitude: number | null;
  readonly position: Position | null;
} {
  const [longitude, latitude] = [
    readDegrees(typed.longitude, most.longitude),
    readDegrees(typed.latitude, most.latitude),
  ];
  return {
    longitude,
    latitude,
    position: longitude === null || latitude === null ? null : rounded({ longitude, latitude }),
  };
}
