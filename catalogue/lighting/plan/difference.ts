import type { RoadClass } from '../floors.ts';
import type { SunPlace } from '../sun.ts';
import { dayNumber, type Day } from '../zone.ts';
import { findingSeverities, type FindingCode, type FindingSeverity } from './findings.ts';
import { levelsBetween } from './lamp-plan.ts';
import type { LampPlan, Night } from './programme.ts';
import { darkOfRow } from './row-darkness.ts';
import { codeOfMark, createMarks, markNight, type Marks } from './year-findings.ts';
import { Heat, dayClockOf, type DayClock } from './year-heat.ts';
import { floorsOfYear, type YearFloor } from './year-floors.ts';
import { yearSides, type Track, type YearInput, type YearPlan, type YearSide } from './year-input.ts';
import { createYearNights, daysAround, eachLit, programmeOfDay, sharedProgrammes } from './year-nights.ts';

/** What two plans of many lamps do in up to a year: levels, energy, switching, and what is to be found in their nights. */

export interface MonthSums {
  kwh: number;
  /** Hours with light, of all lamps together. */
  hours: number;
  /** How often lamps go on, all together. */
  switches: number;
}
export interface YearMonth extends Readonly<Record<YearSide, MonthSums>> {
  /** `YYYY-MM` of the evenings. */
  readonly month: string;
  readonly nights: number;
}

export interface YearFinding {
  readonly side: YearSide;
  readonly code: FindingCode;
  readonly severity: FindingSeverity;
  /** Whose plan it is, the name of the programme, and its period from 0; null: the night, or the row. */
  readonly label: string | null;
  readonly programme: string | null;
  readonly period: number | null;
  readonly road: RoadClass | null;
  /** Of the lamp with the most; `of`: nights of the programme. */
  readonly nights: number;
  readonly of: number | null;
  readonly hours: number | null;
  readonly first: Day;
  /** Number of lamps: those of `classes`, or those named in `named`. */
  readonly lamps: number;
  readonly classes: readonly number[];
  readonly named: readonly number[];
}

export interface YearDifference {
  readonly lamps: number;
  /** Level × lamps of each day and cell of ten minutes, noon to noon by the wall clock. */
  readonly sums: Readonly<Record<YearSide, Float64Array>>;
  /** Lamps × share of the cell that the wall clock shows: 0 where daylight saving skips it. */
  readonly shown: Float64Array;
  readonly months: readonly YearMonth[];
  readonly findings: readonly YearFinding[];
  /** Findings too, by the places of neighbours in `windows`. */
  readonly floors: readonly YearFloor[];
}

const levels = 101;
const hourMs = 3_600_000;
/** Nights between two breaks of the work: a few milliseconds. */
const nightsAtOnce = 300;

/** The classes of each side that a plan is followed by. */
type Followers = Readonly<Record<YearSide, readonly (readonly number[])[]>>;

interface Work {
  readonly input: YearInput;
  /** The span with the day before and the day after. */
  readonly days: readonly Day[];
  readonly monthOf: Uint8Array;
  readonly months: YearMonth[];
  readonly followers: Followers;
  readonly heat: Readonly<Record<YearSide, Heat>>;
  readonly found: Map<string, Gathered>;
}
type Gathered = {
  -readonly [Key in keyof YearFinding]: YearFinding[Key] extends readonly number[] ? number[] : YearFinding[Key];
};

/** Yields the nights done so far, every few milliseconds; `nightsToDo` says of how many. */
export function* differenceOf(asked: YearInput): Generator<number, YearDifference> {
  const input = { ...asked, tracks: sharedProgrammes(asked.tracks) };
  const days = daysAround(input.from, input.days);
  const months = monthsOf(days.slice(1, -1));
  const work: Work = {
    input,
    days,
    monthOf: Uint8Array.from(days.slice(1, -1), (day) => months.findIndex(({ month }) => day.startsWith(month))),
    months,
    followers: followersOf(input),
    heat: { a: new Heat(input.days), b: new Heat(input.days) },
    found: new Map(),
  };
  let done = 0;
  for (const group of groupsOf(input)) {
    for (const nights of ofGroup(work, group)) yield (done += nights);
  }
  yield* ofRows(work, done);
  const judging = floorsOfYear(input);
  let step = judging.next();
  for (; !step.done; step = judging.next()) yield done;
  return {
    lamps: input.classes.reduce((sum, { lamps }) => sum + lamps, 0),
    sums: { a: work.heat.a.cells(), b: work.heat.b.cells() },
    shown: shownOf(work),
    months,
    findings: [...work.found.values()],
    floors: step.value,
  };
}

