/**
 * The ground the film flies over, in metres: x to the right, y away from the camera, a river meandering towards the
 * horizon. Roads are laid out in (v, y), v being the distance from the river's middle, so that near the water they
 * follow it.
 */
export type Point = readonly [x: number, y: number];

/** The far edge; beyond it only the glow of other towns is drawn. */
export const FAR = 11_000;

/** The river's middle at distance y. */
export const riverAt = (y: number): number =>
  250 * Math.cos(((y - 2780) / 2400) * 2 * Math.PI) * Math.exp(-(((y - 2000) / 5200) ** 2)) +
  210 * Math.sin(y / 2900 + 0.4) -
  60;

/** Half the river's width at distance y. */
export const halfWidthAt = (y: number): number => 104 + 20 * Math.sin(y / 640) + y * 0.014;

export const isWater = ([x, y]: Point): boolean => Math.abs(x - riverAt(y)) < halfWidthAt(y);

/** From (v, y) to the ground: near the river everything bends with it, further out with the lie of the land. */
export function place(v: number, y: number): Point {
  const near = Math.exp(-((v / 1900) ** 2));
  const land = 170 * Math.sin(y / 1500 + v / 2600) + 90 * Math.sin(y / 610 + 1.7);
  const across = 120 * Math.sin(v / 900 + 0.6) + 50 * Math.sin(v / 330 + y / 800);
  return swirl(
    v + riverAt(y) * near + land * (1 - near),
    y + across * (1 - near * 0.6),
    1 - Math.exp(-((v / 520) ** 2)),
  );
}

/** Quarters that were laid out at an angle of their own: middle, turn in radians, radius. */
const QUARTERS = [
  [1250, 2050, 0.5, 620],
  [-1500, 1750, -0.55, 700],
  [2500, 3000, -0.6, 900],
  [-2600, 3300, 0.6, 1000],
  [1500, 4300, 0.55, 1000],
  [-1300, 5200, -0.6, 1100],
  [900, 1150, -0.4, 420],
  [-950, 1000, 0.35, 380],
  [4200, 5200, 0.5, 1500],
] as const;

function swirl(x: number, y: number, strength: number): Point {
  let at: Point = [x, y];
  for (const [middleX, middleY, turn, radius] of QUARTERS) {
    const [dx, dy] = [at[0] - middleX, at[1] - middleY];
    const angle = turn * strength * Math.exp(-(dx * dx + dy * dy) / (radius * radius));
    at = [middleX + dx * Math.cos(angle) - dy * Math.sin(angle), middleY + dx * Math.sin(angle) + dy * Math.cos(angle)];
  }
  return at;
}

/** How built-up a place is, 0 to 1: dense behind the second bend, thinning to the edges, with a few dark hills. */
export function density(v: number, y: number): number {
  const centre = Math.exp(-(((v - 250) / 2600) ** 2 + ((y - 3300) / 2600) ** 2));
  const second = 0.7 * Math.exp(-(((v + 2600) / 1500) ** 2 + ((y - 4300) / 1900) ** 2));
  const uneven = 0.2 * Math.sin(v / 620 + 0.8) * Math.sin(y / 540 + 2.2);
  return Math.max(
    0,
    Math.min(1, 0.3 + 0.28 * Math.exp(-(((y - 1200) / 900) ** 2)) + 0.9 * Math.max(centre, second) + uneven),
  );
}
