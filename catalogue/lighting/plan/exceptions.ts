import { planLimits } from '../limits.ts';
import { lightingDayOf, type SunPlace } from '../sun.ts';
import type { Day } from '../zone.ts';
import { minuteOf } from './clock.ts';
import { clockOfNight, frameOf } from './night-frame.ts';
import { resolveNight } from './night.ts';
import { litByPattern } from './pattern.ts';
import type { Anchor, LampPlan, LampRole, Night, Period, Programme, Span, Switching } from './programme.ts';
import { clockOf } from './table.ts';

/**
 * Exceptions of a plan: for some lighting days, or between two instants, a lamp has another level or programme. A device
 * knows no exceptions, so each lighting day that one touches gets a programme of its own, with the exception in it.
 */

export const exceptionOperations = ['set', 'min', 'max'] as const;
export type ExceptionOperation = (typeof exceptionOperations)[number];

/** A level in percent, or another programme (of lighting days only). */
export type ExceptionEffect =
  | { readonly op: ExceptionOperation; readonly level: number }
  | { readonly programme: Programme };

/** An exception as it holds for one lamp; epoch ms, whole minutes. */
export interface PlanException extends Span {
  /** Of lighting days: it changes the light between on and off alone. */
  readonly nightOnly: boolean;
  readonly effect: ExceptionEffect;
}

export interface ExceptedDay<One> {
  readonly programme: Programme;
  /** Exceptions that do not fit: with them the programme would have more periods than devices take. */
  readonly left: readonly One[];
}

type Where = Pick<LampPlan, 'place' | 'role'>;

/** The exceptions that touch a lighting day. */
export const exceptionsOn = <One extends Span>(place: SunPlace, exceptions: readonly One[], day: Day): One[] => {
  if (exceptions.length === 0) return [];
  const noons = lightingDayOf(place, day);
  return exceptions.filter(({ from, to }) => from < noons.to && to > noons.from && from < to);
};

/** The programme of a lighting day with the exceptions that touch it, each upon those before it. */
export function exceptedProgramme<One extends PlanException>(
  where: Where,
  exceptions: readonly One[],
  day: Day,
  usual: Programme,
): ExceptedDay<One> {
  let programme = usual;
  const left: One[] = [];
  for (const one of exceptionsOn(where.place, exceptions, day)) {
    const next = withException(where, one, day, programme);
    if (next.periods.length > planLimits.periods.max) left.push(one);
    else programme = next;
  }
  return { programme, left };
}

/** What an operation makes of a level, percent. */
export const excepted = (op: ExceptionOperation, level: number, below: number): number =>
  op === 'set' ? level : op === 'min' ? Math.min(below, level) : Math.max(below, level);

function withException(where: Where, one: PlanException, day: Day, programme: Programme): Programme {
  const noons = lightingDayOf(where.place, day);
  if (one.nightOnly && one.from <= noons.from && one.to >= noons.to)
    return wholeNight(where.role, one.effect, day, programme);
  return partOfDay(where, one, day, programme);
}

function wholeNight(role: LampRole, effect: ExceptionEffect, day: Day, programme: Programme): Programme {
  if ('programme' in effect) return effect.programme;
  const { op, level } = effect;
  if (op === 'set') return { ...programme, periods: [{ start: 'on', level, pattern: 'all', rampSeconds: 0 }] };
  return {
    ...programme,
    periods: programme.periods.map((period) => {
      // A lamp that the pattern leaves dark is raised from 0; lowered it stays dark.
      const below = op === 'max' && !litByPattern(period.pattern, role, day) ? 0 : period.level;
      return { ...period, level: excepted(op, level, below), ...(op === 'max' ? { pattern: 'all' } : {}) };
    }),
  };
}

/** A stretch of one level, and the anchor of its beginning in the programme that it comes from; null: the clock. */
interface Piece extends Span {
  readonly level: number;
  readonly start: Anchor | Switching | 'on' | null;
  readonly rampSeconds: number;
}

