import { createRandom, seedOf, type Random } from './random.ts';

/** The plain grid: where avenues run, which quarters exist, and how each is cut. All in grid metres. */
export interface Rect {
  readonly u0: number;
  readonly u1: number;
  readonly v0: number;
  readonly v1: number;
}

export interface Cut {
  readonly from: readonly [number, number];
  readonly to: readonly [number, number];
}

/** A quarter between avenues, cut once or twice by secondary streets and further by branches. */
export interface Quarter extends Rect {
  readonly column: number;
  readonly row: number;
  readonly plots: readonly Rect[];
  readonly parks: readonly Rect[];
  readonly branches: readonly Cut[];
}

export interface Grid {
  readonly extentU: number;
  readonly extentV: number;
  /** Avenues from south to north by u, from west to east by v; two of the latter are the embankments at ±`bank`. */
  readonly us: readonly number[];
  readonly vs: readonly number[];
  readonly bank: number;
  /** Secondary street of each column and row, between two avenues; the river's row has none. */
  readonly middleU: readonly number[];
  readonly middleV: readonly (number | null)[];
  readonly quarters: readonly Quarter[];
  quarter(column: number, row: number): Quarter | undefined;
}

const bank = 205;

export function createGrid(seed: number, extent: number): Grid {
  const random = createRandom(seedOf(seed, 'grid'));
  const extentU = extent * 1.25;
  const extentV = extent;
  const us = avenues(random, extentU);
  const vs = [
    ...banked(random, extentV)
      .map((v) => -v)
      .reverse(),
    ...banked(random, extentV),
  ];
  const middle = (a = 0, b = 0): number => a + (b - a) * random.between(0.43, 0.57);
  const middleU = us.slice(1).map((u, i) => middle(us[i], u));
  const middleV = vs.slice(1).map((v, j) => ((vs[j] ?? 0) < 0 && v > 0 ? null : middle(vs[j], v)));
  const wave = random.between(0, 6);
  const inside = (u: number, v: number): boolean => {
    const edge = 0.1 * Math.sin(u / 420 + wave) + 0.08 * Math.sin(v / 380 + 2 * wave);
    return Math.abs(u / extentU) ** 2.5 + Math.abs(v / extentV) ** 2.5 < 1 + edge;
  };
  const quarters: Quarter[] = [];
  for (let row = 0; row < middleV.length; row++) {
    if (middleV[row] === null) continue;
    for (let column = 0; column < middleU.length; column++) {
      const rect = { u0: us[column] ?? 0, u1: us[column + 1] ?? 0, v0: vs[row] ?? 0, v1: vs[row + 1] ?? 0 };
      if (!inside((rect.u0 + rect.u1) / 2, (rect.v0 + rect.v1) / 2)) continue;
      quarters.push(cutQuarter(random, rect, column, row, middleU[column] ?? 0, middleV[row] ?? 0));
    }
  }
  const byPlace = new Map(quarters.map((quarter) => [`${quarter.column},${quarter.row}`, quarter]));
  return {
    extentU,
    extentV,
    us,
    vs,
    bank,
    middleU,
    middleV,
    quarters,
    quarter: (column, row) => byPlace.get(`${column},${row}`),
  };
}

function avenues(random: Random, extent: number): number[] {
  const found = [random.between(-160, 160)];
  for (let u = found[0] ?? 0; u < extent;) found.push((u += random.between(540, 780)));
  for (let u = found[0] ?? 0; u > -extent;) found.unshift((u -= random.between(540, 780)));
  return found;
}

function banked(random: Random, extent: number): number[] {
  const found = [bank];
  for (let v = bank; v < extent;) found.push((v += random.between(460, 660)));
  return found;
}

function cutQuarter(random: Random, rect: Rect, column: number, row: number, u: number, v: number): Quarter {
  const four: Rect[] = [
    { u0: rect.u0, u1: u, v0: rect.v0, v1: v },
    { u0: u, u1: rect.u1, v0: rect.v0, v1: v },
    { u0: rect.u0, u1: u, v0: v, v1: rect.v1 },
    { u0: u, u1: rect.u1, v0: v, v1: rect.v1 },
  ];
  const parks: Rect[] = [];
  const plots: Rect[] = [];
  const branches: Cut[] = [];
  for (const part of four) {
    if (random.chance(0.1)) parks.push(part);
    else split(random, part, plots, branches, 0);
  }
  return { ...rect, column, row, plots, parks, branches };
}

/** Cuts a part again and again with branch streets until its pieces are of a block's size. */
function split(random: Random, part: Rect, plots: Rect[], branches: Cut[], depth: number): void {
  const width = part.u1 - part.u0;
  const height = part.v1 - part.v0;
  if (Math.max(width, height) < 190 || depth > 3 || (depth > 0 && random.chance(0.12))) {
    plots.push(part);
    return;
  }
  const share = random.between(0.4, 0.6);
  if (width > height) {
    const u = part.u0 + width * share;
    branches.push({ from: [u, part.v0], to: [u, part.v1] });
    split(random, { ...part, u1: u }, plots, branches, depth + 1);
    split(random, { ...part, u0: u }, plots, branches, depth + 1);
  } else {
    const v = part.v0 + height * share;
    branches.push({ from: [part.u0, v], to: [part.u1, v] });
    split(random, { ...part, v1: v }, plots, branches, depth + 1);
    split(random, { ...part, v0: v }, plots, branches, depth + 1);
  }
}
