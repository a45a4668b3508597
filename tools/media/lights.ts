import type { Chance } from './chance.ts';
import { FAR, density, isWater, place, riverAt, halfWidthAt } from './ground.ts';
import type { Road, RoadClass } from './roads.ts';

/** One steady light. `tone` 0 is 2700 K, 1 is 5000 K; `phase` (0 to 1) moves its faint twinkle. */
export interface Light {
  readonly x: number;
  readonly y: number;
  readonly z: number;
  readonly power: number;
  readonly tone: number;
  readonly phase: number;
  /** Lights by the water throw a streak on it. */
  readonly mirrored: boolean;
}

/** A car: it drives `reach` metres from (x, y) in the direction (dx, dy) during one loop, fading in and out. */
export interface Car {
  readonly x: number;
  readonly y: number;
  readonly dx: number;
  readonly dy: number;
  readonly reach: number;
  readonly phase: number;
  readonly power: number;
}

interface Fitting {
  readonly spacing: number;
  readonly offset: number;
  readonly both: boolean;
  readonly power: number;
  readonly tone: number;
  readonly height: number;
  /** Metres of road per car, or 0. */
  readonly carEvery: number;
}

const fittings: Record<RoadClass, Fitting> = {
  express: { spacing: 38, offset: 13, both: true, power: 1.35, tone: 0.34, height: 14, carEvery: 26 },
  river: { spacing: 28, offset: 12, both: true, power: 1.2, tone: 0.12, height: 11, carEvery: 34 },
  main: { spacing: 33, offset: 11, both: true, power: 0.8, tone: 0.16, height: 10, carEvery: 70 },
  side: { spacing: 34, offset: 7, both: false, power: 0.6, tone: 0.12, height: 8, carEvery: 0 },
  lane: { spacing: 33, offset: 4, both: false, power: 0.34, tone: 0.22, height: 6, carEvery: 0 },
  path: { spacing: 20, offset: 0, both: false, power: 0.3, tone: 0.86, height: 4, carEvery: 0 },
};

/** Calls `each` at every `spacing` metres along the road with the place and the unit direction there. */
function walk(
  road: Road,
  spacing: number,
  start: number,
  each: (x: number, y: number, dx: number, dy: number) => void,
): void {
  let next = start;
  for (let index = 1; index < road.points.length; index += 1) {
    const [x0, y0] = road.points[index - 1] ?? [0, 0];
    const [x1, y1] = road.points[index] ?? [0, 0];
    const length = Math.hypot(x1 - x0, y1 - y0);
    for (; next < length; next += spacing)
      each(x0 + ((x1 - x0) * next) / length, y0 + ((y1 - y0) * next) / length, (x1 - x0) / length, (y1 - y0) / length);
    next -= length;
  }
}

const byWater = (x: number, y: number): boolean => Math.abs(x - riverAt(y)) < halfWidthAt(y) + 70;

function roadLights(road: Road, draw: Chance, lights: Light[], cars: Car[]): void {
  const fitting = fittings[road.kind];
  const dark = road.kind === 'lane' && draw.happens(0.08);
  let side = 1;
  walk(road, fitting.spacing, fitting.spacing * draw.between(0, 1), (x, y, dx, dy) => {
    const crossing = isWater([x, y]);
    if (crossing && (road.kind === 'lane' || road.kind === 'side' || road.kind === 'path')) return;
    side = -side;
    for (const bank of fitting.both ? [1, -1] : [side]) {
      if (dark || draw.happens(0.012)) continue;
      const power = fitting.power * draw.between(0.72, 1);
      const tone = fitting.tone + draw.between(-0.06, 0.08);
      lights.push({
        x: x - dy * fitting.offset * bank,
        y: y + dx * fitting.offset * bank,
        z: fitting.height,
        power,
        tone,
        phase: draw.between(0, 1),
        mirrored: crossing || byWater(x, y),
      });
    }
  });
  if (fitting.carEvery > 0) {
    walk(road, fitting.carEvery, fitting.carEvery * draw.between(0, 1), (x, y, dx, dy) => {
      if (y > 6000 || !draw.happens(0.85)) return;
      const way = draw.happens(0.5) ? 1 : -1;
      const lane = 4 + draw.between(0, 3.4);
      const shift = draw.between(0, fitting.carEvery);
      cars.push({
        x: x + dx * shift + dy * lane * way,
        y: y + dy * shift - dx * lane * way,
        dx: dx * way,
        dy: dy * way,
        reach: draw.between(0.8, 1.15) * (road.kind === 'express' ? 230 : 140),
        phase: draw.between(0, 1),
        power: draw.between(0.5, 1),
      });
    });
  }
}

/** Lit windows: loose ones over the town, and columns of them where towers stand around the second bend. */
function windows(draw: Chance, lights: Light[]): void {
  const add = (v: number, y: number, z: number, power: number): void => {
    const [x, far] = place(v, y);
    if (isWater([x, far])) return;
    lights.push({
      x,
      y: far,
      z,
      power,
      tone: draw.happens(0.72) ? draw.between(0.1, 0.42) : draw.between(0.75, 1),
      phase: draw.between(0, 1),
      mirrored: z > 40 && byWater(x, far),
    });
  };
  for (let count = 0; count < 17_000; count += 1) {
    const v = draw.around() * 4200;
    const y = 500 + draw.between(0, 1) ** 1.4 * 6500;
    if (draw.happens(density(v, y))) add(v, y, 6 + draw.between(0, 1) ** 3 * 70, 0.2 * draw.between(0.3, 1.2));
  }
  for (let tower = 0; tower < 150; tower += 1) {
    const v = 420 + draw.around() * 1150;
    const y = 3700 + draw.around() * 1150;
    if (Math.abs(v) < 230) continue;
    const height = 70 + draw.between(0, 1) ** 2 * 230;
    for (let z = 12; z < height; z += 7) {
      for (let column = 0; column < 3; column += 1)
        if (draw.happens(0.34)) add(v + column * 11 + draw.between(-2, 2), y, z, 0.3 * draw.between(0.4, 1.2));
    }
    add(v + 11, y, height + 4, 0.9);
  }
}

/** Other towns: strings of light up to the horizon. */
function distance(draw: Chance, lights: Light[]): void {
  for (let string = 0; string < 900; string += 1) {
    const y0 = 7600 + draw.between(0, 1) ** 1.8 * 52_000;
    const x0 = draw.between(-1.25, 1.5) * y0;
    const turn = draw.between(-0.75, 0.75);
    const length = draw.between(300, 2600);
    for (let at = 0; at < length; at += 70) {
      lights.push({
        x: x0 + Math.cos(turn) * at,
        y: y0 + Math.sin(turn) * at,
        z: 9,
        power: draw.between(0.25, 0.7) * (1 + y0 / 12_000),
        tone: 0,
        phase: draw.between(0, 1),
        mirrored: false,
      });
    }
  }
}

/** Every light of the film. */
export function switchOn(roads: readonly Road[], draw: Chance): { lights: Light[]; cars: Car[] } {
  const lights: Light[] = [];
  const cars: Car[] = [];
  for (const road of roads) roadLights(road, draw, lights, cars);
  windows(draw, lights);
  distance(draw, lights);
  return { lights: lights.filter((light) => light.y < FAR * 6), cars };
}
