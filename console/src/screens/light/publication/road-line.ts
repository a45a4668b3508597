import { metresBetween } from '../../../parts/map/distance.ts';
import { shownStates } from '../../../parts/publishing/LampBar.tsx';
import type { PublicationLampState } from '../../../parts/publishing/words.ts';

export type Point = readonly [longitude: number, latitude: number];
/** A part of a road's line, as long as its share of the lamps. */
export interface Stretch {
  readonly state: PublicationLampState;
  readonly line: readonly Point[];
}

/** A road shorter than this, or of one lamp, is drawn this long, metres: its states have to be told apart. */
const leastMetres = 40;
/** What a state with any lamp at all gets of the line. */
const leastShare = 0.08;
const metresOfDegree = 111_195;

const between = ([x0, y0]: Point, [x1, y1]: Point, part: number): Point => [
  x0 + (x1 - x0) * part,
  y0 + (y1 - y0) * part,
];
const metres = ([longitude, latitude]: Point, [x, y]: Point): number =>
  metresBetween({ longitude, latitude }, { longitude: x, latitude: y });

/** How far along the line each of its points is, metres. */
function distances(line: readonly Point[]): number[] {
  const along = [0];
  for (const [place, point] of line.entries())
    if (place > 0) along.push((along.at(-1) ?? 0) + metres(line[place - 1] ?? point, point));
  return along;
}

/** About its middle and along its own direction; east to west where all points are one. */
function longEnough(line: readonly Point[]): readonly Point[] {
  const whole = distances(line).at(-1) ?? 0;
  if (whole >= leastMetres) return line;
  const mean = (axis: 0 | 1): number => line.reduce((sum, point) => sum + point[axis], 0) / line.length;
  const middle: Point = [mean(0), mean(1)];
  if (whole > 0) return line.map((point) => between(middle, point, leastMetres / whole));
  const [x, y] = middle;
  const half = leastMetres / 2 / (metresOfDegree * Math.cos((y * Math.PI) / 180));
  return [
    [x - half, y],
    [x + half, y],
  ];
}

/** The line from one part of its length to another. */
function stretchOf(line: readonly Point[], along: readonly number[], from: number, to: number): Point[] {
  const whole = along.at(-1) ?? 0;
  const pointAt = (part: number): Point => {
    const at = part * whole;
    const place = Math.max(
      1,
      along.findIndex((one) => one >= at),
    );
    const [before, after] = [along[place - 1] ?? 0, along[place] ?? whole];
    const [start = [0, 0] as const, end = start] = [line[place - 1], line[place]];
    return between(start, end, after === before ? 0 : (at - before) / (after - before));
  };
  const inside = line.filter((_, place) => (along[place] ?? 0) > from * whole && (along[place] ?? 0) < to * whole);
  return [pointAt(from), ...inside, pointAt(to)];
}

/** The bar of a road laid along its line: from proven to what stands aside, each state as long as its share. */
export function stretchesOf(line: readonly Point[], states: Readonly<Record<string, number>>): Stretch[] {
  const present = shownStates.flatMap((state) => {
    const count = states[state] ?? 0;
    return count > 0 ? [{ state, count }] : [];
  });
  const total = present.reduce((sum, { count }) => sum + count, 0);
  if (line.length === 0 || total === 0) return [];
  const shares = present.map(({ count }) => Math.max(leastShare, count / total));
  const sum = shares.reduce((all, share) => all + share, 0);
  const drawn = longEnough(line);
  const along = distances(drawn);
  let from = 0;
  return present.map(({ state }, place) => {
    const start = from;
    from = place === present.length - 1 ? 1 : from + (shares[place] ?? 0) / sum;
    return { state, line: stretchOf(drawn, along, start, from) };
  });
}
