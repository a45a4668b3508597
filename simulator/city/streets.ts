import type { Grid } from './grid.ts';
import { createNames, type Names } from './names.ts';
import { lengthOf, type Point } from './plane.ts';
import { createRandom, seedOf, type Random } from './random.ts';
import type { Terrain } from './terrain.ts';
import type { RoadClass, Street } from './types.ts';

/** Carriageway with footways, metres. */
const widths: Record<RoadClass, number> = { arterial: 30, secondary: 20, branch: 11, park: 4 };

export const riverName = '清江';

type GridPoint = readonly [u: number, v: number];
/** `outward`: ends on the plain grid where an avenue leaves the city, with the direction it goes on. */
interface Draft {
  lit?: false;
  outward?: { end: GridPoint; to: GridPoint }[];
  name: string;
  roadClass: RoadClass;
  line: Point[];
  remoteness: number;
  north: boolean;
  bridges?: Street['bridges'];
}

/**
 * Every street of the city, avenues first; names are given once, halves of an avenue on both banks are told apart by 南
 * and 北.
 */
export function layStreets(seed: number, grid: Grid, terrain: Terrain): Street[] {
  const random = createRandom(seedOf(seed, 'streets'));
  const names = createNames(random);
  const drafts = [
    ...embankments(grid, terrain),
    ...northSouth(grid, terrain, names),
    ...eastWest(grid, terrain, names),
    ...secondaries(random, grid, terrain, names),
    ...branches(grid, terrain, names),
    ...promenades(grid, terrain),
    ...parkWalks(random, grid, terrain),
  ];
  return [...drafts, ...drafts.flatMap((draft) => outskirts(random, terrain, draft))]
    .filter((draft) => lengthOf(draft.line) > 60)
    .map(({ outward: _, ...draft }, index) => ({
      ...draft,
      lit: draft.lit ?? true,
      code: `R${String(index + 1).padStart(3, '0')}`,
      width: widths[draft.roadClass],
      bridges: draft.bridges ?? [],
    }));
}

/** Avenues go on into the dark country, unlit: a city does not stop at its last lamp. */
function outskirts(random: Random, terrain: Terrain, draft: Draft): Draft[] {
  return (draft.outward ?? []).map(({ end: [u, v], to: [du, dv] }): Draft => {
    const reach = random.between(600, 1500);
    const drift = random.between(-0.25, 0.25) * reach;
    return {
      name: draft.name,
      roadClass: 'arterial',
      lit: false,
      remoteness: 9,
      north: v > 0,
      line: terrain.line(u, v, u + du * reach + dv * drift, v + dv * reach + du * drift),
    };
  });
}

const remote = (grid: Grid, u: number, v: number): number => Math.hypot(u / grid.extentU, v / grid.extentV);

/** Stretches of rows (or columns) in which `exists` holds, as index ranges. */
function runs(count: number, exists: (index: number) => boolean): [first: number, last: number][] {
  const found: [number, number][] = [];
  for (let i = 0; i < count; i++) {
    if (!exists(i)) continue;
    const last = found.at(-1);
    if (last && last[1] === i - 1) last[1] = i;
    else found.push([i, i]);
  }
  return found;
}

function embankments(grid: Grid, terrain: Terrain): Draft[] {
  return [grid.bank, -grid.bank].flatMap((v) => {
    const row = grid.vs.indexOf(v) - (v < 0 ? 1 : 0);
    const columns = grid.middleU.map((_, column) => column).filter((column) => grid.quarter(column, row));
    const [first, last] = [columns[0], columns.at(-1)];
    if (first === undefined || last === undefined) return [];
    return [
      {
        name: v > 0 ? '滨江大道' : '江南大道',
        roadClass: 'arterial' as const,
        north: v > 0,
        remoteness: 0.1,
        line: terrain.line(grid.us[first] ?? 0, v, grid.us[last + 1] ?? 0, v),
        outward: [
          { end: [grid.us[first] ?? 0, v] as const, to: [-1, 0] as const },
          { end: [grid.us[last + 1] ?? 0, v] as const, to: [1, 0] as const },
        ],
      },
    ];
  });
}

function northSouth(grid: Grid, terrain: Terrain, names: Names): Draft[] {
  const riverRow = grid.middleV.indexOf(null);
  return grid.us.flatMap((u, i) => {
    const beside = (row: number): boolean => [i - 1, i].some((column) => grid.quarter(column, row));
    const bridged = i % 2 === 0 && beside(riverRow - 1) && beside(riverRow + 1);
    const found = runs(grid.middleV.length, (row) => (row === riverRow ? bridged : beside(row)));
    if (found.length === 0) return [];
    const name = names.avenue();
    return found.map(([from, to]): Draft => {
      const v0 = grid.vs[from] ?? 0;
      const v1 = grid.vs[to + 1] ?? 0;
      const north = v0 + v1 > 0;
      const crosses = bridged && v0 < 0 && v1 > 0;
      const half = terrain.halfRiver(u);
      const start = lengthOf(terrain.line(u, v0, u, Math.max(v0, -half)));
      const over = lengthOf(terrain.line(u, -half, u, half));
      const halves = found.length > 1 && !crosses;
      return {
        name: halves ? name.replace(/(大道|路|街)$/, `${north ? '北' : '南'}路`) : name,
        roadClass: 'arterial',
        north,
        remoteness: remote(grid, u, crosses ? 0 : (v0 + v1) / 2),
        line: terrain.line(u, v0, u, v1),
        outward: [
          { end: [u, v0] as const, to: [0, -1] as const },
          { end: [u, v1] as const, to: [0, 1] as const },
        ].filter(({ end }) => Math.abs(end[1]) !== grid.bank),
        bridges: crosses ? [[start, start + over, `${name.slice(0, 2)}大桥`]] : [],
      };
    });
  });
}

