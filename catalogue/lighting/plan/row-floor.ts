import { darkestMean } from '../floors.ts';
import type { Night } from './programme.ts';

/**
 * The class floor on real rows: the mean level of every three neighbours, with what each of their lamps does. Poles
 * without lamps are no neighbours; a row of fewer poles is judged as a whole.
 */

/** The neighbours whose mean counts. */
export const neighbours = 3;
/** So long before its on-time and after its off-time a lamp makes no road dark, ms: the sun of others is not its own. */
const twilightMs = 30 * 60_000;
/** Suns of places differ by seconds: what is below for less is not, ms. */
const shortestMs = 60_000;

/** A night of a lamp before and after the change that is judged. */
export interface FloorLamp {
  readonly before: Night | null;
  readonly after: Night | null;
  /** One of the lamps that change; others are only their neighbours. */
  readonly own: boolean;
}

/** Poles in order, each with its lamps. */
export interface FloorRow {
  readonly poles: readonly (readonly FloorLamp[])[];
  /** Its lamps stand in no row: each counts alone, with the darkest neighbours that its pattern makes in any row. */
  readonly loose: boolean;
}

interface BelowFloor {
  /** The lowest mean, percent, one decimal, and when it begins. */
  readonly level: number;
  readonly at: number;
  /** The pole of its darkest lamp that changes, and the place of that lamp. */
  readonly pole: number;
  readonly lamp: number;
  /** The period of that lamp's programme; null: it is outside of its night. */
  readonly period: number | null;
  /** Poles with lamps that change and stand among three that are too dark. */
  readonly poles: readonly number[];
}

/**
 * Where a night of a row is below the floor on account of the lamps that change: three neighbours are too dark and
 * darker than before, or they are dark where these lamps do otherwise and are below (`darker` asks for the former alone).
 */
export function belowFloorOfRow(
  { poles, loose }: FloorRow,
  floor: number,
  { darker = false }: { readonly darker?: boolean } = {},
): BelowFloor | null {
  const nights = new Set(poles.flatMap((lamps) => lamps.flatMap(({ before, after }) => [before, after])));
  const instants = instantsOf(nights);
  const found = { level: Number.POSITIVE_INFINITY, at: 0, window: 0, poles: new Set<number>() };
  const size = Math.min(loose ? 1 : neighbours, poles.length);
  for (const [index, at] of instants.entries()) {
    const until = instants[index + 1];
    if (until === undefined || until - at < shortestMs) continue;
    const levels = new Map([...nights].map((night) => [night, night && stateAt(night, at, loose)]));
    const means = poles.map((lamps) => meansOf(lamps, levels));
    for (let first = 0; first + size <= means.length; first += 1) {
      const window = means.slice(first, first + size);
      const level = lowOf(window, floor, darker);
      if (level === null) continue;
      window.forEach(({ own }, place) => own !== null && found.poles.add(first + place));
      if (level < found.level) Object.assign(found, { level, at, window: first });
    }
  }
  if (found.poles.size === 0) return null;
  const { level, at, window, poles: below } = found;
  return { level: tenth(level), at, poles: [...below], ...darkestOwn(poles, window, size, at, loose) };
}

const tenth = (value: number): number => Math.round(value * 10) / 10;

function instantsOf(nights: ReadonlySet<Night | null>): number[] {
  const all = new Set<number>();
  for (const night of nights) {
    if (night === null || night.on === null || night.off === null) continue;
    all.add(night.on - twilightMs).add(night.off + twilightMs);
    for (const { at } of night.steps) all.add(at);
    all.add(night.on).add(night.off);
  }
  return [...all].toSorted((a, b) => a - b);
}

interface State {
  /** Null: near to its night, or without one. */
  readonly level: number | null;
  readonly inNight: boolean;
  readonly period: number | null;
}
const outside: State = { level: null, inNight: false, period: null };

function stateAt({ on, off, steps }: Night, at: number, loose: boolean): State {
  if (on === null || off === null) return outside;
  if (at < on || at >= off) return at >= on - twilightMs && at < off + twilightMs ? outside : { ...outside, level: 0 };
  const step = steps.findLast((one) => one.at <= at);
  const level = step ? (loose ? darkestMean(step.level, step.pattern) : step.level) : 0;
  return { level, inNight: true, period: step?.period ?? null };
}

/** Of the lamps of a pole; null: of none it is known. */
interface Means {
  readonly before: number | null;
  readonly after: number | null;
  /** Of those that change. */
  readonly own: number | null;
  /** Of those that do otherwise than before at this instant. */
  readonly moved: number | null;
  readonly inNight: boolean;
}

type States = ReadonlyMap<Night | null, State | null>;

function meansOf(lamps: readonly FloorLamp[], states: States): Means {
  const level = (night: Night | null) => states.get(night)?.level ?? null;
  return {
    before: meanOf(lamps.map(({ before }) => level(before))),
    after: meanOf(lamps.map(({ after }) => level(after))),
    own: meanOf(lamps.filter(({ own }) => own).map(({ after }) => level(after))),
    moved: meanOf(
      lamps.filter(({ own, before, after }) => own && level(before) !== level(after)).map(({ after }) => level(after)),
    ),
    inNight: lamps.some(({ after }) => states.get(after)?.inNight === true),
  };
}

function meanOf(levels: readonly (number | null)[]): number | null {
  const known = levels.filter((level) => level !== null);
  return known.length === 0 || known.length < levels.length
    ? null
    : known.reduce((sum, level) => sum + level, 0) / known.length;
}

/** The mean of neighbours where it is too low on account of the lamps that change, else null. */
function lowOf(window: readonly Means[], floor: number, darker: boolean): number | null {
  if (window.every((one) => one.own === null) || !window.some(({ inNight }) => inNight)) return null;
  const after = meanOf(window.map((one) => one.after));
  // Rounded: three times a third is a whole.
  if (after === null || tenth(after) >= floor) return null;
  const before = meanOf(window.map((one) => one.before));
  const isDarker = before !== null && tenth(after) < tenth(before);
  if (darker) return isDarker ? after : null;
  return isDarker || (meanOf(window.flatMap((one) => one.moved ?? [])) ?? floor) < floor ? after : null;
}

function darkestOwn(
  poles: FloorRow['poles'],
  first: number,
  size: number,
  at: number,
  loose: boolean,
): Pick<BelowFloor, 'pole' | 'lamp' | 'period'> {
  const own = poles.slice(first, first + size).flatMap((lamps, place) =>
    lamps.flatMap((lamp, index) => {
      const state = lamp.own && lamp.after ? stateAt(lamp.after, at, loose) : null;
      return state ? [{ pole: first + place, lamp: index, period: state.period, level: state.level ?? 0 }] : [];
    }),
  );
  const darkest = own.reduce((low, one) => (one.level < low.level ? one : low), own[0] ?? nowhere);
  return { pole: darkest.pole, lamp: darkest.lamp, period: darkest.period };
}
const nowhere = { pole: 0, lamp: 0, period: null, level: 0 };