/** Nights that a difference resolves: what its progress counts. */
export const nightsToDo = ({ plans, days }: Pick<YearInput, 'plans' | 'days'>): number => plans.length * days;

function monthsOf(days: readonly Day[]): YearMonth[] {
  const none = (): MonthSums => ({ kwh: 0, hours: 0, switches: 0 });
  return [...Map.groupBy(days, (day) => day.slice(0, 7))].map(([month, of]) => ({
    month,
    nights: of.length,
    a: none(),
    b: none(),
  }));
}

function followersOf({ plans, classes }: YearInput): Followers {
  const of = (side: YearSide) => {
    const lists = plans.map((): number[] => []);
    for (const [index, one] of classes.entries()) lists[one[side]]?.push(index);
    return lists;
  };
  return { a: of('a'), b: of('b') };
}

/** Plans of one place whose drivers hold the same levels: they share the sun, the clock and nights. Place after place. */
function groupsOf({ plans }: YearInput): (readonly number[])[] {
  const groups = Map.groupBy(plans.keys(), (plan) => {
    const { place = 0, role } = plans[plan] ?? {};
    return place * 1000 + (role?.minLevel ?? 0);
  });
  return [...groups].toSorted(([a], [b]) => a - b).map(([, group]) => group);
}

/** One plan on its way through the span. */
interface Course {
  readonly index: number;
  readonly plan: YearPlan;
  readonly track: Track;
  readonly lamp: LampPlan;
  readonly weight: Readonly<Record<YearSide, number>>;
  readonly marks: Marks;
  readonly tally: Tally;
  before: Night;
  night: Night;
  lastLit: number;
}

/** Yields the nights of each part of the work. */
function* ofGroup(work: Work, group: readonly number[]): Generator<number> {
  const { input, days } = work;
  const asked = input.places[input.plans[group[0] ?? 0]?.place ?? 0];
  if (!asked) return;
  // A copy: what is kept of a place goes with it when the next one comes.
  const place = { ...asked };
  const nightOf = createYearNights(place, days);
  const on = ({ track, plan }: Pick<Course, 'track' | 'plan'>, day: number): Night =>
    nightOf(programmeOfDay(track, day), plan.role, day);
  const started = group.flatMap((index) => startOf(work, index, place) ?? []);
  const before = started.map((one) => on(one, -1));
  const courses = started.map((one, which): Course => {
    const night = before[which];
    return { ...one, before: night ?? on(one, -1), night: on(one, 0), lastLit: night?.lit.at(-1)?.to ?? 0 };
  });
  let nights = 0;
  for (let day = 0; day < input.days; day += 1) {
    const clock = dayClockOf(place, days[day + 1] ?? '');
    for (const course of courses) {
      const after = on(course, day + 1);
      ofNight(work, course, { day, clock, after });
      course.before = course.night;
      course.night = after;
    }
    nights += courses.length;
    if (nights < nightsAtOnce) continue;
    yield nights;
    nights = 0;
  }
  for (const course of courses)
    for (const side of yearSides) {
      addSums(work, side, course.index, course.tally);
      if (course.weight[side] > 0) gather(work, side, course);
    }
  yield nights;
}

function startOf(work: Work, index: number, place: SunPlace): Omit<Course, 'before' | 'night' | 'lastLit'> | null {
  const { input, months } = work;
  const plan = input.plans[index];
  const track = plan && input.tracks[plan.track];
  const weight = { a: lampsOf(work, index, 'a'), b: lampsOf(work, index, 'b') };
  // Neighbours alone follow it.
  if (!plan || !track || weight.a + weight.b === 0) return null;
  return {
    index,
    plan,
    track,
    lamp: { place, role: plan.role, programmeOn: (day) => programmeOfDay(track, indexOf(input, day)) },
    weight,
    marks: createMarks(),
    tally: { ms: new Float64Array(months.length * levels), switches: new Float64Array(months.length) },
  };
}

interface Now {
  readonly day: number;
  readonly clock: DayClock;
  readonly after: Night;
}

function ofNight({ heat, monthOf }: Work, course: Course, { day, clock, after }: Now): void {
  const { track, tally, weight, before, night, lamp } = course;
  const month = monthOf[day] ?? 0;
  eachLit(
    { before, night, after },
    clock,
    () => levelsBetween(lamp, clock.from, clock.to),
    (from, to, level) => {
      const cell = month * levels + Math.round(level);
      tally.ms[cell] = (tally.ms[cell] ?? 0) + to - from;
      if (from > course.lastLit) tally.switches[month] = (tally.switches[month] ?? 0) + 1;
      course.lastLit = to;
      if (weight.a > 0) heat.a.add(day, clock, from, to, level * weight.a);
      if (weight.b > 0) heat.b.add(day, clock, from, to, level * weight.b);
    },
  );
  markNight(course.marks, { night, index: track.byDay[day + 1] ?? 0, place: lamp.place });
}