function eastWest(grid: Grid, terrain: Terrain, names: Names): Draft[] {
  return grid.vs.flatMap((v, j) => {
    if (Math.abs(v) === grid.bank) return [];
    const found = runs(grid.middleU.length, (column) => [j - 1, j].some((row) => grid.quarter(column, row)));
    if (found.length === 0) return [];
    const name = names.avenue();
    return found.map(([from, to], index): Draft => {
      const u0 = grid.us[from] ?? 0;
      const u1 = grid.us[to + 1] ?? 0;
      return {
        name: index === 0 ? name : names.avenue(),
        roadClass: 'arterial',
        north: v > 0,
        remoteness: remote(grid, (u0 + u1) / 2, v),
        line: terrain.line(u0, v, u1, v),
        outward: [
          { end: [u0, v], to: [-1, 0] },
          { end: [u1, v], to: [1, 0] },
        ],
      };
    });
  });
}

function secondaries(random: Random, grid: Grid, terrain: Terrain, names: Names): Draft[] {
  const found: Draft[] = [];
  const add = (u0: number, v0: number, u1: number, v1: number): void => {
    found.push({
      name: names.street('secondary'),
      roadClass: 'secondary',
      north: v0 + v1 > 0,
      remoteness: remote(grid, (u0 + u1) / 2, (v0 + v1) / 2),
      line: terrain.line(u0, v0, u1, v1),
    });
  };
  grid.middleU.forEach((u, column) => {
    for (const [from, to] of chopped(
      random,
      runs(grid.middleV.length, (row) => Boolean(grid.quarter(column, row))),
    ))
      add(u, grid.vs[from] ?? 0, u, grid.vs[to + 1] ?? 0);
  });
  grid.middleV.forEach((v, row) => {
    if (v === null) return;
    for (const [from, to] of chopped(
      random,
      runs(grid.middleU.length, (column) => Boolean(grid.quarter(column, row))),
    ))
      add(grid.us[from] ?? 0, v, grid.us[to + 1] ?? 0, v);
  });
  return found;
}

/** Long runs become several streets with names of their own. */
function chopped(random: Random, found: [number, number][]): [number, number][] {
  return found.flatMap(([from, to]) => {
    const parts: [number, number][] = [];
    for (let i = from; i <= to;) {
      const end = Math.min(to, i + random.whole(1, 3));
      parts.push([i, end]);
      i = end + 1;
    }
    return parts;
  });
}

function branches(grid: Grid, terrain: Terrain, names: Names): Draft[] {
  return grid.quarters.flatMap((quarter) =>
    quarter.branches.map(({ from, to }): Draft => ({
      name: names.street('branch'),
      roadClass: 'branch',
      north: from[1] > 0,
      remoteness: 0.08 + remote(grid, (from[0] + to[0]) / 2, (from[1] + to[1]) / 2),
      line: terrain.line(from[0], from[1], to[0], to[1], 20),
    })),
  );
}

function promenades(grid: Grid, terrain: Terrain): Draft[] {
  const reach = Math.min(grid.extentU * 0.62, 2600);
  return [1, -1].map((side): Draft => {
    const line: Point[] = [];
    for (let u = -reach; u <= reach; u += 20) line.push(terrain.bend(u, side * (terrain.halfRiver(u) + 16)));
    return { name: side > 0 ? '江滨北步道' : '江滨南步道', roadClass: 'park', north: side > 0, remoteness: 0.15, line };
  });
}

function parkWalks(random: Random, grid: Grid, terrain: Terrain): Draft[] {
  return grid.quarters
    .flatMap((quarter) => quarter.parks)
    .map((park, index): Draft => {
      const u = (park.u0 + park.u1) / 2;
      const v = (park.v0 + park.v1) / 2;
      const phase = random.between(0, 6);
      const line: Point[] = [];
      for (let i = 0; i <= 48; i++) {
        const angle = (i / 48) * Math.PI * 2;
        const r = 0.36 + 0.05 * Math.sin(2 * angle + phase) + 0.03 * Math.sin(3 * angle);
        line.push(
          terrain.bend(u + Math.cos(angle) * r * (park.u1 - park.u0), v + Math.sin(angle) * r * (park.v1 - park.v0)),
        );
      }
      return {
        name: `${parkName(index)}环路`,
        roadClass: 'park',
        north: v > 0,
        remoteness: 0.2 + remote(grid, u, v),
        line,
      };
    });
}

const parkNames = [
  '萤火公园',
  '听涛公园',
  '银杏公园',
  '芦花公园',
  '月湖公园',
  '白鹭公园',
  '春晓公园',
  '枫林公园',
  '荷风公园',
  '望星公园',
];

/** The name of the park at a position of the grid's list. */
export const parkName = (index: number): string =>
  `${parkNames[index % parkNames.length] ?? ''}${index < parkNames.length ? '' : Math.floor(index / parkNames.length) + 1}`;
