import { classFloors, type RoadClass } from '../../../../catalogue/lighting/floors.ts';
import { neighbours as polesOfWindow } from '../../../../catalogue/lighting/plan/row-floor.ts';
import type { YearFloor } from '../../../../catalogue/lighting/plan/year-floors.ts';
import type { WindowLamp, YearWindow } from '../../../../catalogue/lighting/plan/year-input.ts';
import { roadClasses } from '../../../../catalogue/records/road.ts';
import type { Order } from './order.ts';

/** The rows of an order as neighbours whose mean counts: a city has a million of them, and some thousand that differ. */

export interface RowWindows {
  /** Each once, in whatever rows it stands. */
  readonly windows: readonly YearWindow[];
  /** Ids of the lamps that a finding is about, ascending. */
  lampsOf(floor: YearFloor): Float64Array<ArrayBuffer>;
}

/** The lamps of the order, after them the neighbours, each by its place. */
interface Members {
  readonly ids: Float64Array;
  readonly rowOf: Uint32Array;
  readonly positionOf: Uint32Array;
  readonly classOf: Uint32Array;
  /** Place in `owns`. */
  readonly own: Uint8Array;
}
const owns = ['none', 'a', 'both'] as const satisfies readonly WindowLamp['own'][];

/** Neighbours of one kind as they stand: from one member to another. */
interface Standing {
  readonly kind: number;
  readonly from: number;
  readonly to: number;
}

export function rowWindows(order: Order): RowWindows {
  const { input, lamps, roadOf } = order;
  const { ids, rowOf, positionOf, classOf, own } = membersOf(order);
  const windows: YearWindow[] = [];
  const standing: Standing[] = [];
  const kinds = new Map<number, number>();
  const [poles, chains, plans] = [createPairs(), createPairs(), createPairs()];
  /** Lamps with the same plans do the same, whatever their watts. */
  const plansOf = Uint32Array.from(input.classes, ({ a, b }) => plans(a, b));

  const lampAt = (member: number): WindowLamp => {
    const { a = 0, b = 0 } = input.classes[classOf[member] ?? 0] ?? {};
    return { a, b, own: owns[own[member] ?? 0] ?? 'none' };
  };
  const kindOf = (member: number): number => of(plansOf, of(classOf, member)) * owns.length + (own[member] ?? 0);
  function add(key: number, from: number, to: number, make: () => YearWindow): void {
    const kind = kinds.get(key) ?? windows.push(make()) - 1;
    kinds.set(key, kind);
    standing.push({ kind, from, to });
  }

  const judgedRow = (member: number): RoadClass | null => {
    const row = rowOf[member] ?? 0;
    return row === 0 ? null : judged(roadClasses[(roadOf[row - 1] ?? 0) - 1]);
  };
  const all = Uint32Array.from(ids.keys());
  const inRows = all
    .filter((member) => judgedRow(member) !== null)
    .sort((a, b) => of(rowOf, a) - of(rowOf, b) || of(positionOf, a) - of(positionOf, b) || kindOf(a) - kindOf(b));
  const loose = all.filter(
    (member) => member < lamps.ids.length && judgedRow(member) === null && looseRoad(member) !== null,
  );
  function looseRoad(member: number): RoadClass | null {
    return judged(input.classes[classOf[member] ?? 0]?.road);
  }

  for (let from = 0; from < inRows.length;) {
    const first = inRows[from] ?? 0;
    const row = of(rowOf, first);
    /** Where each pole begins, and where the row ends. */
    const starts: number[] = [];
    const kindsOfPoles: number[] = [];
    let at = from;
    while (at < inRows.length && of(rowOf, inRows[at] ?? 0) === row) {
      starts.push(at);
      const position = of(positionOf, inRows[at] ?? 0);
      let kind = 0;
      for (; at < inRows.length; at += 1) {
        const member = inRows[at] ?? 0;
        if (of(rowOf, member) !== row || of(positionOf, member) !== position) break;
        kind = 1 + poles(kind, kindOf(member));
      }
      kindsOfPoles.push(kind);
    }
    starts.push(at);
    const road = judgedRow(first) ?? 'lane';
    const size = Math.min(polesOfWindow, kindsOfPoles.length);
    for (let pole = 0; pole + size <= kindsOfPoles.length; pole += 1) {
      const begins = starts.slice(pole, pole + size + 1);
      const [start = 0, end = 0] = [begins[0], begins[size]];
      if (inRows.subarray(start, end).every((member) => own[member] === 0)) continue;
      let key = -1 - roadClasses.indexOf(road);
      for (const kind of kindsOfPoles.slice(pole, pole + size)) key = 1 + chains(key, kind);
      add(key, start, end, () => ({
        road,
        loose: false,
        poles: begins
          .slice(0, size)
          .map((begin, place) => Array.from(inRows.subarray(begin, begins[place + 1]), lampAt)),
      }));
    }
    from = at;
  }
  const ofRows = standing.length;
  for (const [place, member] of loose.entries()) {
    const road = looseRoad(member) ?? 'lane';
    const key = 1 + chains(noRow - roadClasses.indexOf(road), kindOf(member));
    add(key, place, place + 1, () => ({ road, loose: true, poles: [[lampAt(member)]] }));
  }

  return {
    windows,
    lampsOf({ side, code, road, windows: places }) {
      const wanted = new Set(places);
      const isOf = (member: number): boolean => {
        const lamp = lampAt(member);
        if (lamp.own === 'none' || (lamp.own === 'a' && side === 'b')) return false;
        const track = input.tracks[input.plans[lamp[side]]?.track ?? 0];
        return track?.excepted.includes(road) === (code === 'floorException');
      };
      const found: number[] = [];
      let reached = 0;
      for (const [index, { kind, from, to }] of standing.entries()) {
        // A lamp stands in up to three windows, one after the other.
        if (index === ofRows) reached = 0;
        if (!wanted.has(kind)) continue;
        const members = index < ofRows ? inRows : loose;
        for (const member of members.subarray(Math.max(from, reached), to))
          if (isOf(member)) found.push(ids[member] ?? 0);
        reached = to;
      }
      return Float64Array.from(found).sort();
    },
  };
}

