import { planLimits } from '../../../../catalogue/lighting/limits.ts';
import { isClock, minuteOf } from '../../../../catalogue/lighting/plan/clock.ts';
import { shareOf, stretchesOf } from '../../../../catalogue/lighting/plan/night-energy.ts';
import { resolveNight } from '../../../../catalogue/lighting/plan/night.ts';
import {
  noRole,
  type Anchor,
  type Night,
  type Period,
  type Programme,
} from '../../../../catalogue/lighting/plan/programme.ts';
import {
  clockAt as instantOfClock,
  lightingDayOf,
  sunDay,
  type SunDay,
  type SunPlace,
} from '../../../../catalogue/lighting/sun.ts';
import { addDays, type Day } from '../../../../catalogue/lighting/zone.ts';

const minuteMs = 60_000;
const dayMinutes = 1440;
const noonMinutes = 720;

/** The anchors with an offset in minutes; everything else is a wall-clock time, an empty one not entered yet. */
export const relativeAnchors = ['sunset', 'dusk', 'dawn', 'sunrise', 'middle'] as const;
export type RelativeAnchor = (typeof relativeAnchors)[number];
export const relativeOf = (at: string): RelativeAnchor | null => relativeAnchors.find((one) => one === at) ?? null;

/** What can be moved along the night: both switchings, and periods by their place. */
export type HandleName = 'on' | 'off' | number;

export function anchorOf(programme: Programme, name: HandleName): Anchor | null {
  if (name === 'on' || name === 'off') return programme[name];
  const start = programme.periods[name]?.start;
  return start === undefined || start === 'on' ? null : start;
}

export function withAnchor(programme: Programme, name: HandleName, anchor: Anchor): Programme {
  if (name === 'on' || name === 'off') return { ...programme, [name]: { ...programme[name], ...anchor } };
  return withPeriod(programme, name, { start: anchor });
}

export const withPeriod = (programme: Programme, index: number, change: Partial<Period>): Programme => ({
  ...programme,
  periods: programme.periods.map((period, at) => (at === index ? { ...period, ...change } : period)),
});

/** Minutes since noon of a wall-clock time, and back. */
const sinceNoon = (clock: string): number => (minuteOf(clock) - noonMinutes + dayMinutes) % dayMinutes;
function clockAt(minutes: number): string {
  const of = (Math.min(dayMinutes - 1, Math.max(0, minutes)) + noonMinutes) % dayMinutes;
  return `${String(Math.floor(of / 60)).padStart(2, '0')}:${String(of % 60).padStart(2, '0')}`;
}

/** An anchor moved by minutes, within noon to noon or the limits of its offset; `step`: then a multiple of it. */
export function moved(anchor: Anchor, minutes: number, step = 1): Anchor {
  const rounded = (value: number): number => Math.round(value / step) * step;
  if (isClock(anchor.at)) return { ...anchor, at: clockAt(rounded(sinceNoon(anchor.at) + minutes)) };
  if (relativeOf(anchor.at) === null) return anchor;
  const { min, max } = planLimits.offsetMinutes;
  const offset = Number.isFinite(anchor.offsetMinutes) ? anchor.offsetMinutes : 0;
  return { ...anchor, offsetMinutes: Math.min(max, Math.max(min, rounded(offset + minutes))) };
}

/** A night drawn: its noons, and the sun of its evening and its morning. */
export interface Scene {
  readonly day: Day;
  readonly from: number;
  readonly to: number;
  readonly sunset: number | null;
  readonly dusk: number | null;
  readonly dawn: number | null;
  readonly sunrise: number | null;
  readonly stays: SunDay['stays'];
}

export function sceneOf(place: SunPlace, day: Day): Scene {
  const { from, to } = lightingDayOf(place, day);
  const [evening, morning] = [sunDay(place, day), sunDay(place, addDays(day, 1))];
  return {
    day,
    from,
    to,
    sunset: evening.sunset,
    dusk: evening.dusk,
    dawn: morning.dawn,
    sunrise: morning.sunrise,
    stays: evening.stays,
  };
}

/** Where a handle stands: the instant of its anchor, whether the night uses it or not; null: it has none. */
export function instantOfHandle(
  programme: Programme,
  name: HandleName,
  { place, scene, night }: { place: SunPlace; scene: Scene; night: Night },
): number | null {
  if (name === 'on' && night.on !== null) return night.on;
  if (name === 'off' && night.off !== null) return night.off;
  const anchor = anchorOf(programme, name);
  if (anchor === null || !Number.isFinite(anchor.offsetMinutes)) return null;
  const offset = anchor.offsetMinutes * minuteMs;
  if (isClock(anchor.at)) {
    const minute = minuteOf(anchor.at);
    return instantOfClock(place, minute >= noonMinutes ? scene.day : addDays(scene.day, 1), minute) + offset;
  }
  const middle = night.on === null || night.off === null ? null : (night.on + night.off) / 2;
  const event = { sunset: scene.sunset, dusk: scene.dusk, dawn: scene.dawn, sunrise: scene.sunrise, middle };
  const relative = relativeOf(anchor.at);
  const at = relative === null ? null : event[relative];
  return at === null ? null : at + offset;
}

