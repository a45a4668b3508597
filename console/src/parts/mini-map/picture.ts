import type { getHomeMap } from '../../../../contract/light/home.ts';
import type { ReplyOf } from '../../../../contract/route.ts';

export type CityMap = ReplyOf<typeof getHomeMap>;

export interface Point {
  readonly x: number;
  readonly y: number;
}

/** A cell of the city on the canvas, CSS pixels. */
export interface Dot extends Point {
  readonly lamps: number;
  /** Lit lamps, each as far as it is lit. */
  readonly light: number;
  readonly alarm: number;
  readonly offline: number;
}

export interface Picture {
  readonly dots: readonly Dot[];
  /** Pixels of one cell. */
  readonly cell: number;
  /** Where a place per mille of the bounds stands. */
  readonly at: (x: number, y: number) => Point;
}

/** Cells along the longer side of the city. */
const cellsAlong = 96;

/** Fits the city into a canvas of this size, CSS pixels; north is up and a kilometre as long both ways. */
export function pictureOf(
  { bounds, cells }: Pick<CityMap, 'bounds' | 'cells'>,
  { width, height }: { readonly width: number; readonly height: number },
  margin = 18,
): Picture {
  const { west, south, east, north } = bounds ?? { west: 0, south: 0, east: 1, north: 1 };
  const shorter = Math.cos((((south + north) / 2) * Math.PI) / 180);
  const [wide, high] = [(east - west) * shorter, north - south];
  const scale = Math.max(0, Math.min((width - 2 * margin) / wide, (height - 2 * margin) / high));
  const left = (width - wide * scale) / 2;
  const top = (height - high * scale) / 2;
  const at = (x: number, y: number): Point => ({
    x: left + (x / 1000) * wide * scale,
    y: top + (y / 1000) * high * scale,
  });
  return {
    at,
    cell: (Math.max(wide, high) * scale) / cellsAlong,
    dots: cells.x.map((x, index) => ({
      ...at(x, cells.y[index] ?? 0),
      lamps: cells.lamps[index] ?? 0,
      light: cells.light[index] ?? 0,
      alarm: cells.alarm[index] ?? 0,
      offline: cells.offline[index] ?? 0,
    })),
  };
}

/** Pairs of dots that a street may join: of each its two nearest within 2.2 cells. */
export function streetsOf({ dots, cell }: Picture): readonly (readonly [from: Dot, to: Dot])[] {
  const reach = 2.2 * cell;
  if (!(reach > 0)) return [];
  const square = (value: number) => Math.floor(value / reach);
  const squares = Map.groupBy(dots.keys(), (index) => `${square(dots[index]!.x)} ${square(dots[index]!.y)}`);
  const joined = new Set<string>();
  const streets: [Dot, Dot][] = [];
  for (const [index, dot] of dots.entries()) {
    const near: { other: number; distance: number }[] = [];
    for (let dx = -1; dx <= 1; dx += 1)
      for (let dy = -1; dy <= 1; dy += 1)
        for (const other of squares.get(`${square(dot.x) + dx} ${square(dot.y) + dy}`) ?? []) {
          const distance = Math.hypot(dots[other]!.x - dot.x, dots[other]!.y - dot.y);
          if (other !== index && distance <= reach) near.push({ other, distance });
        }
    for (const { other } of near.toSorted((a, b) => a.distance - b.distance).slice(0, 2)) {
      const pair = index < other ? `${index} ${other}` : `${other} ${index}`;
      if (joined.has(pair)) continue;
      joined.add(pair);
      streets.push([dot, dots[other]!]);
    }
  }
  return streets;
}

/** Moves points apart until no two are nearer than `room`, and keeps them within the canvas. */
export function apart(
  points: readonly Point[],
  { width, height, room }: { readonly width: number; readonly height: number; readonly room: number },
): Point[] {
  const moved = points.map(({ x, y }) => ({ x, y }));
  const within = (value: number, most: number) =>
    Math.min(Math.max(value, room / 2), Math.max(room / 2, most - room / 2));
  for (let turn = 0; turn < 24; turn += 1) {
    for (const [index, one] of moved.entries())
      for (const other of moved.slice(index + 1)) {
        const distance = Math.hypot(other.x - one.x, other.y - one.y);
        if (distance >= room) continue;
        // Two at one point part along a line of their own, so that a third finds room beside them.
        const angle = distance > 0 ? Math.atan2(other.y - one.y, other.x - one.x) : index;
        const push = (room - distance) / 2 + 0.01;
        one.x -= Math.cos(angle) * push;
        one.y -= Math.sin(angle) * push;
        other.x += Math.cos(angle) * push;
        other.y += Math.sin(angle) * push;
      }
    for (const one of moved) {
      one.x = within(one.x, width);
      one.y = within(one.y, height);
    }
  }
  return moved;
}