const indexOf = ({ from }: YearInput, day: Day): number => dayNumber(day) - dayNumber(from);

const lampsOf = ({ followers, input }: Work, plan: number, side: YearSide): number =>
  (followers[side][plan] ?? []).reduce((sum, one) => sum + (input.classes[one]?.lamps ?? 0), 0);

interface Tally {
  /** Milliseconds by month and level. */
  readonly ms: Float64Array;
  readonly switches: Float64Array;
}

function addSums({ followers, input, months }: Work, side: YearSide, plan: number, { ms, switches }: Tally): void {
  for (const one of followers[side][plan] ?? []) {
    const { lamps = 0, load = 0 } = input.classes[one] ?? {};
    const watts = input.loads[load] ?? [];
    for (const [month, sums] of months.entries()) {
      const of = sums[side];
      of.switches += lamps * (switches[month] ?? 0);
      for (let level = 1; level < levels; level += 1) {
        const time = ms[month * levels + level] ?? 0;
        if (time === 0) continue;
        of.hours += (lamps * time) / hourMs;
        of.kwh += (lamps * time * (watts[level] ?? 0)) / hourMs / 1000;
      }
    }
  }
}

/** What the nights of a plan say, for the lamps that follow it: one finding of all lamps of which the same is said. */
function gather({ followers, found }: Work, side: YearSide, { index, track, marks, weight }: Course): void {
  const classes = followers[side][index] ?? [];
  for (const mark of marks.all.values()) {
    const code = codeOfMark(mark, marks);
    const programme = track.programmes[mark.programme]?.name ?? null;
    const key = [side, code, track.label, programme, mark.period].join('\n');
    const known = found.get(key);
    if (known) {
      if (mark.first < known.first) known.first = mark.first;
      known.nights = Math.max(known.nights, mark.nights);
      known.lamps += weight[side];
      known.classes.push(...classes);
    } else
      found.set(key, {
        side,
        code,
        severity: findingSeverities[code],
        label: track.label,
        programme,
        period: mark.period,
        road: null,
        nights: mark.nights,
        of: marks.nights[mark.programme] ?? null,
        hours: null,
        first: mark.first,
        lamps: weight[side],
        classes: [...classes],
        named: [],
      });
  }
}

function* ofRows({ input, found }: Work, done: number): Generator<number> {
  for (const row of input.rows) {
    for (const side of yearSides) {
      const dark = darkOfRow(row, side, input);
      if (!dark) continue;
      const known = found.get(`${side}\nrow`);
      if (known) {
        if (dark.first < known.first) known.first = dark.first;
        known.nights = Math.max(known.nights, dark.nights);
        known.lamps += dark.lamps.length;
        known.named.push(...dark.lamps);
      } else
        found.set(`${side}\nrow`, {
          side,
          code: 'darkNeighbours',
          severity: findingSeverities.darkNeighbours,
          label: null,
          programme: null,
          period: null,
          road: null,
          nights: dark.nights,
          of: input.days,
          hours: null,
          first: dark.first,
          lamps: dark.lamps.length,
          classes: [],
          named: [...dark.lamps],
        });
    }
    yield done;
  }
}

/** Lamps of each zone × the part of each cell that its wall clock shows. */
function shownOf({ input, days }: Work): Float64Array {
  const shown = new Heat(input.days);
  const lamps = new Map<string, { place: number; lamps: number }>();
  for (const one of input.classes) {
    const index = input.plans[one.b]?.place ?? 0;
    const place = input.places[index];
    const key = `${place?.timeZone ?? ''} ${place?.sunOffsetMinutes ?? 0}`;
    const known = lamps.get(key);
    if (known) known.lamps += one.lamps;
    else lamps.set(key, { place: index, lamps: one.lamps });
  }
  for (const one of lamps.values()) {
    const place = input.places[one.place];
    if (!place) continue;
    for (const [day, name] of days.slice(1, -1).entries()) {
      const clock = dayClockOf(place, name);
      shown.add(day, clock, clock.from, clock.to, one.lamps);
    }
  }
  return shown.cells();
}

/** The mean level of each cell in percent; NaN where the wall clock shows no such time. */
export function meanLevels({ sums, shown }: Pick<YearDifference, 'sums' | 'shown'>, side: YearSide): Float64Array {
  return sums[side].map((sum, cell) => {
    const of = shown[cell] ?? 0;
    return of < 1e-3 ? Number.NaN : Math.min(100, Math.max(0, sum / of));
  });
}
