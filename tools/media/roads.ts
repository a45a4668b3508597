import type { Chance } from './chance.ts';
import { FAR, density, halfWidthAt, place, type Point } from './ground.ts';

/** Classes by the light they carry. */
export type RoadClass = 'express' | 'river' | 'main' | 'side' | 'lane' | 'path';
export interface Road {
  readonly kind: RoadClass;
  readonly points: readonly Point[];
}

const span = (from: Point, to: Point, step = 30): Point[] => {
  const steps = Math.max(2, Math.ceil(Math.hypot(to[0] - from[0], to[1] - from[1]) / step));
  return Array.from({ length: steps + 1 }, (_, index) => {
    const share = index / steps;
    return place(from[0] + (to[0] - from[0]) * share, from[1] + (to[1] - from[1]) * share);
  });
};

/** A long road with gaps: no town is an unbroken grid. */
function broken(roads: Road[], draw: Chance, from: Point, to: Point, kind: RoadClass): void {
  const length = Math.hypot(to[0] - from[0], to[1] - from[1]);
  for (let at = 0; at < length;) {
    const end = Math.min(length, at + draw.between(500, 1300));
    const on = (metres: number): Point => [
      from[0] + ((to[0] - from[0]) * metres) / length,
      from[1] + ((to[1] - from[1]) * metres) / length,
    ];
    const middle = on((at + end) / 2);
    if (draw.happens(0.25 + density(...middle)))
      roads.push({ kind: draw.happens(0.75) ? kind : 'side', points: span(on(at), on(end)) });
    at = end;
  }
}

function banks(roads: Road[]): void {
  const along = (offset: number, kind: RoadClass): void => {
    const points: Point[] = [];
    for (let y = 380; y < FAR; y += 25) points.push(place(Math.sign(offset) * (halfWidthAt(y) + Math.abs(offset)), y));
    roads.push({ kind, points });
  };
  for (const side of [-1, 1]) {
    along(side * 34, 'river');
    along(side * 8, 'path');
  }
}

function expressways(roads: Road[]): void {
  const curve = (make: (share: number) => Point): void => {
    roads.push({ kind: 'express', points: Array.from({ length: 260 }, (_, index) => make(index / 259)) });
  };
  curve((share) => place(-4200 + 9200 * share, 1980 + 520 * Math.sin(share * 4.1 - 0.9) + 1500 * share * share));
  curve((share) => place(1150 + 900 * Math.sin(share * 3.3 + 0.3) + 900 * share, 500 + 8200 * share));
  curve((share) => place(-1500 - 2300 * share + 380 * Math.sin(share * 6), 900 + 7000 * share));
}

/** Side streets and lanes of one block, halved until small enough; the denser the smaller. */
function fill(roads: Road[], draw: Chance, block: { v0: number; v1: number; y0: number; y1: number }, depth = 0): void {
  const { v0, v1, y0, y1 } = block;
  const built = density((v0 + v1) / 2, (y0 + y1) / 2);
  const smallest = 250 - 135 * built;
  if (Math.max(v1 - v0, y1 - y0) < smallest * 1.5 || depth > 4 || draw.happens((1 - built) * 0.42)) return;
  const kind: RoadClass = depth === 0 && built > 0.3 ? 'side' : 'lane';
  if (v1 - v0 > y1 - y0) {
    const cut = v0 + (v1 - v0) * draw.between(0.36, 0.64);
    roads.push({ kind, points: span([cut, y0], [cut, y1]) });
    fill(roads, draw, { v0, v1: cut, y0, y1 }, depth + 1);
    fill(roads, draw, { v0: cut, v1, y0, y1 }, depth + 1);
  } else {
    const cut = y0 + (y1 - y0) * draw.between(0.36, 0.64);
    roads.push({ kind, points: span([v0, cut], [v1, cut]) });
    fill(roads, draw, { v0, v1, y0, y1: cut }, depth + 1);
    fill(roads, draw, { v0, v1, y0: cut, y1 }, depth + 1);
  }
}

const BRIDGES = [1330, 2330, 3420, 4700, 6100];

/** All roads of the film's city. */
export function layRoads(draw: Chance): Road[] {
  const roads: Road[] = [];
  banks(roads);
  expressways(roads);
  for (const y of BRIDGES) roads.push({ kind: 'main', points: span([-420, y], [420, y + draw.between(-60, 60)]) });
  const across: number[] = [];
  for (let y = 380; y < FAR; y += draw.between(380, 620) * (1 + y / 14_000)) across.push(y);
  for (const side of [-1, 1]) {
    const away: number[] = [];
    for (let v = 240; v < 7600; v += draw.between(360, 640)) away.push(v * side);
    for (const v of away) broken(roads, draw, [v, 380], [v, FAR], 'main');
    for (const y of across) broken(roads, draw, [140 * side, y], [7600 * side, y], 'main');
    for (let column = 0; column < away.length - 1; column += 1) {
      for (let row = 0; row < across.length - 1; row += 1) {
        const edges = [away[column] ?? 0, away[column + 1] ?? 0].sort((one, other) => one - other);
        if (!draw.happens(0.07))
          fill(roads, draw, { v0: edges[0] ?? 0, v1: edges[1] ?? 0, y0: across[row] ?? 0, y1: across[row + 1] ?? 0 });
      }
    }
  }
  return roads;
}
