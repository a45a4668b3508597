import { clockAt, type SunPlace } from '../sun.ts';
import type { Day } from '../zone.ts';
import { minuteOf } from './clock.ts';
import { changeOfNight, clockOfNight, frameOf, type NightFrame } from './night-frame.ts';
import { litByPattern } from './pattern.ts';
import {
  noRole,
  type Anchor,
  type LampRole,
  type Night,
  type NightStep,
  type NightWarning,
  type Period,
  type Programme,
  type Span,
  type Switching,
} from './programme.ts';

/**
 * One night of one lamp. Rules, in this order: the night lasts from on to off and nothing burns outside it; the latest
 * period that starts before it gives its first level; a pattern, the driver and the shortest stretches decide what this
 * lamp makes of it.
 */

const minuteMs = 60_000;
const noon = 12 * 60;
/** A dark stretch between two lit ones that is shorter is not made: relays and eyes gain nothing. */
const shortestDarkMs = 5 * minuteMs;

/** What a programme asks of the whole row from an instant on. */
interface Start {
  readonly at: number;
  readonly astronomical: boolean;
  readonly index: number;
  readonly period: Period;
}

interface Asked {
  readonly place: SunPlace;
  readonly frame: NightFrame;
  readonly warnings: NightWarning[];
}

/** The night whose evening is on `day`, as a lamp of this role runs the programme at this place. */
export function resolveNight(programme: Programme, place: SunPlace, day: Day, role: LampRole = noRole): Night {
  const asked: Asked = { place, frame: frameOf(place, day), warnings: [] };
  const on = switchingAt(asked, programme.on, 'on');
  const off = switchingAt(asked, programme.off, 'off');
  if (on === null || off === null) return darkNight(asked, 'polarDay');
  if (on >= off) return darkNight(asked, 'neverDark');
  const starts = startsOf(asked, programme.periods, on, off);
  const drafts = draftsOf(starts, on, role, day);
  const minimumMs = programme.minimumMinutes * minuteMs;
  // Most nights are lit from end to end.
  const isPlain = off - on >= minimumMs && drafts.every(({ level }) => level > 0);
  if (!isPlain) {
    keepLit(asked, drafts, off);
    keepDark(asked, drafts, { from: on, to: off }, minimumMs);
  }
  return {
    day,
    on,
    off,
    steps: joined(drafts, off),
    lit: isPlain ? [{ from: on, to: off }] : litOf(drafts, off),
    plannedDark: isPlain ? [] : plannedDarkOf(drafts, programme.periods, role, off, day),
    warnings: asked.warnings,
  };
}

function darkNight({ frame, warnings }: Asked, code: NightWarning['code']): Night {
  warn(warnings, code, null);
  return { day: frame.day, on: null, off: null, steps: [], lit: [], plannedDark: [], warnings };
}

/** On or off; null: the sun stays up, there is no night. */
function switchingAt(asked: Asked, switching: Switching, which: 'on' | 'off'): number | null {
  const at = anchorAt(asked, switching, null) ?? withoutEvent(asked, switching, which);
  if (at === null) return null;
  const { notBefore, notAfter } = switching;
  const least = notBefore === null ? at : Math.max(at, wallTime(asked, notBefore, null));
  return notAfter === null ? least : Math.min(least, wallTime(asked, notAfter, null));
}

/** Where the sun does not cross the height of the anchor: noon where it stays below, no night where it stays above. */
function withoutEvent({ place, frame, warnings }: Asked, { at }: Switching, which: 'on' | 'off'): number | null {
  const sun = at === 'sunset' || at === 'dusk' ? frame.evening : frame.morning;
  if (sun.stays !== 'down') return null;
  warn(warnings, 'polarNight', null);
  return clockAt(place, which === 'on' ? frame.day : frame.nextDay, noon);
}

const isAstronomical = (at: string): boolean => at === 'sunset' || at === 'sunrise' || at === 'dusk' || at === 'dawn';

/**
 * The instant of an anchor that needs no other instant of the night; null: its event does not happen. The evening's
 * events are those of its date, the morning's those of the next.
 */
function anchorAt(asked: Asked, { at, offsetMinutes }: Anchor, period: number | null): number | null {
  const { evening, morning } = asked.frame;
  const event =
    at === 'sunset'
      ? evening.sunset
      : at === 'sunrise'
        ? morning.sunrise
        : at === 'dusk'
          ? evening.dusk
          : at === 'dawn'
            ? morning.dawn
            : wallTime(asked, at, period);
  return event === null ? null : event + offsetMinutes * minuteMs;
}

/** `HH:MM` from 12:00 on is on the evening's date, before it on the next. */
function wallTime({ place, frame, warnings }: Asked, clock: string, period: number | null): number {
  const minute = minuteOf(clock);
  const change = changeOfNight(place, frame, minute);
  if (change) warn(warnings, change === 'skipped' ? 'skippedTime' : 'repeatedTime', period);
  return clockOfNight(place, frame, minute);
}

/** The periods of this night in time order: the first holds from `on`. */
function startsOf(asked: Asked, periods: readonly Period[], on: number, off: number): Start[] {
  let first: Start | null = null;
  const later: Start[] = [];
  let isAscending = true;
  for (let index = 0; index < periods.length; index += 1) {
    const period = periods[index] as Period;
    const { start } = period;
    const at =
      start === 'on'
        ? Number.NEGATIVE_INFINITY
        : start.at === 'middle'
          ? (on + off) / 2 + start.offsetMinutes * minuteMs
          : anchorAt(asked, start, index);
    if (at === null || at >= off) {
      warn(asked.warnings, 'periodUnused', index);
      continue;
    }
    const found: Start = { at, astronomical: start !== 'on' && isAstronomical(start.at), index, period };
    if (at <= on) first = first === null ? found : stronger(asked, first, found);
    else {
      isAscending &&= at > (later.at(-1)?.at ?? Number.NEGATIVE_INFINITY);
      later.push(found);
    }
  }
  const starts: Start[] = first === null ? later : [first, ...later];
  return isAscending ? starts : inOrder(asked, starts);
}

