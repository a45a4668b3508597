import { lightingDay } from '../sun.ts';
import { addDays, type Day } from '../zone.ts';
import { resolveNight } from './night.ts';
import type { LampPlan, Night, Span } from './programme.ts';

/**
 * What a lamp does by its plan at any instant. Nights follow each other; where an offset makes two overlap, the later
 * one holds from its beginning.
 */

/**
 * A manual state: the level and the instant (epoch ms) at which the lamp itself ends it; null: it never ends by itself.
 */
export interface ManualState {
  readonly level: number;
  readonly until: number | null;
}

export interface Switch {
  readonly at: number;
  readonly to: 'on' | 'off';
}

/** The stretches of neighbouring nights, `first` and `last` among them. */
interface Row {
  readonly first: Day;
  readonly last: Day;
  readonly stretches: readonly Stretch[];
}

interface Memory {
  readonly nights: Map<Day, Night>;
  /** Asked for last, the latest first: thousands of lamps with one plan are asked for the same nights. */
  rows: readonly Row[];
  /** The stretch asked last: its level holds from `from` to `to`. */
  from: number;
  to: number;
  level: number;
}

/** Nights of one plan that are kept, some 600 bytes each: a judgement looks at nine. */
const mostNights = 12;
/** Rows of nights of one plan that are kept, of at most so many stretches: two kilobytes each. */
const [mostRows, mostStretches] = [2, 40];
/** How far ahead a change is looked for, nights. */
const nightsAhead = 3;

const memories = new WeakMap<LampPlan, Memory>();

function memoryOf(plan: LampPlan): Memory {
  let memory = memories.get(plan);
  if (!memory) {
    memory = { nights: new Map(), rows: [], from: Number.POSITIVE_INFINITY, to: Number.NEGATIVE_INFINITY, level: 0 };
    memories.set(plan, memory);
  }
  return memory;
}

/** The night of a plan whose evening is on `day`. Kept with the plan's object. */
export function nightOf(plan: LampPlan, day: Day): Night {
  const { nights } = memoryOf(plan);
  let night = nights.get(day);
  if (!night) {
    night = resolveNight(plan.programmeOn(day), plan.place, day, plan.role);
    if (nights.size >= mostNights) nights.clear();
    nights.set(day, night);
  }
  return night;
}

/** One level of a plan, from an instant up to another. */
export interface Stretch extends Span {
  readonly level: number;
}

/** What a plan asks for in the nights around and between two instants, without a gap; neighbours differ in level. */
function stretchesBetween(plan: LampPlan, from: number, to: number): readonly Stretch[] {
  // An offset or a wall-clock time moves a night by hours: into the neighbouring lighting day, never beyond it.
  const last = addDays(lightingDay(plan.place, to).day, 1);
  const first = addDays(lightingDay(plan.place, from).day, -1);
  const memory = memoryOf(plan);
  const known = memory.rows.find((row) => row.first === first && row.last === last);
  if (known) return known.stretches;
  const stretches = stretchesOf(plan, first, last);
  if (stretches.length <= mostStretches)
    memory.rows = [{ first, last, stretches }, ...memory.rows.slice(0, mostRows - 1)];
  return stretches;
}

function stretchesOf(plan: LampPlan, first: Day, last: Day): Stretch[] {
  const stretches: Stretch[] = [];
  const add = (at: number, level: number, end: number) => {
    const before = stretches.at(-1);
    if (at >= end) return;
    if (before?.level === level && before.to === at) stretches[stretches.length - 1] = { ...before, to: end };
    else stretches.push({ from: at, to: end, level });
  };
  let reached = Number.NEGATIVE_INFINITY;
  for (let day = first; day <= last; day = addDays(day, 1)) {
    const { on, steps } = nightOf(plan, day);
    if (on === null) continue;
    const end =
      day === last ? Number.POSITIVE_INFINITY : (nightOf(plan, addDays(day, 1)).on ?? Number.POSITIVE_INFINITY);
    if (on > reached) add(reached, 0, on);
    for (const [index, step] of steps.entries()) {
      const next = steps[index + 1];
      if (!next) continue;
      add(Math.max(step.at, reached), step.level, Math.min(next.at, end));
      reached = Math.max(reached, Math.min(next.at, end));
    }
  }
  add(reached, 0, Number.POSITIVE_INFINITY);
  return stretches;
}

/** The level in percent that a plan asks for at an instant; 0 outside its nights. */
export function levelAt(plan: LampPlan, at: number): number {
  const memory = memoryOf(plan);
  if (at >= memory.from && at < memory.to) return memory.level;
  const stretch = stretchesBetween(plan, at, at).find(({ to }) => at < to);
  const window = lightingDay(plan.place, at);
  // Beyond its own lighting day a stretch is cut: the nights after it were not looked at.
  memory.from = Math.max(stretch?.from ?? at, window.from);
  memory.to = Math.min(stretch?.to ?? at, window.to);
  memory.level = stretch?.level ?? 0;
  return memory.level;
}

const isInForce = ({ until }: ManualState, at: number): boolean => until === null || at < until;

/**
 * When the level in force next changes by itself: by the plan or by the end of the manual state; null: not within three
 * nights.
 */
export function nextChange(plan: LampPlan, at: number, manual?: ManualState | null): number | null {
  if (manual && isInForce(manual, at)) return manual.until;
  return stretchesAfter(plan, at)[0]?.from ?? null;
}

/** The next instant at which a plan turns the lamp on or off; null: not within three nights (polar day and night). */
export function nextSwitch(plan: LampPlan, at: number): Switch | null {
  const isLit = levelAt(plan, at) > 0;
  const next = stretchesAfter(plan, at).find(({ level }) => level > 0 !== isLit);
  return next ? { at: next.from, to: isLit ? 'off' : 'on' } : null;
}

function stretchesAfter(plan: LampPlan, at: number): Stretch[] {
  const until = at + nightsAhead * 86_400_000;
  return stretchesBetween(plan, at, until).filter(({ from }) => from > at && from <= until);
}

/** The stretches with light between two instants, ascending; cut at both. */
export function litBetween(plan: LampPlan, from: number, to: number): Span[] {
  const lit: Span[] = [];
  for (const { from: start, to: end, level } of levelsBetween(plan, from, to)) {
    const before = lit.at(-1);
    if (level <= 0) continue;
    if (before?.to === start) lit[lit.length - 1] = { from: before.from, to: end };
    else lit.push({ from: start, to: end });
  }
  return lit;
}

/** The levels that a plan asks for between two instants, ascending and without a gap; cut at both. */
export function levelsBetween(plan: LampPlan, from: number, to: number): Stretch[] {
  const levels: Stretch[] = [];
  for (const stretch of stretchesBetween(plan, from, to))
    if (stretch.to > from && stretch.from < to)
      levels.push({
        from: Math.max(from, stretch.from),
        to: Math.min(to, stretch.to),
        level: stretch.level,
      });
  return levels;
}

/** The first on and the last off of a night, for people; null without light. Whatever judges goes by `Night.lit`. */
export function switchTimes(plan: LampPlan, day: Day): { readonly onAt: number | null; readonly offAt: number | null } {
  const { lit } = nightOf(plan, day);
  return { onAt: lit[0]?.from ?? null, offAt: lit.at(-1)?.to ?? null };
}
