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
  row: FloorRow,
  floor: number,
  { darker = false }: { readonly darker?: boolean } = {},
): BelowFloor | null {
  let lowest: DarkStretch | null = null;
  const poles = new Set<number>();
  for (const stretch of darkStretches(row, floor, darker)) {
    for (const pole of stretch.poles) poles.add(pole);
    if (lowest === null || stretch.level < lowest.level) lowest = stretch;
  }
  if (lowest === null) return null;
  const { level, at } = lowest;
  return { level: tenth(level), at, poles: [...poles], ...darkestOwn(row, lowest) };
}

/** How long a night of three neighbours, or of a lamp of no row, is below the floor, and whose period that is. */
export interface TimeBelowFloor extends Pick<BelowFloor, 'pole' | 'lamp' | 'period'> {
  readonly ms: number;
}

/** The times of a night in which neighbours are below the floor, as `belowFloorOfRow` finds them. */
export function timesBelowFloor(row: FloorRow, floor: number): TimeBelowFloor[] {
  return [...darkStretches(row, floor, false)].map((stretch) => ({
    ms: stretch.until - stretch.at,
    ...darkestOwn(row, stretch),
  }));
}

/** Neighbours that are too dark between two instants at which any lamp changes. */
interface DarkStretch {
  readonly at: number;
  readonly until: number;
  readonly level: number;
  /** The first of the neighbours, and those with lamps that change. */
  readonly first: number;
  readonly poles: readonly number[];
}

const sizeOf = ({ poles, loose }: FloorRow): number => Math.min(loose ? 1 : neighbours, poles.length);

function* darkStretches(row: FloorRow, floor: number, darker: boolean): Generator<DarkStretch> {
  const { poles, loose } = row;
  const nights = new Set(poles.flatMap((lamps) => lamps.flatMap(({ before, after }) => [before, after])));
  const instants = instantsOf(nights);
  const size = sizeOf(row);
  for (const [index, at] of instants.entries()) {
    const until = instants[index + 1];
    if (until === undefined || until - at < shortestMs) continue;
    const states = new Map([...nights].map((night) => [night, night && stateAt(night, at, loose)]));
    const afters = poles.map((lamps) => meanOf(lamps.map(({ after }) => states.get(after)?.level ?? null)));
    for (let first = 0; first + size <= poles.length; first += 1) {
      const after = meanOf(afters.slice(first, first + size));
      // Rounded: three times a third is a whole.
      if (after === null || tenth(after) >= floor) continue;
      const window = poles.slice(first, first + size).map((lamps) => meansOf(lamps, states));
      if (!isDark(window, after, floor, darker)) continue;
      const own = window.flatMap((one, place) => (one.own === null ? [] : [first + place]));
      yield { at, until, level: after, first, poles: own };
    }
  }
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

/** Whether neighbours with a mean that is too low are so on account of the lamps that change. */
function isDark(window: readonly Means[], after: number, floor: number, darker: boolean): boolean {
  if (window.every((one) => one.own === null) || !window.some(({ inNight }) => inNight)) return false;
  const before = meanOf(window.map((one) => one.before));
  const isDarker = before !== null && tenth(after) < tenth(before);
  return isDarker || (!darker && (meanOf(window.flatMap((one) => one.moved ?? [])) ?? floor) < floor);
}

function darkestOwn(row: FloorRow, { first, at }: DarkStretch): Pick<BelowFloor, 'pole' | 'lamp' | 'period'> {
  const own = row.poles.slice(first, first + sizeOf(row)).flatMap((lamps, place) =>
    lamps.flatMap((lamp, index) => {
      const state = lamp.own && lamp.after ? stateAt(lamp.after, at, row.loose) : null;
      return state ? [{ pole: first + place, lamp: index, period: state.period, level: state.level ?? 0 }] : [];
    }),
  );
  const darkest = own.reduce((low, one) => (one.level < low.level ? one : low), own[0] ?? nowhere);
  return { pole: darkest.pole, lamp: darkest.lamp, period: darkest.period };
}
const nowhere = { pole: 0, lamp: 0, period: null, level: 0 };