function inOrder(asked: Asked, starts: readonly Start[]): Start[] {
  const ordered: Start[] = [];
  for (const start of starts.toSorted((a, b) => a.at - b.at)) {
    const before = ordered.at(-1);
    if (before?.at === start.at) ordered[ordered.length - 1] = stronger(asked, before, start);
    else ordered.push(start);
  }
  return ordered;
}

/** Which of two periods holds from then on: the later instant, the sun before the clock, the later in the list. */
function stronger({ warnings }: Asked, a: Start, b: Start): Start {
  const isSame = a.at === b.at;
  const isFirst = isSame ? (a.astronomical === b.astronomical ? a.index > b.index : a.astronomical) : a.at > b.at;
  const loser = isFirst ? b : a;
  // The period that starts `on` gives way without a word: it is written in every programme.
  if (Number.isFinite(loser.at)) warn(warnings, isSame ? 'sameInstant' : 'periodUnused', loser.index);
  return isFirst ? a : b;
}

/** A step before neighbours are joined. */
type Draft = NightStep;

const darkFrom = (at: number): Draft => ({ at, level: 0, pattern: 'all', period: null, rampSeconds: 0 });

function draftsOf(starts: readonly Start[], on: number, role: LampRole, day: Day): Draft[] {
  const drafts: Draft[] = [];
  const first = starts[0];
  // Without a period that starts `on` the night begins dark.
  if (!first || first.at > on) drafts.push(darkFrom(on));
  for (const { at, index, period } of starts) {
    const { pattern, rampSeconds } = period;
    const level = litByPattern(pattern, role, day) ? heldLevel(period.level, role.minLevel) : 0;
    drafts.push({ at: at > on ? at : on, level, pattern, period: index, rampSeconds });
  }
  return drafts;
}

/** What the driver makes of a level: 0 stays 0, all else is at least its lowest level. */
const heldLevel = (level: number, minLevel: number): number =>
  level <= 0 ? 0 : Math.min(100, Math.max(1, level, minLevel));

/** Closes dark stretches inside the night that are too short: the level before them goes on. */
function keepLit({ warnings }: Asked, drafts: Draft[], off: number): void {
  for (const run of runsOf(drafts, off)) {
    const before = drafts[run.first - 1];
    if (run.lit || !before || run.last === drafts.length - 1 || run.to - run.from >= shortestDarkMs) continue;
    warn(warnings, 'darkTooShort', drafts[run.first]?.period ?? null);
    for (let index = run.first; index <= run.last; index += 1)
      drafts[index] = { ...before, at: (drafts[index] as Draft).at };
  }
}

/** Leaves lit stretches dark that touch an end of the night and are too short. */
function keepDark({ warnings }: Asked, drafts: Draft[], night: Span, minimumMs: number): void {
  for (const run of runsOf(drafts, night.to)) {
    if (!run.lit || (run.from !== night.from && run.to !== night.to) || run.to - run.from >= minimumMs) continue;
    warn(warnings, 'minimumBurning', drafts[run.first]?.period ?? null);
    for (let index = run.first; index <= run.last; index += 1)
      drafts[index] = { ...(drafts[index] as Draft), level: 0 };
  }
}

interface Run extends Span {
  readonly lit: boolean;
  readonly first: number;
  readonly last: number;
}

/** Neighbouring drafts with light, or without, up to `off`. */
function runsOf(drafts: readonly Draft[], off: number): Run[] {
  const runs: Run[] = [];
  let first = 0;
  for (let index = 1; index <= drafts.length; index += 1) {
    const begin = drafts[first] as Draft;
    const next = drafts[index];
    if (next && next.level > 0 === begin.level > 0) continue;
    runs.push({ lit: begin.level > 0, first, last: index - 1, from: begin.at, to: next?.at ?? off });
    first = index;
  }
  return runs;
}

const litOf = (drafts: readonly Draft[], off: number): Span[] =>
  runsOf(drafts, off).flatMap(({ lit, from, to }) => (lit ? [{ from, to }] : []));

/** Where the pattern, and nothing else, keeps this lamp dark. */
function plannedDarkOf(
  drafts: readonly Draft[],
  periods: readonly Period[],
  role: LampRole,
  off: number,
  day: Day,
): Span[] {
  const spans: Span[] = [];
  for (const [index, { at, level, pattern, period }] of drafts.entries()) {
    const asked = period === null ? 0 : (periods[period]?.level ?? 0);
    if (level > 0 || asked <= 0 || litByPattern(pattern, role, day)) continue;
    const to = drafts[index + 1]?.at ?? off;
    const before = spans.at(-1);
    if (before?.to === at) spans[spans.length - 1] = { from: before.from, to };
    else spans.push({ from: at, to });
  }
  return spans;
}

/** Steps without those that change neither level nor pattern, and the end. */
function joined(drafts: readonly Draft[], off: number): NightStep[] {
  const steps: NightStep[] = [];
  let before: NightStep | null = null;
  for (const draft of drafts) {
    if (before !== null && before.level === draft.level && before.pattern === draft.pattern) continue;
    steps.push(draft);
    before = draft;
  }
  steps.push(darkFrom(off));
  return steps;
}

/** Each warning once. */
function warn(warnings: NightWarning[], code: NightWarning['code'], period: number | null): void {
  if (!warnings.some((one) => one.code === code && one.period === period)) warnings.push({ code, period });
}
