import type { Anchor, LampRole, NightStep, Programme, Span, Switching } from './programme.ts';

/**
 * A night resolved a second time, for tests: minute by minute from the sentences of the design, slow, with its own
 * sun and its own civil time. It shares nothing with the product but the types of a programme.
 */

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;

/** WGS-84 degrees and the IANA zone. */
export interface Site {
  readonly latitude: number;
  readonly longitude: number;
  readonly timeZone: string;
}

/** An event of a night, epoch ms, or the side of its height on which the sun stays. */
export type SunEvent = number | 'up' | 'down';

/** Sunset and dusk of the evening's date; dawn and sunrise of the next. */
export type SunNight = Readonly<Record<'sunset' | 'dusk' | 'dawn' | 'sunrise', SunEvent>>;

// ── Civil time ───────────────────────────────────────────────────────────────────────────────────────────────────

const clocks = new Map<string, Intl.DateTimeFormat>();

/** `YYYY-MM-DD HH:MM:SS` as the wall clock shows it. */
function wallText(at: number, timeZone: string): string {
  let clock = clocks.get(timeZone);
  if (!clock) {
    // The Swedish form is the one of ISO 8601.
    clock = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' });
    clocks.set(timeZone, clock);
  }
  return clock.format(at);
}

const utc = (text: string): number => Date.parse(`${text.replace(' ', 'T')}Z`);
const offsets = new Map<string, readonly number[]>();

/** Offsets of the zone from 30 h before the date begins to 60 h after, in their order; two where it changes. */
function offsetsAround(day: string, timeZone: string): readonly number[] {
  const key = `${timeZone} ${day}`;
  let found = offsets.get(key);
  if (!found) {
    const begin = utc(`${day} 00:00:00`);
    const probes = Array.from({ length: 16 }, (_, index) => begin + (index * 6 - 30) * hour);
    found = [...new Set(probes.map((probe) => utc(wallText(probe, timeZone)) - probe))];
    offsets.set(key, found);
  }
  return found;
}

/** The first instant at which the wall clock shows it; a time that is skipped keeps the offset from before the gap. */
export function wallInstant(day: string, time: string, timeZone: string): number {
  const text = `${day} ${time}:00`;
  const candidates = offsetsAround(day, timeZone).map((offset) => utc(text) - offset);
  const shown = candidates.filter((at) => wallText(at, timeZone) === text);
  return shown.length > 0 ? Math.min(...shown) : (candidates[0] ?? Number.NaN);
}

const dayAfter = (day: string): string => new Date(utc(`${day} 00:00:00`) + 24 * hour).toISOString().slice(0, 10);

// ── The sun ──────────────────────────────────────────────────────────────────────────────────────────────────────

const radians = Math.PI / 180;
const sin = (degrees: number): number => Math.sin(degrees * radians);
const cos = (degrees: number): number => Math.cos(degrees * radians);

/** Zenith angle of the sun, degrees: the equations of the NOAA solar calculator. */
export function zenithAt(at: number, { latitude, longitude }: Site): number {
  const t = (at / (24 * hour) + 2_440_587.5 - 2_451_545) / 36_525;
  const meanLongitude = 280.46646 + t * (36_000.76983 + t * 0.0003032);
  const anomaly = 357.52911 + t * (35_999.05029 - t * 0.0001537);
  const eccentricity = 0.016708634 - t * (0.000042037 + t * 0.0000001267);
  const centre =
    sin(anomaly) * (1.914602 - t * (0.004817 + t * 0.000014)) +
    sin(2 * anomaly) * (0.019993 - t * 0.000101) +
    sin(3 * anomaly) * 0.000289;
  const node = 125.04 - 1934.136 * t;
  const apparent = meanLongitude + centre - 0.00569 - 0.00478 * sin(node);
  const meanObliquity = 23 + (26 + (21.448 - t * (46.815 + t * (0.00059 - t * 0.001813))) / 60) / 60;
  const obliquity = meanObliquity + 0.00256 * cos(node);
  const declination = Math.asin(sin(obliquity) * sin(apparent)) / radians;
  const y = Math.tan((obliquity / 2) * radians) ** 2;
  const equation =
    y * sin(2 * meanLongitude) -
    2 * eccentricity * sin(anomaly) +
    4 * eccentricity * y * sin(anomaly) * cos(2 * meanLongitude) -
    0.5 * y * y * sin(4 * meanLongitude) -
    1.25 * eccentricity * eccentricity * sin(2 * anomaly);
  const solarMinutes = (at % (24 * hour)) / minute + (4 * equation) / radians + 4 * longitude;
  const hourAngle = solarMinutes / 4 - 180;
  return Math.acos(sin(latitude) * sin(declination) + cos(latitude) * cos(declination) * cos(hourAngle)) / radians;
}

