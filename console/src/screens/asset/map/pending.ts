import { metresBetween } from '../imports/plan.ts';
import type { DeviceField } from '../../../parts/map/device-field.ts';

export interface Position { readonly longitude: number; readonly latitude: number }

/** A move that nobody has confirmed yet. */
export interface Pending {
  readonly id: number; readonly family: string; readonly code: string; readonly version: number;
  /** Where it stands on the map now, its own place or its pole's; null: nowhere. */
  readonly from: Position | null;
  /** Its own position before: what undoing writes. */
  readonly own: Position | null;
  readonly to: Position;
}

/** As the register keeps positions: a tenth of a metre. */
export const rounded = ({ longitude, latitude }: Position): Position => ({ longitude: Math.round(longitude * 1e6) / 1e6, latitude: Math.round(latitude * 1e6) / 1e6 });

/** A position so many metres further east and north. */
export const shifted = ({ longitude, latitude }: Position, east: number, north: number): Position => {
  const degree = 111_320;
  return { longitude: longitude + east / (degree * Math.max(0.01, Math.cos((latitude * Math.PI) / 180))), latitude: Math.max(-85, Math.min(85, latitude + north / degree)) };
};

/** Further from the others than this is asked about, as in imports. */
export const farMetres = 50_000;
/** So few positions have no middle to be far from. */
const fewPositions = 3;

/** How far a position is from the middle of all others, metres; null: there are too few to tell. */
export function metresFromOthers(field: DeviceField, position: Position): number | null {
  if (field.size < fewPositions) return null;
  const middle = (values: number[]): number => values.sort((a, b) => a - b)[values.length >> 1]!;
  const [xs, ys]: [number[], number[]] = [[], []];
  for (let index = 0; index < field.size; index++) {
    xs.push(field.positions[index * 2]!);
    ys.push(field.positions[index * 2 + 1]!);
  }
  const [longitude, latitude] = field.place.toLngLat(middle(xs), middle(ys));
  return metresBetween({ longitude, latitude }, position);
}

/** How far it is moved, metres; null: it stood nowhere. */
export const metresMoved = ({ from, to }: Pending): number | null => (from === null ? null : metresBetween(from, to));

/** Longitude and latitude as they are read; null: not both are numbers within their bounds. */
export function readPosition(longitude: string, latitude: string): Position | null {
  const [x, y] = [longitude, latitude].map((text) => (/^-?\d+(\.\d+)?$/.test(text.trim()) ? Number(text) : Number.NaN));
  return Number.isFinite(x) && Number.isFinite(y) && Math.abs(x!) <= 180 && Math.abs(y!) <= 85 ? rounded({ longitude: x!, latitude: y! }) : null;
}
