import { seedOf, createRandom } from './random.ts';
import type { Point } from './plane.ts';

/**
 * The city is drawn on a plain grid (u east, v north of the river's middle) and bent: streets near the water follow the
 * river, others wander, and a few whirls turn whole quarters. Lengths on the grid are metres within some per cent.
 */
export interface Terrain {
  bend(u: number, v: number): Point;
  /** Half of the river's width at u. */
  halfRiver(u: number): number;
  /** A straight line of the grid, bent; a point every `step` metres. */
  line(u0: number, v0: number, u1: number, v1: number, step?: number): Point[];
}

export function createTerrain(seed: number, extent: number): Terrain {
  const random = createRandom(seedOf(seed, 'terrain'));
  const phase = Array.from({ length: 6 }, () => random.between(0, Math.PI * 2));
  const at = (i: number): number => phase[i] ?? 0;
  const whirls = Array.from({ length: Math.max(3, Math.round((extent / 1500) ** 2 * 4)) }, () => ({
    x: random.between(-1.1, 1.1) * extent * 1.2,
    y: (random.chance(0.5) ? 1 : -1) * random.between(0.35, 1.1) * extent,
    turn: random.between(0.18, 0.42) * (random.chance(0.5) ? 1 : -1),
    radius: random.between(500, 900),
  }));
  const river = (x: number): number => 190 * Math.sin(x / 1050 + at(0)) + 90 * Math.sin(x / 520 + at(1));
  const halfRiver = (u: number): number => 88 + 26 * Math.sin(u / 900 + at(2)) + 10 * Math.sin(u / 340 + at(3));
  const bend = (u: number, v: number): Point => {
    const near = Math.exp(-((v / 1500) ** 2));
    let x = u + 70 * Math.sin(v / 1100 + at(4)) + 26 * Math.sin(v / 430 + u / 2100);
    let y = v + river(x) * near + 60 * Math.sin(u / 1300 + at(5)) * (1 - near) + 20 * Math.sin(u / 560 + v / 900);
    for (const whirl of whirls) {
      const dx = x - whirl.x;
      const dy = y - whirl.y;
      const reach = (dx * dx + dy * dy) / (whirl.radius * whirl.radius);
      if (reach > 9) continue;
      const turn = whirl.turn * Math.exp(-reach);
      x = whirl.x + dx * Math.cos(turn) - dy * Math.sin(turn);
      y = whirl.y + dx * Math.sin(turn) + dy * Math.cos(turn);
    }
    return [x, y];
  };
  const line = (u0: number, v0: number, u1: number, v1: number, step = 25): Point[] => {
    const count = Math.max(2, Math.ceil(Math.hypot(u1 - u0, v1 - v0) / step));
    return Array.from({ length: count + 1 }, (_, i) =>
      bend(u0 + ((u1 - u0) * i) / count, v0 + ((v1 - v0) * i) / count),
    );
  };
  return { bend, halfRiver, line };
}