/** Begins the numbers of what stands in no row. */
const noRow = -100;

const of = (list: Uint32Array, member: number): number => list[member] ?? 0;

const judged = (road: RoadClass | null | undefined): RoadClass | null => (road && classFloors[road] > 0 ? road : null);

/** Numbers for pairs of numbers, in the order in which they come. */
function createPairs() {
  const known = new Map<number, number>();
  return (a: number, b: number): number => {
    const key = a * 2 ** 26 + b;
    const found = known.get(key) ?? known.size;
    known.set(key, found);
    return found;
  };
}

function membersOf({ lamps, neighbours, cannot }: Order): Members {
  const joined = (key: 'rowOf' | 'positionOf' | 'classOf'): Uint32Array => {
    const all = new Uint32Array(lamps.ids.length + neighbours.ids.length);
    all.set(lamps[key]);
    all.set(neighbours[key], lamps.ids.length);
    return all;
  };
  const ids = new Float64Array(lamps.ids.length + neighbours.ids.length);
  ids.set(lamps.ids);
  ids.set(neighbours.ids, lamps.ids.length);
  // Publishing leaves out lamps without the levels of a plan: they go on as they are.
  const unable = new Set(cannot.flatMap(({ code, lamps: some }) => (code === 'cannot' ? [...some] : [])));
  return {
    ids,
    rowOf: joined('rowOf'),
    positionOf: joined('positionOf'),
    classOf: joined('classOf'),
    own: Uint8Array.from(ids, (id, member) => (member >= lamps.ids.length ? 0 : unable.has(id) ? 1 : 2)),
  };
}
