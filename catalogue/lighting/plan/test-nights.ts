import { lightingDayOf, type SunPlace } from '../sun.ts';
import { addDays, zoneOffset, type Day } from '../zone.ts';

/** Nights that a plan is looked at by: where the sun, the clock or the calendar does something of its own. */

export const testNightKinds = [
  'first',
  'saturday',
  'change',
  'marchEquinox',
  'juneSolstice',
  'septemberEquinox',
  'decemberSolstice',
  'clockForward',
  'clockBack',
  'leapDay',
  'yearEnd',
  'holiday',
] as const;
export type TestNightKind = (typeof testNightKinds)[number];

export interface TestNight {
  readonly kind: TestNightKind;
  readonly day: Day;
}

/** Days of the year on which the sun turns, to a day. */
const turns = {
  marchEquinox: '03-20',
  juneSolstice: '06-21',
  septemberEquinox: '09-23',
  decemberSolstice: '12-21',
} as const;
const yearDays = 366;
/** From one leap day to the next are at most eight years. */
const leapYears = 8;

export interface CalendarDays {
  /** The first day from which on another programme than on the first day holds, and the next holiday; null: none. */
  readonly change: Day | null;
  readonly holiday: Day | null;
}

/** At most twelve nights from `from` on, by date; of one date once. */
export function testNights(place: SunPlace, from: Day, { change, holiday }: CalendarDays): TestNight[] {
  const year = Number(from.slice(0, 4));
  const next = (monthDay: string): Day =>
    [`${year}-${monthDay}`, `${year + 1}-${monthDay}`].find((day) => day >= from) ?? from;
  const nights: (TestNight | null)[] = [
    { kind: 'first', day: from },
    { kind: 'saturday', day: addDays(from, (6 - new Date(`${from}T00:00:00Z`).getUTCDay() + 7) % 7) },
    change === null ? null : { kind: 'change', day: change },
    { kind: 'marchEquinox', day: next(turns.marchEquinox) },
    { kind: 'juneSolstice', day: next(turns.juneSolstice) },
    { kind: 'septemberEquinox', day: next(turns.septemberEquinox) },
    { kind: 'decemberSolstice', day: next(turns.decemberSolstice) },
    ...clockChanges(place, from),
    { kind: 'leapDay', day: nextLeapDay(year, from) },
    { kind: 'yearEnd', day: next('12-31') },
    holiday === null ? null : { kind: 'holiday', day: holiday },
  ];
  const seen = new Set<Day>();
  return nights
    .flatMap((night) => {
      if (night === null || seen.has(night.day)) return [];
      seen.add(night.day);
      return [night];
    })
    .toSorted((a, b) => (a.day < b.day ? -1 : 1));
}

/** The next night in which the wall clock goes forward, and back. */
function clockChanges(place: SunPlace, from: Day): TestNight[] {
  const found = new Map<TestNightKind, Day>();
  for (let index = 0; index < yearDays; index += 1) {
    const day = addDays(from, index);
    const window = lightingDayOf(place, day);
    const change = zoneOffset(window.to, place.timeZone) - zoneOffset(window.from, place.timeZone);
    const kind = change > 0 ? 'clockForward' : 'clockBack';
    if (change !== 0 && !found.has(kind)) found.set(kind, day);
  }
  return [...found].map(([kind, day]) => ({ kind, day }));
}

function nextLeapDay(year: number, from: Day): Day {
  for (let later = 0; later <= leapYears; later += 1) {
    const day = `${year + later}-02-29`;
    if (day >= from && new Date(`${day}T00:00:00Z`).toISOString().startsWith(day)) return day;
  }
  return from;
}
