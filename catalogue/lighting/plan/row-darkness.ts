import { addDays, dayNumber, type Day } from '../zone.ts';
import { resolveNight } from './night.ts';
import type { Night, Programme } from './programme.ts';
import type { YearInput, YearRow } from './year-input.ts';
import { programmeOfDay } from './year-nights.ts';

/**
 * More than two neighbours of a row dark while others of it burn. Patterns of one plan leave at most two dark; where
 * lamps of one row follow different plans, nobody has looked at them together.
 */

/** The most neighbours that patterns leave dark. */
const mostDark = 2;
/** Plans that differ by some minutes at dusk and dawn leave no dark road, ms. */
const shortestMs = 30 * 60_000;

type OrderedRow = Pick<YearRow, 'lamps' | 'positions'>;

export interface RowDarkness {
  /** Nights of the span, and the first. */
  readonly nights: number;
  readonly first: Day;
  /** As the caller calls the lamps. */
  readonly lamps: readonly number[];
}

/** Null: no such night, or one plan alone. */
export function darkOfRow(row: YearRow, side: 'a' | 'b', input: YearInput): RowDarkness | null {
  const plans = row.classes.map((one) => input.classes[one]?.[side] ?? 0);
  const tracks = new Set(plans.map((plan) => input.plans[plan]?.track));
  if (tracks.size < 2) return null;
  const distinct = [...new Set(plans)];
  const found = { nights: 0, first: '', lamps: new Set<number>() };
  // Nights with the same programmes and the same place of every pattern are alike but for the sun.
  for (const { day, index, nights } of kindsOfNights(distinct, input)) {
    const dark = darkLamps(row, plans, nightsOf(distinct, input, day, index));
    if (dark.length === 0) continue;
    if (found.nights === 0 || day < found.first) found.first = day;
    found.nights += nights;
    for (const lamp of dark) found.lamps.add(lamp);
  }
  return found.nights === 0 ? null : { nights: found.nights, first: found.first, lamps: [...found.lamps] };
}

interface KindOfNight {
  readonly day: Day;
  readonly index: number;
  nights: number;
}

function kindsOfNights(plans: readonly number[], { from, days, tracks, ...input }: YearInput): KindOfNight[] {
  const kinds = new Map<string, KindOfNight>();
  const used = plans.flatMap((plan) => input.plans[plan] ?? []);
  const rotates = (rotation: string) => used.some(({ role }) => role.position !== null && role.rotation === rotation);
  const [nightly, weekly] = [rotates('nightly'), rotates('weekly')];
  for (let index = 0; index < days; index += 1) {
    const day = addDays(from, index);
    const number = dayNumber(day);
    const parts: number[] = used.map(({ track }) => tracks[track]?.byDay[index + 1] ?? 0);
    if (nightly) parts.push(number % 6);
    if (weekly) parts.push(Math.floor(number / 7) % 6);
    const key = parts.join();
    const known = kinds.get(key);
    if (known) known.nights += 1;
    else kinds.set(key, { day, index, nights: 1 });
  }
  return [...kinds.values()];
}

function nightsOf(plans: readonly number[], input: YearInput, day: Day, index: number): ReadonlyMap<number, Night> {
  const nights = new Map<number, Night>();
  for (const plan of plans) {
    const one = input.plans[plan];
    const place = one && input.places[one.place];
    const track = one && input.tracks[one.track];
    if (!one || !place || !track) continue;
    const programme: Programme = programmeOfDay(track, index);
    nights.set(plan, resolveNight(programme, place, day, one.role));
  }
  return nights;
}

/** Lamps that stand in a run of too many dark poles at any time of the night; `plans`: what each follows. */
export function darkLamps(row: OrderedRow, plans: readonly number[], nights: ReadonlyMap<number, Night>): number[] {
  const instants = [...new Set([...nights.values()].flatMap(({ steps }) => steps.map(({ at }) => at)))].toSorted(
    (a, b) => a - b,
  );
  const dark = new Set<number>();
  for (const [place, at] of instants.entries()) {
    const until = instants[place + 1];
    if (until === undefined || until - at < shortestMs) continue;
    const lit = new Set([...nights].flatMap(([plan, night]) => (isLitAt(night, at) ? [plan] : [])));
    if (lit.size === 0 || lit.size === nights.size) continue;
    for (const lamp of runsOfDark(row, plans, lit)) dark.add(lamp);
  }
  return [...dark];
}

const isLitAt = ({ lit }: Night, at: number): boolean => lit.some(({ from, to }) => from <= at && at < to);

function runsOfDark(row: OrderedRow, plans: readonly number[], lit: ReadonlySet<number>): number[] {
  const found: number[] = [];
  let [run, length, last]: [number[], number, number | null] = [[], 0, null];
  const close = () => {
    if (length > mostDark) found.push(...run);
    [run, length] = [[], 0];
  };
  for (let index = 0; index < row.lamps.length;) {
    const position = row.positions[index] ?? 0;
    const pole: number[] = [];
    let isLit = false;
    for (; index < row.lamps.length && row.positions[index] === position; index += 1) {
      pole.push(row.lamps[index] ?? 0);
      isLit ||= lit.has(plans[index] ?? 0);
    }
    // A pole that is not among the lamps asked about may burn.
    if (last !== null && position !== last + 1) close();
    if (isLit) close();
    else {
      run.push(...pole);
      length += 1;
    }
    last = position;
  }
  close();
  return found;
}
