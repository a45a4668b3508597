import type { RoadClass } from '../floors.ts';
import type { SunPlace } from '../sun.ts';
import type { Day } from '../zone.ts';
import { rotations, type LampRole, type Rotation } from './programme.ts';
import type { NamedProgramme } from './scheme.ts';

/**
 * Two plans of many lamps as the year difference takes them: data alone, so that a thread can do it. Lamps that do the
 * same are one class, and one night of a class is resolved once.
 */

/** What lamps follow day by day, wherever they stand. */
export interface Track {
  /** What people call it: code and version. */
  readonly label: string;
  readonly programmes: readonly NamedProgramme[];
  /** Place in `programmes` of each day, from the day before the first to two days after the last. */
  readonly byDay: readonly number[];
  /** Road classes that it may leave below their floor. */
  readonly excepted: readonly RoadClass[];
}

/** Watts of one lamp at each whole level from 0 to 100. */
export type Load = readonly number[];

/** What a lamp of a class does on one side. */
export interface YearPlan {
  readonly place: number;
  readonly track: number;
  readonly role: LampRole;
}

/** Lamps that are alike in everything: place, both plans, watts and road class. */
export interface YearClass {
  readonly a: number;
  readonly b: number;
  readonly load: number;
  readonly road: RoadClass | null;
  readonly lamps: number;
}

/** The lamps of one row in its order. Lamps of one pole have one position. */
export interface YearRow {
  /** What the caller calls each lamp. */
  readonly lamps: readonly number[];
  readonly positions: readonly number[];
  readonly classes: readonly number[];
}

export const yearSides = ['a', 'b'] as const;
export type YearSide = (typeof yearSides)[number];

/** A lamp among neighbours: its plans, and the sides on which it is one of those that are judged. */
export interface WindowLamp {
  readonly a: number;
  readonly b: number;
  /** `a`: on side b it goes on as on side a. `none`: on both sides, as it is only a neighbour. */
  readonly own: 'both' | 'a' | 'none';
}

/** Neighbours of a row whose mean counts, as the floor of a road is judged. Rows have many that are alike. */
export interface YearWindow {
  readonly road: RoadClass;
  /** A lamp of no row. */
  readonly loose: boolean;
  readonly poles: readonly (readonly WindowLamp[])[];
}

export interface YearInput {
  readonly from: Day;
  /** Lighting days, at most 366. */
  readonly days: number;
  readonly tracks: readonly Track[];
  readonly places: readonly SunPlace[];
  readonly loads: readonly Load[];
  readonly plans: readonly YearPlan[];
  readonly classes: readonly YearClass[];
  readonly rows: readonly YearRow[];
  readonly windows: readonly YearWindow[];
}

/** One lamp: its places and tracks by their index on each side, and its load by index. */
export interface YearLamp {
  readonly placeA: number;
  readonly placeB: number;
  readonly trackA: number;
  readonly trackB: number;
  readonly roleA: LampRole;
  readonly roleB: LampRole;
  readonly load: number;
  readonly road: RoadClass | null;
}

/** Six places of a row do all that patterns of two and three can do. */
const placesOfRow = 6;
/** One for a lamp of no row, one for a lamp of a row that every pattern lights, the others for places in the cycle. */
const roleCodes = 2 + placesOfRow * rotations.length;
/** More than any city has: numbers are keys of a map as long as they are exact. */
const mostPlans = 2 ** 20;
const mostTracks = 2 ** 20;
const mostLoads = 2 ** 16;
/** More than there are roles of drivers that hold 0 to 100 %. */
const mostCodes = 2 ** 12;

/** After so many places of a row the patterns of a track do the same: 1, 2, 3 or 6. */
function cycleOfTrack({ programmes }: Track): number {
  const used = new Set(programmes.flatMap(({ programme }) => programme.periods.map(({ pattern }) => pattern)));
  return (used.has('alternateOne') ? 2 : 1) * (used.has('alternateTwo') ? 3 : 1);
}

/** What of a role makes a difference: its place in the cycle, its rotation and its driver. */
function codeOf(role: LampRole, cycle: number): number {
  return Math.round(role.minLevel) * roleCodes + (cycle === 1 ? 0 : placeInCycle(role, cycle));
}

function placeInCycle({ position, rowLength, right, keep, rotation }: LampRole, cycle: number): number {
  if (position === null) return 0;
  if (keep || rowLength < 3 || position === 0 || position === rowLength - 1) return 1;
  return 2 + ((position + (right ? 1 : 0)) % cycle) * rotations.length + rotations.indexOf(rotation);
}

/** A lamp that does the same as every lamp of this code. */
function roleOf(code: number): LampRole {
  const [minLevel, cycle] = [Math.floor(code / roleCodes), code % roleCodes];
  const rotation: Rotation = rotations[(cycle - 2) % rotations.length] ?? 'weekly';
  const inCycle = placesOfRow + Math.floor((cycle - 2) / rotations.length);
  const position = cycle === 0 ? null : cycle === 1 ? 0 : inCycle;
  return { position, rowLength: cycle === 0 ? 0 : 1000, right: false, keep: cycle === 1, minLevel, rotation };
}

/** Gathers lamps into classes. Tracks may be added while lamps are. */
export function createYearClasses(trackAt: (index: number) => Track | undefined) {
  const cycles: number[] = [];
  const [planOf, pairOf, classOf] = [new Map<number, number>(), new Map<number, number>(), new Map<number, number>()];
  const plans: YearPlan[] = [];
  const classes: { a: number; b: number; load: number; road: RoadClass | null; lamps: number }[] = [];
  const roads = new Map<RoadClass | null, number>();

  function cycleAt(index: number): number {
    const track = trackAt(index);
    return (cycles[index] ??= track ? cycleOfTrack(track) : 1);
  }

  function plan(place: number, track: number, role: LampRole): number {
    const code = codeOf(role, cycleAt(track));
    const key = (place * mostTracks + track) * mostCodes + code;
    let found = planOf.get(key);
    if (found === undefined) {
      found = plans.push({ place, track, role: roleOf(code) }) - 1;
      planOf.set(key, found);
    }
    return found;
  }

  function numbered<Key>(map: Map<Key, number>, key: Key): number {
    let found = map.get(key);
    if (found === undefined) map.set(key, (found = map.size));
    return found;
  }

  return {
    plans,
    classes,
    /** The class of a lamp; `isCounted`: it is one of those that the year is about, and no neighbour of theirs. */
    add({ placeA, placeB, trackA, trackB, roleA, roleB, load, road }: YearLamp, isCounted = true): number {
      const a = plan(placeA, trackA, roleA);
      const b = plan(placeB, trackB, roleB);
      const pair = numbered(pairOf, a * mostPlans + b);
      const key = (pair * 8 + numbered(roads, road)) * mostLoads + load;
      let found = classOf.get(key);
      if (found === undefined) {
        found = classes.push({ a, b, load, road, lamps: 0 }) - 1;
        classOf.set(key, found);
      }
      const one = classes[found];
      if (one && isCounted) one.lamps += 1;
      return found;
    },
  };
}