/** The minute within 12 h of the wall clock's noon at which the sun is highest: of the hour, then of its minutes. */
function highest(site: Site, day: string): number {
  const best = (middle: number, reach: number, step: number): number => {
    let found = middle;
    for (let at = middle - reach; at <= middle + reach; at += step)
      if (zenithAt(at, site) < zenithAt(found, site)) found = at;
    return found;
  };
  return best(best(wallInstant(day, '12:00', site.timeZone), 12 * hour, hour), hour, minute);
}

/** Walks from where the sun is highest towards `end` and stops where it passes the zenith, to the second. */
function passing(site: Site, zenith: number, begin: number, end: number): SunEvent {
  if (zenithAt(begin, site) >= zenith) return 'down';
  const way = Math.sign(end - begin);
  for (let at = begin; (end - at) * way > 0; at += way * minute) {
    if (zenithAt(at + way * minute, site) < zenith) continue;
    for (let fine = at; ; fine += way * second) if (zenithAt(fine, site) >= zenith) return fine;
  }
  return 'up';
}

const horizon = 90.833;
const civil = 96;

/** The events of the night that begins on `day`. */
export function secondSun(site: Site, day: string): SunNight {
  const today = highest(site, day);
  const tomorrow = highest(site, dayAfter(day));
  return {
    sunset: passing(site, horizon, today, tomorrow),
    dusk: passing(site, civil, today, tomorrow),
    dawn: passing(site, civil, tomorrow, today),
    sunrise: passing(site, horizon, tomorrow, today),
  };
}

// ── The night ────────────────────────────────────────────────────────────────────────────────────────────────────

export interface SecondNight {
  readonly on: number | null;
  readonly off: number | null;
  readonly steps: readonly NightStep[];
  readonly lit: readonly Span[];
  readonly plannedDark: readonly Span[];
  /** Every instant that decided something, for what compares two suns; `bySun`: it moves with the sun. */
  readonly anchors: readonly { readonly at: number; readonly bySun: boolean }[];
  /** Lengths (ms) that were judged against a limit, less the limit. */
  readonly margins: readonly number[];
}

/** One piece of the grid, and what the lamp does in it. */
interface Cell {
  readonly from: number;
  readonly to: number;
  level: number;
  pattern: NightStep['pattern'];
  period: number;
  hidden: boolean;
}

const isSun = (at: string): at is keyof SunNight => ['sunset', 'dusk', 'dawn', 'sunrise'].includes(at);

/** Sentence 8: whether the pattern lights this lamp that night. */
function patternLights(pattern: NightStep['pattern'], role: LampRole, day: string): boolean {
  if (pattern === 'all' || role.keep || role.position === null || role.rowLength < 3) return true;
  if (role.position === 0 || role.position === role.rowLength - 1) return true;
  const nth = pattern === 'alternateOne' ? 2 : 3;
  const dayNumber = utc(`${day} 00:00:00`) / (24 * hour);
  const shift = { fixed: 0, nightly: dayNumber, weekly: Math.floor(dayNumber / 7) }[role.rotation];
  return (role.position + shift + (role.right ? Math.floor(nth / 2) : 0)) % nth === 0;
}

/** Sentence 7. */
function levelOf(level: number, role: LampRole): number {
  return level <= 0 ? 0 : Math.max(Math.min(level, 100), 1, role.minLevel);
}

/** Runs of neighbouring cells of which `is` says the same. */
function runs(cells: readonly Cell[], is: (cell: Cell) => boolean): { is: boolean; cells: Cell[] }[] {
  const found: { is: boolean; cells: Cell[] }[] = [];
  for (const cell of cells) {
    const last = found.at(-1);
    if (last?.is === is(cell)) last.cells.push(cell);
    else found.push({ is: is(cell), cells: [cell] });
  }
  return found;
}

const spanOf = (cells: readonly Cell[]): Span => ({ from: cells[0]?.from ?? 0, to: cells.at(-1)?.to ?? 0 });
const spansOf = (cells: readonly Cell[], is: (cell: Cell) => boolean): Span[] =>
  runs(cells, is)
    .filter((run) => run.is)
    .map((run) => spanOf(run.cells));

