import { classFloors, darkestMean, type RoadClass } from '../floors.ts';
import type { SunPlace } from '../sun.ts';
import type { Day } from '../zone.ts';
import { roadClasses } from '../../records/road.ts';
import { findingCodes, type FindingCode } from './findings.ts';
import { frameOf } from './night-frame.ts';
import { litByPattern } from './pattern.ts';
import type { LampRole, Night, NightStep, NightWarning, Programme } from './programme.ts';

/** How often something is so in the nights of one plan. */
export interface Mark {
  readonly code: FindingCode;
  /** Place in the programmes of the track, and of the period in the programme; null: the night. */
  readonly programme: number;
  readonly period: number | null;
  readonly road: RoadClass | null;
  nights: number;
  /** Milliseconds, where a length counts. */
  ms: number;
  readonly first: Day;
}

/** Minutes by which on and off may lie outside of civil twilight. */
const twilightMs = 15 * 60_000;
const ofWarning: Readonly<Record<NightWarning['code'], FindingCode>> = {
  neverDark: 'neverDark',
  sameInstant: 'sameInstant',
  periodUnused: 'periodUnused',
  minimumBurning: 'minimumBurning',
  darkTooShort: 'darkTooShort',
  skippedTime: 'skippedTime',
  repeatedTime: 'repeatedTime',
  polarDay: 'polarDay',
  polarNight: 'polarNight',
};

export interface Marks {
  readonly all: Map<number, Mark>;
  /** Nights of each programme. */
  readonly nights: number[];
}
export const createMarks = (): Marks => ({ all: new Map(), nights: [] });

interface Where {
  readonly programme: number;
  readonly period?: number | null;
  readonly road?: RoadClass | null;
  readonly ms?: number;
}

function mark(
  { all }: Marks,
  code: FindingCode,
  day: Day,
  { programme, period = null, road = null, ms = 0 }: Where,
): void {
  const place = (findingCodes.indexOf(code) * 256 + programme) * 8 + (period === null ? 7 : period);
  const key = place * 8 + (road === null ? 7 : roadClasses.indexOf(road));
  const known = all.get(key);
  if (known) {
    known.nights += 1;
    known.ms += ms;
  } else all.set(key, { code, programme, period, road, nights: 1, ms, first: day });
}

export interface Judged {
  readonly night: Night;
  readonly after: Night;
  /** Its place in the track, and the programme. */
  readonly index: number;
  readonly programme: Programme;
  readonly place: SunPlace;
  readonly role: LampRole;
  /** Of the lamps of the plan; those with a floor. */
  readonly roads: readonly RoadClass[];
  readonly excepted: readonly RoadClass[];
}

/** Everything there is to say of one night of a plan. */
export function markNight(marks: Marks, judged: Judged): void {
  const { night, index } = judged;
  const { day, warnings, lit, on, off } = night;
  marks.nights[index] = (marks.nights[index] ?? 0) + 1;
  for (const { code, period } of warnings) mark(marks, ofWarning[code], day, { programme: index, period });
  if (lit.length === 0 && on !== null) mark(marks, 'nightWithoutLight', day, { programme: index });
  if (on !== null && off !== null) {
    if (lit.length > 0 && isFarFromTwilight(judged.place, day, on, off))
      mark(marks, 'farFromTwilight', day, { programme: index });
    if (judged.roads.length > 0) markFloors(marks, judged);
  }
}

function isFarFromTwilight(place: SunPlace, day: Day, on: number, off: number): boolean {
  const { evening, morning } = frameOf(place, day);
  const isBefore = (at: number, event: number | null) => event !== null && at < event - twilightMs;
  const isAfter = (at: number, event: number | null) => event !== null && at > event + twilightMs;
  return (
    isBefore(on, evening.sunset) ||
    isAfter(on, evening.dusk) ||
    isBefore(off, morning.dawn) ||
    isAfter(off, morning.sunrise)
  );
}

function markFloors(marks: Marks, judged: Judged): void {
  const { night, after, index, roads, excepted } = judged;
  const { steps } = night;
  for (let place = 0; place + 1 < steps.length; place += 1) {
    const step = steps[place];
    const to = Math.min(steps[place + 1]?.at ?? 0, after.on ?? Number.POSITIVE_INFINITY);
    if (!step || to <= step.at) continue;
    const level = meanOfRow(step, judged);
    for (const road of roads) {
      if (level >= classFloors[road]) continue;
      const code = excepted.includes(road) ? 'floorException' : 'belowFloor';
      mark(marks, code, night.day, { programme: index, period: step.period, road, ms: to - step.at });
    }
  }
}

/** Mean level of the darkest three neighbours of the row that a lamp of this role stands in. */
function meanOfRow(step: NightStep, { night, role, programme }: Judged): number {
  if (step.pattern === 'all' || role.position === null) return step.level;
  if (step.level > 0) return darkestMean(step.level, step.pattern);
  if (step.period === null || litByPattern(step.pattern, role, night.day)) return 0;
  const asked = programme.periods[step.period]?.level ?? 0;
  return asked <= 0 ? 0 : darkestMean(Math.max(asked, role.minLevel), step.pattern);
}

/** A period that no night of its programme reached is a finding of its own. */
export const codeOfMark = ({ code, nights, programme }: Mark, marks: Marks): FindingCode =>
  code === 'periodUnused' && nights >= (marks.nights[programme] ?? 0) ? 'periodNeverReached' : code;
