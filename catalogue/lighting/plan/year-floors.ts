import { classFloors, type RoadClass } from '../floors.ts';
import type { Day } from '../zone.ts';
import { findingSeverities, type FindingCode, type FindingSeverity } from './findings.ts';
import type { Night, Programme } from './programme.ts';
import { timesBelowFloor, type FloorLamp, type TimeBelowFloor } from './row-floor.ts';
import {
  yearSides,
  type Track,
  type WindowLamp,
  type YearInput,
  type YearSide,
  type YearWindow,
} from './year-input.ts';
import { createYearNights, daysAround, programmeOfDay, type NightOf } from './year-nights.ts';

/**
 * The class floor in every night of a year, as publishing judges it on rows. Side a is judged by itself, side b as what
 * lamps that follow a would be given.
 */

/** Neighbours that are below the floor in a period of the darkest of them, all of which the same is said. */
export interface YearFloor {
  readonly side: YearSide;
  readonly code: FindingCode;
  readonly severity: FindingSeverity;
  readonly label: string;
  readonly programme: string | null;
  readonly period: number | null;
  readonly road: RoadClass;
  /** Of the neighbours with the most; `of`: nights of the programme. */
  nights: number;
  readonly of: number;
  hours: number;
  first: Day;
  readonly windows: number[];
}

const hourMs = 3_600_000;
/** A night that is shorter than its minimum burning is dark: of programmes with a greater one each night is looked at. */
const usualMinimum = 10;
/** Nights of neighbours between two breaks of the work: a few milliseconds. */
const nightsAtOnce = 2000;

/** Places that differ by less are one here, as parts of a degree: a minute of the sun from east to west. */
const partsOfDegree = 2;

/** Lamps that are judged together: what excepts one of them excuses no other. */
interface Part {
  readonly side: YearSide;
  readonly isExcepted: boolean;
  readonly own: readonly (readonly boolean[])[];
}

/** Neighbours that are alike everywhere: they are judged once. */
interface Looked {
  readonly window: YearWindow;
  /** Their places in `windows`. */
  readonly places: number[];
  readonly parts: readonly Part[];
  readonly marks: Map<string, Mark>;
}
interface Mark {
  readonly part: Part;
  readonly track: number;
  readonly programme: number;
  readonly period: number | null;
  nights: number;
  ms: number;
  readonly first: Day;
  last: number;
}

const planAfter = ({ a, b, own }: WindowLamp, side: YearSide): number => (side === 'b' && own === 'both' ? b : a);

/** Yields every few milliseconds. */
export function* floorsOfYear(input: YearInput): Generator<undefined, YearFloor[]> {
  const days = daysAround(input.from, input.days);
  const looked = distinct(input);
  const groups = Map.groupBy(looked, ({ window }) => input.plans[window.poles[0]?.[0]?.a ?? 0]?.place);
  for (const group of groups.values()) yield* ofGroup(input, days, group);
  return gathered(input, looked);
}

function distinct(input: YearInput): Looked[] {
  const isBright = brightPlans(input);
  const planOf = alikePlans(input);
  const known = new Map<string, Looked>();
  for (const [index, window] of input.windows.entries()) {
    const poles = window.poles.map((lamps) => lamps.map(({ a, b, own }) => ({ a: planOf(a), b: planOf(b), own })));
    const lampsOf = poles.map((lamps) => lamps.map(({ a, b, own }) => `${a} ${b} ${own}`).join());
    const key = [window.road, window.loose, ...lampsOf].join('/');
    const before = known.get(key);
    if (before) before.places.push(index);
    else {
      const one = { ...window, poles };
      known.set(key, { window: one, places: [index], parts: partsOf(one, input, isBright), marks: new Map() });
    }
  }
  return [...known.values()].filter(({ parts }) => parts.length > 0);
}

