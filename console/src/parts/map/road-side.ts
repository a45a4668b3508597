import type { FeatureCollection, Position } from 'geojson';
import type { PointGrid } from './grid.ts';
import { pixelsPerMetre, type MercatorLocal } from './mercator.ts';

/** How a mast stands: along its road (unit vector, local units), and on which side of it the road lies. */
export interface Lean {
  readonly x: number;
  readonly y: number;
  /** 1: the road lies along (−y, x); −1: the other way; 0: the mast stands in its middle, or no road is known. */
  readonly side: -1 | 0 | 1;
}

type Segment = readonly [x0: number, y0: number, x1: number, y1: number];

/** A mast farther from the middle of a road than this stands at none, metres. */
const farthest = 45;
/** So near to the middle of its road a mast stands in the middle, metres. */
const nearest = 0.8;
/** What is no farther away than this stands at the same pole, metres. */
const samePlace = 1;

/** Finds the road that each mast stands at. Roads are indexed at the first question; every answer is kept. */
export class RoadSides {
  private readonly known = new Map<number, Lean>();
  private cells: Map<number, Segment[]> | null = null;
  private readonly ground: FeatureCollection;
  private readonly place: MercatorLocal;
  private readonly lamps: PointGrid;
  /** Local units of one metre. */
  readonly metre: number;

  constructor(ground: FeatureCollection, place: MercatorLocal, lamps: PointGrid) {
    this.ground = ground;
    this.place = place;
    this.lamps = lamps;
    this.metre = pixelsPerMetre(20, place.toLngLat(0, 0)[1]);
  }

  /** How lamp `index` at x, y (local units) stands. Without a road near it: towards the nearest lamp of another pole. */
  of(index: number, x: number, y: number): Lean {
    let lean = this.known.get(index);
    if (lean === undefined) this.known.set(index, (lean = this.atRoad(x, y) ?? this.inRow(x, y)));
    return lean;
  }

  private atRoad(x: number, y: number): Lean | null {
    this.cells ??= this.indexRoads();
    const [column, row] = [this.cellOf(x), this.cellOf(y)];
    let best: Lean | null = null;
    let least = farthest * this.metre;
    for (let right = -1; right <= 1; right++)
      for (let down = -1; down <= 1; down++)
        for (const [x0, y0, x1, y1] of this.cells.get(keyOf(column + right, row + down)) ?? []) {
          const [dx, dy] = [x1 - x0, y1 - y0];
          const share = Math.max(0, Math.min(1, ((x - x0) * dx + (y - y0) * dy) / (dx * dx + dy * dy)));
          const [toX, toY] = [x0 + share * dx - x, y0 + share * dy - y];
          const distance = Math.hypot(toX, toY);
          if (distance >= least) continue;
          least = distance;
          const long = Math.hypot(dx, dy);
          const across = (toY * dx - toX * dy) / long;
          best = { x: dx / long, y: dy / long, side: distance < nearest * this.metre ? 0 : across > 0 ? 1 : -1 };
        }
    return best;
  }

  /** Lamps of one pole have its place: only what stands elsewhere tells how the row goes. */
  private inRow(x: number, y: number): Lean {
    const away = (other: number): readonly [x: number, y: number, distance: number] => {
      const [otherX, otherY] = this.lamps.at(other);
      return [otherX - x, otherY - y, Math.hypot(otherX - x, otherY - y)];
    };
    const next = this.lamps.nearest(x, y, 90 * this.metre, (other) => away(other)[2] > samePlace * this.metre);
    if (next === null) return { x: 1, y: 0, side: 0 };
    const [toX, toY, long] = away(next);
    return { x: toX / long, y: toY / long, side: 0 };
  }

  private indexRoads(): Map<number, Segment[]> {
    const cells = new Map<number, Segment[]>();
    for (const { geometry, properties } of this.ground.features) {
      if (geometry.type !== 'LineString' || properties?.['layer'] !== 'road') continue;
      const points = geometry.coordinates.map(([lng, lat]: Position) => this.place.toLocal(lng!, lat!));
      points.slice(1).forEach(([x1, y1], before) => {
        const [x0, y0] = points[before]!;
        if (x0 !== x1 || y0 !== y1) this.add(cells, [x0, y0, x1, y1]);
      });
    }
    return cells;
  }

  /** A segment stands in each cell that it crosses. */
  private add(cells: Map<number, Segment[]>, segment: Segment): void {
    const [x0, y0, x1, y1] = segment;
    const steps = Math.ceil((Math.hypot(x1 - x0, y1 - y0) / this.cell) * 2);
    let last = NaN;
    for (let step = 0; step <= steps; step++) {
      const share = step / steps;
      const key = keyOf(this.cellOf(x0 + (x1 - x0) * share), this.cellOf(y0 + (y1 - y0) * share));
      if (key === last) continue;
      last = key;
      const list = cells.get(key);
      if (list) list.push(segment);
      else cells.set(key, [segment]);
    }
  }

  private get cell(): number {
    return 2 * farthest * this.metre;
  }

  private cellOf(value: number): number {
    return Math.floor(value / this.cell);
  }
}

const keyOf = (column: number, row: number): number => column * 4_194_304 + row;
