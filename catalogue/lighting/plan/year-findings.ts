import type { SunPlace } from '../sun.ts';
import type { Day } from '../zone.ts';
import { findingCodes, type FindingCode } from './findings.ts';
import { frameOf } from './night-frame.ts';
import type { Night, NightWarning } from './programme.ts';

/** How often something is so in the nights of one plan. */
export interface Mark {
  readonly code: FindingCode;
  /** Place in the programmes of the track, and of the period in the programme; null: the night. */
  readonly programme: number;
  readonly period: number | null;
  nights: number;
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
}

function mark({ all }: Marks, code: FindingCode, day: Day, { programme, period = null }: Where): void {
  const key = (findingCodes.indexOf(code) * 256 + programme) * 8 + (period === null ? 7 : period);
  const known = all.get(key);
  if (known) known.nights += 1;
  else all.set(key, { code, programme, period, nights: 1, first: day });
}

interface Judged {
  readonly night: Night;
  /** The place of its programme in the track. */
  readonly index: number;
  readonly place: SunPlace;
}

/** Everything there is to say of one night of a plan. */
export function markNight(marks: Marks, judged: Judged): void {
  const { night, index } = judged;
  const { day, warnings, lit, on, off } = night;
  marks.nights[index] = (marks.nights[index] ?? 0) + 1;
  for (const { code, period } of warnings) mark(marks, ofWarning[code], day, { programme: index, period });
  if (lit.length === 0 && on !== null) mark(marks, 'nightWithoutLight', day, { programme: index });
  if (on !== null && off !== null && lit.length > 0 && isFarFromTwilight(judged.place, day, on, off))
    mark(marks, 'farFromTwilight', day, { programme: index });
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

/** A period that no night of its programme reached is a finding of its own. */
export const codeOfMark = ({ code, nights, programme }: Mark, marks: Marks): FindingCode =>
  code === 'periodUnused' && nights >= (marks.nights[programme] ?? 0) ? 'periodNeverReached' : code;