/** The first plan with the same track and role near the place of a plan. */
function alikePlans({ plans, places }: YearInput): (plan: number) => number {
  const first = new Map<string, number>();
  const alike = plans.map(({ place, track, role }, index) => {
    const { latitude = 0, longitude = 0, timeZone = '', sunOffsetMinutes = 0 } = places[place] ?? {};
    const cell = [latitude, longitude].map((degrees) => Math.round(degrees * partsOfDegree));
    const key = [...cell, timeZone, sunOffsetMinutes, track, ...Object.values(role)].join(' ');
    const known = first.get(key) ?? index;
    first.set(key, known);
    return known;
  });
  return (plan) => alike[plan] ?? plan;
}

/** Whether every night of a plan is at least so bright, whatever stands beside it. */
function brightPlans({ plans, tracks, days }: YearInput): (plan: number, floor: number) => boolean {
  const lowest = new Map<number, number>();
  const lowestOf = (track: Track): number =>
    Math.min(
      ...[...new Set(track.byDay.slice(1, days + 1))].map((place) => lowestLevel(track.programmes[place]?.programme)),
    );
  return (plan, floor) => {
    const track = plans[plan]?.track ?? 0;
    const one = tracks[track];
    const level = lowest.get(track) ?? (one ? lowestOf(one) : 0);
    lowest.set(track, level);
    return level >= floor;
  };
}

const lowestLevel = (programme: Programme | undefined): number =>
  programme && programme.minimumMinutes <= usualMinimum
    ? Math.min(...programme.periods.map(({ level, pattern }) => (pattern === 'all' ? level : 0)))
    : 0;

/** What is to be judged of a window; nothing where its lamps share a plan that is bright. */
function partsOf(window: YearWindow, input: YearInput, isBright: (plan: number, floor: number) => boolean): Part[] {
  const { poles, road } = window;
  const trackOf = (plan: number) => input.plans[plan]?.track ?? 0;
  return yearSides.flatMap((side): Part[] => {
    const after = poles.flatMap((lamps) => lamps.map((lamp) => planAfter(lamp, side)));
    const isShared = new Set(after.map(trackOf)).size === 1;
    if (isShared && isBright(after[0] ?? 0, classFloors[road])) return [];
    const isExcepted = (lamp: WindowLamp) =>
      input.tracks[trackOf(planAfter(lamp, side))]?.excepted.includes(road) === true;
    return [false, true].flatMap((excepted): Part[] => {
      const own = poles.map((lamps) => lamps.map((lamp) => isOwn(lamp, side) && isExcepted(lamp) === excepted));
      return own.some((lamps) => lamps.includes(true)) ? [{ side, isExcepted: excepted, own }] : [];
    });
  });
}

const isOwn = ({ own }: WindowLamp, side: YearSide): boolean => own === 'both' || own === side;

function* ofGroup(input: YearInput, days: readonly Day[], group: readonly Looked[]): Generator<undefined> {
  const nightsOf = new Map<number, NightOf>();
  const nightOf = (index: number, day: number): Night | null => {
    const plan = input.plans[index];
    const [place, track] = [input.places[plan?.place ?? -1], input.tracks[plan?.track ?? -1]];
    if (!plan || !place || !track) return null;
    // A copy: what is kept of a place goes with the group.
    const of = nightsOf.get(plan.place) ?? createYearNights({ ...place }, days);
    nightsOf.set(plan.place, of);
    return of(programmeOfDay(track, day), plan.role, day);
  };
  const used = [...new Set(group.flatMap(({ window }) => window.poles.flat().flatMap(({ a, b }) => [a, b])))];
  let judged = 0;
  for (let day = 0; day < input.days; day += 1) {
    const judge = createJudge(new Map(used.map((plan) => [plan, nightOf(plan, day)])));
    for (const one of group) {
      for (const part of one.parts) mark(input, { day, name: days[day + 1] ?? '' }, one, part, judge(one.window, part));
      judged += one.parts.length;
    }
    if (judged < nightsAtOnce) continue;
    yield;
    judged = 0;
  }
}

