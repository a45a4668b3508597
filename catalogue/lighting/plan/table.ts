import { lightingDayOf, type SunPlace } from '../sun.ts';
import { zoneOffset, type Day } from '../zone.ts';
import { nightOf } from './lamp-plan.ts';
import { isClock, minuteOf } from './clock.ts';
import { noRole, type Anchor, type LampPlan, type Period, type Programme, type Switching } from './programme.ts';

/**
 * One line of a lamp's table, as devices without calendars get it: from sunset, sunrise (± minutes) or a fixed
 * wall-clock time `HH:MM` on, this level in percent (0: off).
 */
export interface TablePoint {
  readonly at: 'sunset' | 'sunrise' | (string & {});
  readonly offsetMinutes: number;
  readonly level: number;
}

const unbounded = { notBefore: null, notAfter: null, light: null } as const;
const steady = { pattern: 'all', rampSeconds: 0 } as const;
const noon = 12 * 60;
const minuteMs = 60_000;
/** Where a table names no beginning or no end, and where it is never dark: from noon to noon. */
const fromNoon: Switching = { at: '12:00', offsetMinutes: 0, ...unbounded };
const toNoon: Switching = { at: '11:59', offsetMinutes: 1, ...unbounded };

/** On at sunset, off at sunrise, at full level: what a lamp without other settings does. */
export const defaultTable: readonly TablePoint[] = [
  { at: 'sunset', offsetMinutes: 0, level: 100 },
  { at: 'sunrise', offsetMinutes: 0, level: 0 },
];
export const defaultProgramme: Programme = programmeOfTable(defaultTable);

/**
 * The programme of a table: from its first point with light to its last dark one, all others are periods. In a table
 * that is not in the order of a night, sunset and sunrise are its ends.
 */
export function programmeOfTable(table: readonly TablePoint[]): Programme {
  const lit = table.filter(({ level }) => level > 0);
  const dark = table.filter(({ level }) => level <= 0);
  const isInOrder = lit.length > 0 && table[0] === lit[0] && table.at(-1) === dark.at(-1);
  const off = (isInOrder ? undefined : dark.findLast(({ at }) => at === 'sunrise')) ?? dark.at(-1);
  const evening = lit.find(({ at }) => at === 'sunset') ?? lit.find(isEvening);
  const on = off && ((isInOrder ? undefined : evening) ?? lit[0]);
  return {
    on: on ? { at: on.at, offsetMinutes: on.offsetMinutes, ...unbounded } : fromNoon,
    off: off ? { at: off.at, offsetMinutes: off.offsetMinutes, ...unbounded } : toNoon,
    periods: [
      // Never dark: until its first point it goes on as after its last one.
      { start: 'on', level: (on ?? lit.at(-1))?.level ?? 0, ...steady },
      ...table
        .filter((point) => point !== on && point !== off)
        .map(({ at, offsetMinutes, level }): Period => ({ start: { at, offsetMinutes }, level, ...steady })),
    ],
    minimumMinutes: 0,
  };
}

/** A clock time of the evening's date: a night has its clock times from noon on. */
function isEvening({ at }: TablePoint): boolean {
  return isClock(at) && minuteOf(at) >= noon;
}

/**
 * The points of one night of a plan, ascending: sunset, sunrise and clock times as the programme names them, so that
 * they hold in the nights after it; what a table cannot say (dusk, the middle, a bound) as the clock time of this
 * night. Periods that the night does not reach are left out.
 */
export function tableOf(plan: LampPlan, day: Day): TablePoint[] {
  const { on, off, periods } = plan.programmeOn(day);
  const { steps } = nightOf(plan, day);
  const from = steps.findIndex(({ level }) => level > 0);
  const to = steps.findLastIndex(({ level }) => level > 0) + 1;
  // Without light: a table that is dark from end to end.
  if (from < 0)
    return [pointOf({ at: 'sunset', offsetMinutes: 0 }, 0), pointOf({ at: 'sunrise', offsetMinutes: 0 }, 0)];
  return steps.slice(from, to + 1).map(({ at, level, period }, index) => {
    const start = period === null ? null : periods[period]?.start;
    const anchor = from + index === 0 ? on : from + index === steps.length - 1 ? off : start;
    return pointOf(anchor && anchor !== 'on' && canSay(anchor) ? anchor : clockOf(plan.place, day, at), level);
  });
}

/** Whether a table has words for it: a bound or an event of twilight it has not. */
const canSay = ({ at, notBefore = null, notAfter = null }: Anchor & Partial<Switching>): boolean =>
  (at === 'sunset' || at === 'sunrise' || isClock(at)) && notBefore === null && notAfter === null;
const pointOf = ({ at, offsetMinutes }: Anchor, level: number): TablePoint => ({ at, offsetMinutes, level });

/**
 * The wall-clock time of an instant, to the nearest minute; where the sun is moved, of the clock that moves with it. An
 * instant outside the lighting day is told by minutes before or after its ends.
 */
export function clockOf(place: SunPlace, day: Day, at: number): Anchor {
  const minute = Math.round(at / minuteMs) * minuteMs;
  const { from, to } = lightingDayOf(place, day);
  if (minute < from) return { at: '12:00', offsetMinutes: (minute - from) / minuteMs };
  if (minute >= to) return { at: '11:59', offsetMinutes: (minute - to) / minuteMs + 1 };
  const clock = minute - place.sunOffsetMinutes * minuteMs;
  const wall = new Date(clock + zoneOffset(clock, place.timeZone)).toISOString();
  return { at: wall.slice(11, 16), offsetMinutes: 0 };
}

/** The plan of a lamp that follows one table every night. */
export function planOfTable(place: SunPlace, table: readonly TablePoint[]): LampPlan {
  const programme = programmeOfTable(table);
  return { place, role: noRole, programmeOn: () => programme };
}

const defaults = new WeakMap<SunPlace, LampPlan>();

/** The plan of a lamp of which nothing else is known: the same object for the same place, so that its nights are kept. */
export function defaultPlan(place: SunPlace): LampPlan {
  let plan = defaults.get(place);
  if (!plan) {
    plan = { place, role: noRole, programmeOn: () => defaultProgramme };
    defaults.set(place, plan);
  }
  return plan;
}
