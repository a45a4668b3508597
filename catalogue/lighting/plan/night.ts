import { clockAt, sunDay, type SunPlace } from '../sun.ts';
import { addDays, clockChange, type Day } from '../zone.ts';
import { minuteOf } from './clock.ts';
import { litByPattern } from './pattern.ts';
import {
  noRole,
  type Anchor,
  type LampRole,
  type Night,
  type NightStep,
  type NightWarning,
  type Pattern,
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

/** A step before neighbours are joined. `dark`: the pattern keeps this lamp dark while others burn. */
interface Draft extends NightStep {
  readonly dark: boolean;
}

interface Asked {
  readonly place: SunPlace;
  readonly day: Day;
  readonly warnings: NightWarning[];
}

/** The night whose evening is on `day`, as a lamp of this role runs the programme at this place. */
export function resolveNight(programme: Programme, place: SunPlace, day: Day, role: LampRole = noRole): Night {
  const asked: Asked = { place, day, warnings: [] };
  const on = switchingAt(asked, programme.on, 'on');
  const off = switchingAt(asked, programme.off, 'off');
  if (on === null || off === null) return darkNight(asked, 'polarDay');
  if (on >= off) return darkNight(asked, 'neverDark');
  const drafts = draftsOf(asked, startsOf(asked, programme.periods, on, off), on, role);
  keepLit(asked, drafts, off);
  keepDark(asked, drafts, { from: on, to: off }, programme.minimumMinutes * minuteMs);
  return {
    day,
    on,
    off,
    steps: [...joined(drafts), { at: off, level: 0, pattern: 'all', period: null, rampSeconds: 0 }],
    lit: spansOf(drafts, off, ({ level }) => level > 0),
    plannedDark: spansOf(drafts, off, ({ dark }) => dark),
    warnings: asked.warnings,
  };
}

function darkNight({ day, warnings }: Asked, code: NightWarning['code']): Night {
  warn(warnings, code, null);
  return { day, on: null, off: null, steps: [], lit: [], plannedDark: [], warnings };
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
function withoutEvent({ place, day, warnings }: Asked, { at }: Switching, which: 'on' | 'off'): number | null {
  const sunOfDay = at === 'sunset' || at === 'dusk' ? day : addDays(day, 1);
  if (sunDay(place, sunOfDay).stays !== 'down') return null;
  warn(warnings, 'polarNight', null);
  return clockAt(place, which === 'on' ? day : addDays(day, 1), noon);
}

/** The instant of an anchor that needs no other instant of the night; null: its event does not happen. */
function anchorAt(asked: Asked, { at, offsetMinutes }: Anchor, period: number | null): number | null {
  const event = isAstronomical(at) ? eventAt(asked, at) : wallTime(asked, at, period);
  return event === null ? null : event + offsetMinutes * minuteMs;
}

type SunEvent = 'sunset' | 'sunrise' | 'dusk' | 'dawn';
const isAstronomical = (at: string): at is SunEvent =>
  at === 'sunset' || at === 'sunrise' || at === 'dusk' || at === 'dawn';

/** The evening's events are those of its date, the morning's those of the next. */
function eventAt({ place, day }: Asked, event: SunEvent): number | null {
  return event === 'sunset' || event === 'dusk' ? sunDay(place, day)[event] : sunDay(place, addDays(day, 1))[event];
}

/** `HH:MM` from 12:00 on is on the evening's date, before it on the next. */
function wallTime({ place, day, warnings }: Asked, clock: string, period: number | null): number {
  const minute = minuteOf(clock);
  const date = minute >= noon ? day : addDays(day, 1);
  const change = clockChange(date, minute, place.timeZone);
  if (change) warn(warnings, change === 'skipped' ? 'skippedTime' : 'repeatedTime', period);
  return clockAt(place, date, minute);
}

/** The periods of this night in time order: the first holds from `on`. */
function startsOf(asked: Asked, periods: readonly Period[], on: number, off: number): Start[] {
  let first: Start | null = null;
  const later: Start[] = [];
  for (const [index, period] of periods.entries()) {
    const { start } = period;
    const at =
      start === 'on'
        ? Number.NEGATIVE_INFINITY
        : start.at === 'middle'
          ? (on + off) / 2 + start.offsetMinutes * minuteMs
          : anchorAt(asked, start, index);
    const found = { at: at ?? off, astronomical: start !== 'on' && isAstronomical(start.at), index, period };
    if (found.at >= off) warn(asked.warnings, 'periodUnused', index);
    else if (found.at > on) later.push(found);
    else first = first === null ? found : stronger(asked, first, found);
  }
  later.sort((a, b) => a.at - b.at);
  const starts: Start[] = first === null ? [] : [first];
  for (const start of later) {
    const before = starts.at(-1);
    if (before?.at === start.at) starts[starts.length - 1] = stronger(asked, before, start);
    else starts.push(start);
  }
  return starts;
}

/** Which of two periods holds from then on: the later instant, the sun before the clock, the later in the list. */
function stronger({ warnings }: Asked, a: Start, b: Start): Start {
  const isSame = a.at === b.at;
  const winner = isSame
    ? a.astronomical === b.astronomical
      ? a.index > b.index
        ? a
        : b
      : a.astronomical
        ? a
        : b
    : a.at > b.at
      ? a
      : b;
  const loser = winner === a ? b : a;
  // The period that starts `on` gives way without a word: it is written in every programme.
  if (Number.isFinite(loser.at)) warn(warnings, isSame ? 'sameInstant' : 'periodUnused', loser.index);
  return winner;
}

function draftsOf({ day }: Asked, starts: readonly Start[], on: number, role: LampRole): Draft[] {
  const drafts = starts.map(({ at, index, period }): Draft => {
    const { pattern, rampSeconds } = period;
    const isLit = litByPattern(pattern, role, day);
    const level = isLit ? heldLevel(period.level, role) : 0;
    return {
      at: Math.max(at, on),
      level,
      pattern,
      period: index,
      rampSeconds,
      dark: !isLit && period.level > 0,
    };
  });
  const isLate = (drafts[0]?.at ?? Number.POSITIVE_INFINITY) > on;
  return isLate ? [{ at: on, level: 0, pattern: 'all', period: null, rampSeconds: 0, dark: false }, ...drafts] : drafts;
}

/** What the driver makes of a level: 0 stays 0, all else is at least its lowest level. */
const heldLevel = (level: number, { minLevel }: LampRole): number =>
  level <= 0 ? 0 : Math.min(100, Math.max(1, level, minLevel));

/** Closes dark stretches inside the night that are too short: the level before them goes on. */
function keepLit({ warnings }: Asked, drafts: Draft[], off: number): void {
  for (const dark of runsOf(drafts, off, ({ level }) => level > 0)) {
    const before = drafts[dark.first - 1];
    if (dark.lit || !before || dark.last === drafts.length - 1 || dark.to - dark.from >= shortestDarkMs) continue;
    for (let index = dark.first; index <= dark.last; index++) {
      const draft = drafts[index];
      if (!draft) continue;
      if (index === dark.first) warn(warnings, 'darkTooShort', draft.period);
      drafts[index] = { ...before, at: draft.at };
    }
  }
}

/** Leaves lit stretches dark that touch an end of the night and are too short. */
function keepDark({ warnings }: Asked, drafts: Draft[], night: Span, minimumMs: number): void {
  for (const run of runsOf(drafts, night.to, ({ level }) => level > 0)) {
    if (!run.lit || (run.from !== night.from && run.to !== night.to) || run.to - run.from >= minimumMs) continue;
    for (let index = run.first; index <= run.last; index++) {
      const draft = drafts[index];
      if (!draft) continue;
      if (index === run.first) warn(warnings, 'minimumBurning', draft.period);
      drafts[index] = { ...draft, level: 0 };
    }
  }
}

interface Run extends Span {
  readonly lit: boolean;
  readonly first: number;
  readonly last: number;
}

/** Neighbouring drafts that agree, up to `off`. */
function runsOf(drafts: readonly Draft[], off: number, agrees: (draft: Draft) => boolean): Run[] {
  const runs: Run[] = [];
  for (const [index, draft] of drafts.entries()) {
    const lit = agrees(draft);
    const to = drafts[index + 1]?.at ?? off;
    const last = runs.at(-1);
    if (last?.lit === lit) runs[runs.length - 1] = { ...last, to, last: index };
    else runs.push({ lit, first: index, last: index, from: draft.at, to });
  }
  return runs;
}

const spansOf = (drafts: readonly Draft[], off: number, agrees: (draft: Draft) => boolean): Span[] =>
  runsOf(drafts, off, agrees)
    .filter(({ lit }) => lit)
    .map(({ from, to }) => ({ from, to }));

/** Steps without those that change neither level nor pattern. */
function joined(drafts: readonly Draft[]): NightStep[] {
  const steps: NightStep[] = [];
  let before: { readonly level: number; readonly pattern: Pattern } | undefined;
  for (const { dark: _, ...step } of drafts) {
    if (before?.level === step.level && before.pattern === step.pattern) continue;
    steps.push(step);
    before = step;
  }
  return steps;
}

/** Each warning once. */
function warn(warnings: NightWarning[], code: NightWarning['code'], period: number | null): void {
  if (!warnings.some((one) => one.code === code && one.period === period)) warnings.push({ code, period });
}