const isEntered = ({ at, offsetMinutes }: Anchor): boolean =>
  relativeOf(at) === null ? isClock(at) : Number.isFinite(offsetMinutes);
const isWhole = ({ start, level, rampSeconds }: Period): boolean =>
  Number.isFinite(level) && Number.isFinite(rampSeconds) && (start === 'on' || isEntered(start));

const unlit = (day: Day): Night => ({ day, on: null, off: null, steps: [], lit: [], plannedDark: [], warnings: [] });

/** The night of a lamp that every pattern lights; periods that are not entered yet are left out. */
export function nightOf(programme: Programme, place: SunPlace, day: Day): Night {
  const { on, off, periods, minimumMinutes } = programme;
  const whole = [...periods.keys()].filter((index) => periods[index] !== undefined && isWhole(periods[index]));
  if (!isEntered(on) || !isEntered(off) || !Number.isFinite(minimumMinutes) || whole[0] !== 0) return unlit(day);
  const night = resolveNight({ ...programme, periods: whole.flatMap((at) => periods[at] ?? []) }, place, day, noRole);
  if (whole.length === periods.length) return night;
  const placeOf = (period: number | null): number | null => (period === null ? null : (whole[period] ?? null));
  return {
    ...night,
    steps: night.steps.map((step) => ({ ...step, period: placeOf(step.period) })),
    warnings: night.warnings.map((one) => ({ ...one, period: placeOf(one.period) })),
  };
}

/** Hours at full level that give the same light, of an average lamp of a row. */
export const fullHours = (night: Night): number =>
  stretchesOf(night).reduce(
    (sum, { from, to, level, pattern }) => sum + ((to - from) / 3_600_000) * (level / 100) * shareOf[pattern],
    0,
  );

/** First and last instant with light. */
export const litEnds = (night: Night): readonly [number, number] | null => {
  const [first, last] = [night.lit[0], night.lit.at(-1)];
  return first && last ? [first.from, last.to] : null;
};

/**
 * Periods that a night does not use: those that start at its end or later, and of those that start before it all but
 * the last one, which holds from its beginning on.
 */
export function unusedPeriods(
  programme: Programme,
  about: { place: SunPlace; scene: Scene; night: Night },
): Set<number> {
  const { on, off } = about.night;
  if (on === null || off === null) return new Set();
  const starts = programme.periods.flatMap(({ start }, index) => {
    // Any other period that starts before on overtakes the first one.
    const at = start === 'on' ? Number.NEGATIVE_INFINITY : instantOfHandle(programme, index, about);
    return at === null ? [] : [{ index, at }];
  });
  const early = starts
    .filter(({ at }) => at <= on)
    .toSorted((one, other) => one.at - other.at || one.index - other.index);
  return new Set([...early.slice(0, -1), ...starts.filter(({ at }) => at >= off)].map(({ index }) => index));
}

export interface YearNight {
  readonly scene: Scene;
  readonly night: Night;
  readonly unused: ReadonlySet<number>;
}

/** Every lighting day of a calendar year. */
export function yearOf(programme: Programme, place: SunPlace, year: number): YearNight[] {
  const nights: YearNight[] = [];
  for (let day = `${year}-01-01`; day.startsWith(String(year)); day = addDays(day, 1)) {
    const [scene, night] = [sceneOf(place, day), nightOf(programme, place, day)];
    nights.push({ scene, night, unused: unusedPeriods(programme, { place, scene, night }) });
  }
  return nights;
}

/** Days in a row, both included. */
interface DaySpan {
  readonly from: Day;
  readonly to: Day;
}

/** The days of the year on which something holds, as stretches. */
export function spansOf(nights: readonly YearNight[], holds: (one: YearNight) => boolean): DaySpan[] {
  const spans: { from: Day; to: Day }[] = [];
  let open: { from: Day; to: Day } | null = null;
  for (const one of nights) {
    const { scene } = one;
    if (!holds(one)) open = null;
    else if (open === null) spans.push((open = { from: scene.day, to: scene.day }));
    else open.to = scene.day;
  }
  return spans;
}

/** The night with the least, or the most, between first and last light; nights without light do not count. */
export function extremeOf(nights: readonly YearNight[], which: 'shortest' | 'longest'): YearNight | null {
  const lengthOf = ({ night }: YearNight): number => {
    const ends = litEnds(night);
    return ends === null ? 0 : ends[1] - ends[0];
  };
  const dark = nights.filter((one) => lengthOf(one) > 0);
  const sign = which === 'longest' ? 1 : -1;
  return dark.reduce<YearNight | null>(
    (best, one) => (best === null || sign * (lengthOf(one) - lengthOf(best)) > 0 ? one : best),
    null,
  );
}

const plain = { notBefore: null, notAfter: null, light: null };
/** What a new programme begins with: sunset to sunrise at full level. */
export const freshProgramme: Programme = {
  on: { at: 'sunset', offsetMinutes: 0, ...plain },
  off: { at: 'sunrise', offsetMinutes: 0, ...plain },
  periods: [{ start: 'on', level: 100, pattern: 'all', rampSeconds: 0 }],
  minimumMinutes: 10,
};
