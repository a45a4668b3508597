import type { Grid, Rect } from './grid.ts';
import type { Point } from './plane.ts';
import { createRandom, seedOf, type Random } from './random.ts';
import { parkName, riverName } from './streets.ts';
import type { Terrain } from './terrain.ts';
import type { Area } from './types.ts';

export interface Land {
  water: Area[];
  parks: Area[];
  blocks: Area[];
  buildings: Area[];
}

/** Water, parks, blocks and buildings. `buildingShare` keeps the map of a very large city small. */
export function layLand(seed: number, grid: Grid, terrain: Terrain, buildingShare: number): Land {
  const random = createRandom(seedOf(seed, 'land'));
  const parks = grid.quarters.flatMap((quarter) => quarter.parks);
  const plots = grid.quarters.flatMap((quarter) => quarter.plots);
  const water: Area[] = [
    { name: riverName, outline: river(grid, terrain) },
    ...parks.map((park) => ({ outline: lake(random, park, terrain) })),
  ];
  const greens: Area[] = [
    ...parks.map((park, index) => ({ name: parkName(index), outline: bentRect(inset(park, 14), terrain, 60) })),
    ...[1, -1].map((side) => ({ outline: greenBank(grid, terrain, side) })),
  ];
  const blocks: Area[] = [];
  const buildings: Area[] = [];
  for (const plot of plots) {
    const own = inset(plot, 13);
    if (own.u1 - own.u0 < 30 || own.v1 - own.v0 < 30) continue;
    blocks.push({ outline: bentRect(own, terrain, 70) });
    if (random.chance(buildingShare)) buildings.push(...build(random, own, terrain, closeness(grid, own)));
  }
  return { water, parks: greens, blocks, buildings };
}

const inset = (rect: Rect, by: number): Rect => ({
  u0: rect.u0 + by,
  u1: rect.u1 - by,
  v0: rect.v0 + by,
  v1: rect.v1 - by,
});
const closeness = (grid: Grid, rect: Rect): number =>
  Math.max(0, 1 - Math.hypot((rect.u0 + rect.u1) / 2 / grid.extentU, (rect.v0 + rect.v1) / 2 / grid.extentV));

function bentRect({ u0, u1, v0, v1 }: Rect, terrain: Terrain, step: number): Point[] {
  return [
    ...terrain.line(u0, v0, u1, v0, step).slice(0, -1),
    ...terrain.line(u1, v0, u1, v1, step).slice(0, -1),
    ...terrain.line(u1, v1, u0, v1, step).slice(0, -1),
    ...terrain.line(u0, v1, u0, v0, step).slice(0, -1),
  ];
}

/** The river runs on far beyond the city, so that no edge of it shows. */
function river(grid: Grid, terrain: Terrain): Point[] {
  const reach = grid.extentU + 4000;
  const banks = [1, -1].map((side) => {
    const points: Point[] = [];
    for (let u = -reach; u <= reach; u += 45) points.push(terrain.bend(u, side * terrain.halfRiver(u)));
    return points;
  });
  return [...(banks[0] ?? []), ...(banks[1] ?? []).reverse()];
}

function greenBank(grid: Grid, terrain: Terrain, side: number): Point[] {
  const reach = Math.min(grid.extentU * 0.9, grid.us.at(-1) ?? 0);
  const water: Point[] = [];
  const street: Point[] = [];
  for (let u = -reach; u <= reach; u += 45) {
    water.push(terrain.bend(u, side * (terrain.halfRiver(u) + 6)));
    street.push(terrain.bend(u, side * (grid.bank - 18)));
  }
  return [...water, ...street.reverse()];
}

function lake(random: Random, park: Rect, terrain: Terrain): Point[] {
  const phase = random.between(0, 6);
  return Array.from({ length: 36 }, (_, i) => {
    const angle = (i / 36) * Math.PI * 2;
    const r = 0.21 * (1 + 0.2 * Math.sin(2 * angle + phase) + 0.12 * Math.sin(3 * angle));
    return terrain.bend(
      (park.u0 + park.u1) / 2 + Math.cos(angle) * r * (park.u1 - park.u0),
      (park.v0 + park.v1) / 2 + Math.sin(angle) * r * (park.v1 - park.v0),
    );
  });
}

/** Houses in rows, towers near the middle of the city. */
function build(random: Random, plot: Rect, terrain: Terrain, central: number): Area[] {
  const found: Area[] = [];
  const deep = random.between(16, 26);
  const gapV = random.between(14, 24);
  for (let v = plot.v0 + 8; v + deep < plot.v1 - 6; v += deep + gapV) {
    for (let u = plot.u0 + 8; ;) {
      const wide = random.between(22, 58);
      if (u + wide > plot.u1 - 6) break;
      if (random.chance(0.8)) {
        const house = { u0: u, u1: u + wide, v0: v, v1: v + deep * random.between(0.75, 1) };
        found.push({
          outline: bentRect(house, terrain, 200).filter((_, i) => i % 2 === 0),
          height: Math.round(random.between(12, 30) + (random.chance(central * 0.4) ? random.between(30, 110) : 0)),
        });
      }
      u += wide + random.between(9, 20);
    }
  }
  return found;
}