/** The programme whose night is that of `programme`, and of the exception from its beginning to its end. */
function partOfDay(where: Where, one: PlanException, day: Day, programme: Programme): Programme {
  const { place, role } = where;
  const noons = lightingDayOf(place, day);
  const window: Span = { from: Math.max(one.from, noons.from), to: Math.min(one.to, noons.to) };
  const usual = { programme, night: resolveNight(programme, place, day, role) };
  const other =
    'programme' in one.effect
      ? { programme: one.effect.programme, night: resolveNight(one.effect.programme, place, day, role) }
      : usual;
  const levelOf = (inside: boolean, at: number): number => {
    const { night } = inside ? other : usual;
    const level = levelIn(night, at);
    if (!inside || 'programme' in one.effect) return level;
    return one.nightOnly && !isNight(night, at) ? 0 : excepted(one.effect.op, one.effect.level, level);
  };
  const instants = [...usual.night.steps, ...other.night.steps].map(({ at }) => at).concat(window.from, window.to);
  const pieces: Piece[] = [];
  for (const at of [...new Set(instants)].toSorted((a, b) => a - b)) {
    const inside = window.from <= at && at < window.to;
    const level = levelOf(inside, at);
    const before = pieces.at(-1);
    if (before) pieces[pieces.length - 1] = { ...before, to: at };
    if (before?.level === level) continue;
    pieces.push({ from: at, to: Number.POSITIVE_INFINITY, level, ...startIn(inside ? other : usual, at) });
  }
  return programmeOf({ place, day, usual }, pieces);
}

interface Resolved {
  readonly programme: Programme;
  readonly night: Night;
}

const isNight = ({ on, off }: Night, at: number): boolean => on !== null && off !== null && on <= at && at < off;
const levelIn = ({ steps }: Night, at: number): number => steps.findLast((step) => step.at <= at)?.level ?? 0;

/** How the programme says when its step at this instant begins. */
function startIn({ programme, night }: Resolved, at: number): Pick<Piece, 'start' | 'rampSeconds'> {
  const step = night.steps.find((one) => one.at === at);
  if (!step) return { start: null, rampSeconds: 0 };
  const { rampSeconds } = step;
  if (at === night.on) return { start: programme.on, rampSeconds };
  if (at === night.off) return { start: programme.off, rampSeconds };
  const start = programme.periods[step.period ?? -1]?.start ?? null;
  // The middle is that of another on and off now.
  const isKept = start !== null && start !== 'on' && start.at !== 'middle';
  return { start: isKept ? start : null, rampSeconds };
}

interface Frame {
  readonly place: SunPlace;
  readonly day: Day;
  readonly usual: Resolved;
}

function programmeOf({ place, day, usual }: Frame, pieces: readonly Piece[]): Programme {
  const { on, off } = usual.night;
  const lit = pieces.filter(({ level }) => level > 0);
  const first = lit[0];
  const last = lit.at(-1);
  const dark: Period = { start: 'on', level: 0, pattern: 'all', rampSeconds: 0 };
  if (!first || !last) return { ...usual.programme, periods: [dark] };
  // Loops have power from on to off: a night is not made shorter, only longer.
  const begin = Math.min(on ?? first.from, first.from);
  const end = Math.max(off ?? last.to, last.to);
  const clock = (at: number): Anchor => clockAnchor(place, day, at);
  const switching = (at: number, own: Switching, wasAt: number | null): Switching => {
    if (at === wasAt) return own;
    const start = pieces.find(({ from }) => from === at)?.start ?? null;
    if (start !== null && start !== 'on' && isSwitching(start)) return start;
    return { ...clock(at), notBefore: null, notAfter: null, light: null };
  };
  const inside = pieces.filter((piece) => piece.to > begin && piece.from < end && piece.from >= begin);
  const periods = inside.map(({ from, level, start, rampSeconds }): Period => ({
    start: from === begin ? 'on' : (anchorOf(start) ?? clock(from)),
    level,
    pattern: 'all',
    rampSeconds,
  }));
  return {
    on: switching(begin, usual.programme.on, on),
    off: switching(end, usual.programme.off, off),
    // From its on-time to a first piece that begins later the night is dark.
    periods: periods[0]?.start === 'on' ? periods : [dark, ...periods],
    // What is too short was left out of the nights that it comes from.
    minimumMinutes: 0,
  };
}

const isSwitching = (start: Anchor | Switching): start is Switching => 'notBefore' in start;

/** A beginning as the anchor of a period; null: it has none, or bounds that periods do not have. */
function anchorOf(start: Piece['start']): Anchor | null {
  if (start === null || start === 'on') return null;
  const { at, offsetMinutes } = start;
  const bounds = isSwitching(start) ? [start.light, start.notBefore, start.notAfter] : [];
  return bounds.some((bound) => bound !== null) ? null : { at, offsetMinutes };
}

/** A wall-clock time of the night at an instant, to the minute; the second of two equal ones by minutes added. */
function clockAnchor(place: SunPlace, day: Day, at: number): Anchor {
  const { at: clock, offsetMinutes } = clockOf(place, day, at);
  const named = clockOfNight(place, frameOf(place, day), minuteOf(clock)) + offsetMinutes * 60_000;
  return { at: clock, offsetMinutes: offsetMinutes + Math.round((at - named) / 60_000) };
}
