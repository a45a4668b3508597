import { distance, type Point } from './plane.ts';
import { createRandom, seedOf } from './random.ts';
import type { Box, Loop, Pole, Street, Transformer } from './types.ts';

export interface Supply {
  loops: Loop[];
  boxes: Omit<Box, 'silent'>[];
  transformers: Transformer[];
  /** Per lamp: its loop and its position along it (0 at the box, 1 at the end). */
  loopOf: number[];
  reachOf: number[];
}

const lampsOfLoop = 22;
const loopsOfBox = 5;
const boxesOfTransformer = 4;

/**
 * Lamps (given by the pole that carries each) are strung to loops along their streets, loops to control boxes, boxes to
 * transformers.
 */
export function wire(
  seed: number,
  streets: readonly Street[],
  poles: readonly Pole[],
  lampPoles: readonly number[],
): Supply {
  const random = createRandom(seedOf(seed, 'supply'));
  const place = (lamp: number): Point => poles[lampPoles[lamp] ?? 0]?.at ?? [0, 0];
  const runs = chunkLamps(streets, poles, lampPoles, place);
  const groups = chunkLoops(runs, place);
  const supply: Supply = { loops: [], boxes: [], transformers: [], loopOf: [], reachOf: [] };
  groups.forEach((group, boxIndex) => {
    const first = group[0]?.[0] ?? 0;
    const pole = poles[lampPoles[first] ?? 0];
    const [x, y] = place(first);
    if (boxIndex % boxesOfTransformer === 0) {
      supply.transformers.push({
        code: `BYQ-${pad(supply.transformers.length + 1)}`,
        at: [x + 22, y + 14],
        capacityKva: random.pick([160, 200, 315]),
      });
    }
    const loops = group.map((lamps, i) => {
      const number = i + 1;
      supply.loops.push({
        box: boxIndex,
        number,
        phase: (['A', 'B', 'C'] as const)[i % 3] ?? 'A',
        lamps,
        tapVolts: random.normal() * 1.6,
        dropVolts: random.between(1.5, 5.5),
      });
      lamps.forEach((lamp, position) => {
        supply.loopOf[lamp] = supply.loops.length - 1;
        supply.reachOf[lamp] = lamps.length > 1 ? position / (lamps.length - 1) : 0;
      });
      return supply.loops.length - 1;
    });
    const street = pole?.street ?? 0;
    const number = pad(boxIndex + 1);
    supply.boxes.push({
      code: `PDX-${number}`,
      controllerCode: `RTU-${number}`,
      name: `${streets[street]?.name ?? ''} ${boxIndex + 1} 号集控`,
      street,
      at: [x + 5, y + 4],
      transformer: supply.transformers.length - 1,
      loops,
    });
  });
  return supply;
}

const pad = (number: number): string => String(number).padStart(2, '0');

/** Loops: neighbouring lamps of one street; the few lamps of short streets join those of the next one nearby. */
function chunkLamps(
  streets: readonly Street[],
  poles: readonly Pole[],
  lampPoles: readonly number[],
  place: (lamp: number) => Point,
): number[][] {
  const order = lampPoles.map((_, lamp) => lamp);
  const key = streets.map((street) => quadrantKey(street.line[Math.floor(street.line.length / 2)] ?? [0, 0]));
  const pole = (lamp: number): Pole => poles[lampPoles[lamp] ?? 0] as Pole;
  order.sort(
    (a, b) =>
      (key[pole(a).street] ?? 0) - (key[pole(b).street] ?? 0) ||
      pole(a).street - pole(b).street ||
      pole(a).along - pole(b).along ||
      a - b,
  );
  const runs: number[][] = [];
  for (const lamp of order) {
    const last = runs.at(-1);
    const previous = last?.at(-1);
    const joins =
      last && previous !== undefined && last.length < lampsOfLoop && distance(place(previous), place(lamp)) < 320;
    if (joins) last.push(lamp);
    else runs.push([lamp]);
  }
  return runs;
}

/** Boxes: loops that follow each other and begin near enough for a cable. */
function chunkLoops(runs: readonly number[][], place: (lamp: number) => Point): number[][][] {
  const groups: number[][][] = [];
  for (const run of runs) {
    const last = groups.at(-1);
    const near = last && distance(place(last[0]?.[0] ?? 0), place(run[0] ?? 0)) < 900;
    if (last && near && last.length < loopsOfBox) last.push(run);
    else groups.push([run]);
  }
  return groups;
}

/** Orders places along a curve that keeps neighbours together (Z order of 350 m cells). */
function quadrantKey([x, y]: Point): number {
  const column = Math.floor(x / 350) + 512;
  const row = Math.floor(y / 350) + 512;
  let key = 0;
  for (let bit = 9; bit >= 0; bit--) key = key * 4 + ((row >> bit) & 1) * 2 + ((column >> bit) & 1);
  return key;
}