export function secondNight(
  programme: Programme,
  site: Site,
  day: string,
  role: LampRole,
  sun: SunNight = secondSun(site, day),
): SecondNight {
  const clock = (time: string): number => wallInstant(time >= '12:00' ? day : dayAfter(day), time, site.timeZone);
  const noon = wallInstant(day, '12:00', site.timeZone);
  const nextNoon = wallInstant(dayAfter(day), '12:00', site.timeZone);
  const anchors: { at: number; bySun: boolean }[] = [];
  const margins: number[] = [];
  const noNight: SecondNight = { on: null, off: null, steps: [], lit: [], plannedDark: [], anchors, margins };

  /** Sentences 2 and 6: null where the sun does not go down. */
  const switching = (wanted: Switching, missing: number): number | null => {
    const event = isSun(wanted.at) ? sun[wanted.at] : clock(wanted.at);
    if (event === 'up') return null;
    let at = event === 'down' ? missing : event + wanted.offsetMinutes * minute;
    anchors.push({ at, bySun: isSun(wanted.at) });
    const bounds = [wanted.notBefore, wanted.notAfter].map((time) => (time === null ? null : clock(time)));
    const [notBefore, notAfter] = bounds;
    if (notBefore != null) at = Math.max(at, notBefore);
    if (notAfter != null) at = Math.min(at, notAfter);
    for (const bound of bounds) if (bound !== null) anchors.push({ at: bound, bySun: false });
    // No other bound: a night that an offset moves past noon is still the one of its evening.
    return at;
  };
  const on = switching(programme.on, noon);
  const off = switching(programme.off, nextNoon);
  if (on === null || off === null || on >= off) return noNight;

  /** Sentence 3: where a period starts; null: its event is not in this night. */
  const startOf = ({ at, offsetMinutes }: Anchor): number | null => {
    const event = at === 'middle' ? (on + off) / 2 : isSun(at) ? sun[at] : clock(at);
    return typeof event === 'number' ? event + offsetMinutes * minute : null;
  };
  const starts = programme.periods.map(({ start }) => (start === 'on' ? on : startOf(start)));
  programme.periods.forEach(({ start }, index) => {
    const at = starts[index];
    if (at != null && start !== 'on') anchors.push({ at, bySun: isSun(start.at) || start.at === 'middle' });
  });

  /** Sentence 3: which period rules at an instant between on and off. */
  const periodAt = (at: number): number => {
    let ruling = 0;
    programme.periods.forEach(({ start }, index) => {
      const own = starts[index];
      if (index === 0 || own == null || own > at) return;
      const current = programme.periods[ruling]?.start;
      const currentStart = ruling === 0 ? Number.NEGATIVE_INFINITY : (starts[ruling] ?? 0);
      const astronomical = (of: typeof current): boolean => of !== undefined && of !== 'on' && isSun(of.at);
      if (own > currentStart || (own === currentStart && (astronomical(start) || !astronomical(current))))
        ruling = index;
    });
    return ruling;
  };

  const lines = new Set<number>([on, off]);
  for (let at = Math.ceil(on / minute) * minute; at < off; at += minute) lines.add(at);
  for (const { at } of anchors) if (at > on && at < off) lines.add(at);
  const grid = [...lines].sort((a, b) => a - b);
  const cells = grid.slice(0, -1).map((from, index): Cell => {
    const period = periodAt(from);
    const { level, pattern } = programme.periods[period] ?? { level: 0, pattern: 'all' };
    const wanted = levelOf(level, role);
    const hidden = wanted > 0 && !patternLights(pattern, role, day);
    return { from, to: grid[index + 1] ?? off, level: hidden ? 0 : wanted, pattern, period, hidden };
  });

  // Sentence 5: a dark stretch between two lit ones that is shorter than five minutes is not made.
  const isLit = (cell: Cell): boolean => cell.level > 0;
  const stretches = runs(cells, isLit);
  stretches.forEach((stretch, index) => {
    const before = stretches[index - 1]?.cells.at(-1);
    if (stretch.is || !before || index === stretches.length - 1) return;
    const { from, to } = spanOf(stretch.cells);
    margins.push(to - from - 5 * minute);
    if (to - from < 5 * minute)
      for (const cell of stretch.cells) {
        const { level, pattern, period, hidden } = before;
        Object.assign(cell, { level, pattern, period, hidden });
      }
  });

  // Sentence 5: minimum burning, at either end of the night.
  for (const stretch of runs(cells, isLit).filter(({ is }) => is)) {
    const { from, to } = spanOf(stretch.cells);
    if (from !== on && to !== off) continue;
    margins.push(to - from - programme.minimumMinutes * minute);
    if (to - from < programme.minimumMinutes * minute) for (const cell of stretch.cells) cell.level = 0;
  }

  // Sentence 4.
  const steps: NightStep[] = [];
  for (const { from, level, pattern, period } of cells) {
    const last = steps.at(-1);
    if (last?.level === level && last.pattern === pattern) continue;
    steps.push({ at: from, level, pattern, period, rampSeconds: programme.periods[period]?.rampSeconds ?? 0 });
  }
  const last = steps.at(-1);
  if (last) steps.push({ ...last, at: off, level: 0, rampSeconds: 0 });
  return {
    on,
    off,
    steps,
    lit: spansOf(cells, isLit),
    plannedDark: spansOf(cells, (cell) => cell.hidden),
    anchors,
    margins,
  };
}