/** Neighbours with the same nights are judged once. */
interface Node {
  readonly next: Map<number, Node>;
  found?: TimeBelowFloor[];
}

function createJudge(nights: ReadonlyMap<number, Night | null>) {
  const root: Node = { next: new Map() };
  const numbers = new Map<Night | null, number>();
  const numberOf = (plan: number): number => {
    const night = nights.get(plan) ?? null;
    const number = numbers.get(night) ?? numbers.size;
    numbers.set(night, number);
    return number;
  };
  const step = ({ next }: Node, key: number): Node => {
    const found = next.get(key) ?? { next: new Map() };
    next.set(key, found);
    return found;
  };

  function rowOf({ poles, loose }: YearWindow, { side, own }: Part) {
    return {
      loose,
      poles: poles.map((lamps, pole) =>
        lamps.map((lamp, place): FloorLamp => {
          const after = nights.get(planAfter(lamp, side)) ?? null;
          const changes = own[pole]?.[place] === true;
          return { before: !changes ? after : side === 'a' ? null : (nights.get(lamp.a) ?? null), after, own: changes };
        }),
      ),
    };
  }

  return (window: YearWindow, part: Part): readonly TimeBelowFloor[] => {
    const floor = classFloors[window.road];
    let node = step(root, floor * 4 + (window.loose ? 2 : 0) + (part.side === 'a' ? 1 : 0));
    for (const [pole, lamps] of window.poles.entries()) {
      for (const [place, lamp] of lamps.entries()) {
        node = step(node, numberOf(planAfter(lamp, part.side)));
        if (part.own[pole]?.[place]) node = step(node, -2 - numberOf(lamp.a));
      }
      node = step(node, -1);
    }
    return (node.found ??= timesBelowFloor(rowOf(window, part), floor));
  };
}

function mark(
  { plans, tracks }: YearInput,
  { day, name }: { readonly day: number; readonly name: Day },
  { window, marks }: Looked,
  part: Part,
  times: readonly TimeBelowFloor[],
): void {
  for (const { ms, pole, lamp, period } of times) {
    const darkest = window.poles[pole]?.[lamp];
    const track = darkest ? (plans[planAfter(darkest, part.side)]?.track ?? 0) : 0;
    const programme = tracks[track]?.byDay[day + 1] ?? 0;
    const key = `${part.side} ${part.isExcepted} ${track} ${programme} ${period}`;
    const known = marks.get(key);
    if (known) {
      known.ms += ms;
      if (known.last !== day) known.nights += 1;
      known.last = day;
    } else marks.set(key, { part, track, programme, period, nights: 1, ms, first: name, last: day });
  }
}

function gathered({ tracks, days }: YearInput, looked: readonly Looked[]): YearFloor[] {
  const found = new Map<string, YearFloor>();
  for (const { window, places, marks } of looked)
    for (const { part, track, programme, period, nights, ms, first } of marks.values()) {
      const { side, isExcepted } = part;
      const { label = '', programmes = [], byDay = [] } = tracks[track] ?? {};
      const name = programmes[programme]?.name ?? null;
      const key = [side, isExcepted, label, name, period, window.road].join('\n');
      const known = found.get(key);
      if (known) {
        if (first < known.first) known.first = first;
        known.nights = Math.max(known.nights, nights);
        known.hours = Math.max(known.hours, ms / hourMs);
        known.windows.push(...places);
        continue;
      }
      const code = isExcepted ? 'floorException' : 'belowFloor';
      found.set(key, {
        ...{ side, code, severity: findingSeverities[code], label, programme: name, period, road: window.road },
        ...{
          nights,
          of: byDay.slice(1, days + 1).filter((one) => one === programme).length,
          hours: ms / hourMs,
          first,
        },
        windows: [...places],
      });
    }
  return [...found.values()];
}
