import type { ScreenPoint } from './map-view.ts';

/**
 * Whether a point is inside of a polygon whose corners are given in order; the last is joined to the first. Even-odd,
 * so that a crossing outline has holes.
 */
export function insidePolygon({ x, y }: ScreenPoint, corners: readonly ScreenPoint[]): boolean {
  let inside = false;
  for (let index = 0, before = corners.length - 1; index < corners.length; before = index++) {
    const a = corners[index]!;
    const b = corners[before]!;
    if (a.y > y !== b.y > y && x < ((b.x - a.x) * (y - a.y)) / (b.y - a.y) + a.x) inside = !inside;
  }
  return inside;
}
