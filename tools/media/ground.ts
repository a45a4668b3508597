/**
 * The ground the film flies over, in metres: x to the right, y away from the camera, a river meandering towards the
 * horizon. Roads are laid out in (v, y), v being the distance from the river's middle, so that near the water they follow it.
 */
export type Point = readonly [x: number, y: number];

/** The far edge; beyond it only the glow of other towns is drawn. */
export const FAR = 11_000;

/** The river's middle at distance y. */
export const riverAt = (y: number): number =>
  250 * Math.cos(((y - 2780) / 2400) * 2 * Math.PI) * Math.exp(-(((y - 2000) / 5200) ** 2)) + 210 * Math.sin(y / 2900 + 0.4) - 60;

/** Half the river's width at distance y. */
export const halfWidthAt = (y: number): number => 88 + 20 * Math.sin(y / 640) + y * 0.012;

export const isWater = ([x, y]: Point): boolean => Math.abs(x - riverAt(y)) < halfWidthAt(y);

/** From (v, y) to the ground: near the river everything bends with it, further out with the lie of the land. */
export function place(v: number, y: number): Point {
  const near = Math.exp(-((v / 1900) ** 2));
  const land = 170 * Math.sin(y / 1500 + v / 2600) + 90 * Math.sin(y / 610 + 1.7);
  return [v + riverAt(y) * near + land * (1 - near), y + (90 * Math.sin(v / 900 + 0.6) + 40 * Math.sin(v / 330 + y / 800)) * (1 - near * 0.6)];
}

/** How built-up a place is, 0 to 1: dense behind the second bend, thinning to the edges, with a few dark hills. */
export function density(v: number, y: number): number {
  const centre = Math.exp(-(((v - 250) / 2600) ** 2 + ((y - 3300) / 2600) ** 2));
  const second = 0.7 * Math.exp(-(((v + 2600) / 1500) ** 2 + ((y - 4300) / 1900) ** 2));
  const uneven = 0.2 * Math.sin(v / 620 + 0.8) * Math.sin(y / 540 + 2.2);
  return Math.max(0, Math.min(1, 0.2 + 0.95 * Math.max(centre, second) + uneven));
}
