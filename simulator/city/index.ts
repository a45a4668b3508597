import { chooseDramas } from './dramas.ts';
import { placeEquipment } from './equipment.ts';
import { assignFaults, silentBoxes, wrongClocks } from './faults.ts';
import { createGrid, type Grid } from './grid.ts';
import { layLand } from './land.ts';
import { chooseObedience } from './obedience.ts';
import { plantPoles, type PoleDraft } from './poles.ts';
import type { Point } from './plane.ts';
import { createRandom, seedOf } from './random.ts';
import { layStreets } from './streets.ts';
import { wire } from './supply.ts';
import { createTerrain, type Terrain } from './terrain.ts';
import type { City, Lamp, Pole, Street } from './types.ts';

export type { City } from './types.ts';

export interface CityOptions {
  readonly seed: number;
  /** How many lamps; exactly so many are made. */
  readonly lamps: number;
}

export const defaultSeed = 20261120;
/** Lamps that hold a connection of their own; the others speak through their controllers. */
const directLamps = 680;

/** A city that does not exist, the same for the same seed and size. */
export function generateCity({ seed, lamps: wanted }: CityOptions): City {
  const { grid, terrain, streets, drafts } = plan(seed, wanted);
  const land = layLand(seed, grid, terrain, Math.min(1, 5000 / wanted));
  const poles = numbered(thinned(streets, drafts, wanted));
  const heads = poles.flatMap((pole, index) =>
    Array.from({ length: pole.heads }, (_, head) => ({ pole: index, head })),
  );
  const supply = wire(
    seed,
    streets,
    poles,
    heads.map((head) => head.pole),
  );
  const silent = silentBoxes(createRandom(seedOf(seed, 'silent')), supply.boxes, supply.loops, wanted);
  const direct = chooseDirect(poles, heads, wanted, (head) =>
    silent.has(supply.loops[supply.loopOf[head] ?? 0]?.box ?? -1),
  );
  const random = createRandom(seedOf(seed, 'links'));
  const bare = heads.map(({ pole, head }, index): Lamp => {
    const own = poles[pole] as Numbered;
    return {
      code: `BJ-${String(pole + 1).padStart(4, '0')}${own.heads > 1 ? ('AB'[head] ?? '') : ''}`,
      pole,
      head,
      model: own.model,
      loop: supply.loopOf[index] ?? 0,
      reach: supply.reachOf[index] ?? 0,
      direct: direct[index] ?? false,
      link: direct[index] ? (random.chance(0.7) ? 'nb_iot' : 'cellular') : random.chance(0.6) ? 'plc' : 'lora',
      fault: null,
      obedience: 'plan',
      clockDaysAhead: 0,
    };
  });
  const faults = assignFaults(seed, bare, supply.loops, silent);
  const clocks = wrongClocks(bare, faults);
  const boxes = supply.boxes.map((box, index) => ({ ...box, silent: silent.has(index) }));
  const faulty = bare.map((lamp, index) => ({ ...lamp, fault: faults[index] ?? null }));
  const obedience = chooseObedience(seed, faulty, streets, poles, supply.loops, boxes);
  const lamps = faulty.map((lamp, index) => ({
    ...lamp,
    obedience: obedience[index] ?? 'plan',
    clockDaysAhead: clocks[index] ?? 0,
  }));
  return {
    seed,
    streets,
    ...land,
    loops: supply.loops,
    transformers: supply.transformers,
    poles: poles.map(({ model: _model, ...pole }) => pole),
    lamps,
    boxes,
    equipment: placeEquipment(seed, streets, poles, boxes, wanted),
    dramas: chooseDramas(seed, streets, poles, lamps, supply.loops, boxes),
  };
}

/** Metres from the pole's foot to the lamp above the carriageway. */
const armLength = { single_arm: 1.8, double_arm: 2.4, post_top: 0 } as const;

/** Where a lamp head hangs: its pole's arm reaches over the street; of two arms the first points left. */
export function lampPlace(city: Pick<City, 'poles'>, lamp: Pick<Lamp, 'pole' | 'head'>): Point {
  const pole = city.poles[lamp.pole];
  if (!pole) return [0, 0];
  const towards = pole.side === 'left' ? -1 : pole.side === 'right' ? 1 : lamp.head === 0 ? 1 : -1;
  const reach = armLength[pole.shape] * towards;
  return [pole.at[0] + pole.left[0] * reach, pole.at[1] + pole.left[1] * reach];
}

type Numbered = Pole & Pick<PoleDraft, 'model'>;

/** Grows the city until it has room for all lamps. */
function plan(seed: number, wanted: number): { grid: Grid; terrain: Terrain; streets: Street[]; drafts: PoleDraft[] } {
  for (let extent = Math.max(260, 19.63 * Math.sqrt(wanted)); ; extent *= 1.03) {
    const grid = createGrid(seed, extent);
    const terrain = createTerrain(seed, extent);
    const streets = layStreets(seed, grid, terrain);
    const drafts = plantPoles(seed, streets);
    if (drafts.reduce((sum, pole) => sum + pole.heads, 0) >= wanted) return { grid, terrain, streets, drafts };
  }
}

/** Leaves the most remote streets dark until exactly the wanted number of lamps is left. */
function thinned(streets: readonly Street[], drafts: readonly PoleDraft[], wanted: number): PoleDraft[] {
  const order = [...drafts].sort(
    (a, b) =>
      (streets[a.street]?.remoteness ?? 0) - (streets[b.street]?.remoteness ?? 0) ||
      a.street - b.street ||
      a.along - b.along,
  );
  const kept: PoleDraft[] = [];
  let left = wanted;
  for (const pole of order) {
    if (left === 0) break;
    const heads = left === 1 ? 1 : pole.heads;
    kept.push(heads === pole.heads ? pole : { ...pole, heads });
    left -= heads;
  }
  return kept.sort((a, b) => a.street - b.street || sideOrder(a) - sideOrder(b) || a.along - b.along);
}

const sideOrder = (pole: PoleDraft): number => ['left', 'right', 'median'].indexOf(pole.side);

function numbered(drafts: readonly PoleDraft[]): Numbered[] {
  const counts = new Map<string, number>();
  return drafts.map((draft, index) => {
    const key = `${draft.street} ${draft.side}`;
    const number = (counts.get(key) ?? 0) + 1;
    counts.set(key, number);
    return { ...draft, code: `DG-${String(index + 1).padStart(4, '0')}`, number };
  });
}

/** Whole streets go direct, avenues first; in small cities three lamps of five. */
function chooseDirect(
  poles: readonly Pole[],
  heads: readonly { pole: number }[],
  wanted: number,
  excluded: (head: number) => boolean,
): boolean[] {
  let left = wanted >= 1100 ? directLamps : Math.round(wanted * 0.6);
  const chosen = heads.map(() => false);
  const order = heads.map((_, index) => index).filter((index) => !excluded(index));
  order.sort((a, b) => (poles[heads[a]?.pole ?? 0]?.street ?? 0) - (poles[heads[b]?.pole ?? 0]?.street ?? 0) || a - b);
  for (const index of order) {
    if (left === 0) break;
    chosen[index] = true;
    left--;
  }
  return chosen;
}
