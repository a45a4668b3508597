/** Plane geometry in metres: x east, y north of the city's origin. */
export type Point = readonly [x: number, y: number];

/** WGS-84; open country on the map, no real quarter. */
export const origin = { longitude: 120.2, latitude: 30.2 };

const metresPerDegree = 111_320;
const eastScale = metresPerDegree * Math.cos((origin.latitude * Math.PI) / 180);

/** Degrees of a point, rounded to about a decimetre. */
export function toDegrees([x, y]: Point): [longitude: number, latitude: number] {
  return [
    Math.round((origin.longitude + x / eastScale) * 1e6) / 1e6,
    Math.round((origin.latitude + y / metresPerDegree) * 1e6) / 1e6,
  ];
}

export const distance = (a: Point, b: Point): number => Math.hypot(a[0] - b[0], a[1] - b[1]);

export function lengthOf(line: readonly Point[]): number {
  let sum = 0;
  for (let i = 1; i < line.length; i++) sum += distance(line[i - 1] as Point, line[i] as Point);
  return sum;
}

/** A position along a line, with the unit normal to its left. */
export interface Station {
  readonly at: Point;
  readonly left: Point;
  readonly along: number;
}

/** Stations at `start`, `start + step`, … along a line. */
export function stations(line: readonly Point[], start: number, step: number): Station[] {
  const found: Station[] = [];
  let passed = 0;
  let next = start;
  for (let i = 1; i < line.length; i++) {
    const a = line[i - 1] as Point;
    const b = line[i] as Point;
    const length = distance(a, b);
    if (length === 0) continue;
    const left: Point = [-(b[1] - a[1]) / length, (b[0] - a[0]) / length];
    for (; next <= passed + length; next += step) {
      const t = (next - passed) / length;
      found.push({ at: [a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t], left, along: next });
    }
    passed += length;
  }
  return found;
}

/** Distance of a point from a segment. */
export function distanceToSegment(p: Point, a: Point, b: Point): number {
  const dx = b[0] - a[0];
  const dy = b[1] - a[1];
  const square = dx * dx + dy * dy;
  const t = square === 0 ? 0 : Math.max(0, Math.min(1, ((p[0] - a[0]) * dx + (p[1] - a[1]) * dy) / square));
  return Math.hypot(p[0] - a[0] - t * dx, p[1] - a[1] - t * dy);
}

export function distanceToLine(p: Point, line: readonly Point[]): number {
  let least = Infinity;
  for (let i = 1; i < line.length; i++)
    least = Math.min(least, distanceToSegment(p, line[i - 1] as Point, line[i] as Point));
  return least;
}

/** Leaves out points that lie within `tolerance` metres of the line without them (Douglas and Peucker). */
export function simplified(line: readonly Point[], tolerance: number): Point[] {
  if (line.length < 3) return [...line];
  const first = line[0] as Point;
  const last = line.at(-1) as Point;
  let far = 0;
  let index = 0;
  for (let i = 1; i < line.length - 1; i++) {
    const off = distanceToSegment(line[i] as Point, first, last);
    if (off > far) {
      far = off;
      index = i;
    }
  }
  if (far <= tolerance) return [first, last];
  return [...simplified(line.slice(0, index + 1), tolerance).slice(0, -1), ...simplified(line.slice(index), tolerance)];
}
