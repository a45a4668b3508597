import { setImmediate as breathe } from 'node:timers/promises';
import { programmeOn, type DayFacts } from '../../../../catalogue/lighting/plan/calendar.ts';
import { countryOf, type HolidayCountry } from '../../../../catalogue/lighting/plan/countries.ts';
import { energyOf, wattsOf } from '../../../../catalogue/lighting/plan/night-energy.ts';
import { resolveNight } from '../../../../catalogue/lighting/plan/night.ts';
import type { SchemeContent } from '../../../../catalogue/lighting/plan/scheme.ts';
import { lightingDay, type SunPlace } from '../../../../catalogue/lighting/sun.ts';
import { addDays, type Day } from '../../../../catalogue/lighting/zone.ts';
import type { listSchemes } from '../../../../contract/light/schemes.ts';
import type { ReplyOf } from '../../../../contract/route.ts';
import { loadPlaces } from '../../register/places/index.ts';
import { loadDayFacts } from '../calendar/index.ts';
import type { LampCount, VersionedParts } from '../versioned/index.ts';
import { findContents, type VersionContent } from './outlook.store.ts';

export type Outlook = NonNullable<ReplyOf<typeof listSchemes>['data'][number]['outlook']>;

/** The next change is looked for so many days ahead, a piece at a time. */
const daysAhead = 366;
const piece = 61;
/** What each watt takes at a level. */
const ofOneWatt = wattsOf(1);

/** kWh of a month for each watt of rated power. */
function monthOf({ calendar, programmes }: SchemeContent, place: SunPlace, today: Day, facts: DayFacts): number {
  const month = today.slice(0, 7);
  let kwh = 0;
  for (let day = `${month}-01`; day.startsWith(month); day = addDays(day, 1)) {
    const key = programmeOn(calendar, day, facts);
    const programme = programmes.find((one) => one.key === key)?.programme;
    if (programme) kwh += energyOf(resolveNight(programme, place, day), ofOneWatt);
  }
  return kwh;
}

async function nextChange(
  { calendar, programmes }: SchemeContent,
  today: Day,
  facts: DayFacts,
): Promise<Outlook['nextChange']> {
  if (calendar.rules.every(({ enabled }) => !enabled)) return null;
  const now = programmeOn(calendar, today, facts);
  for (let ahead = 1; ahead <= daysAhead; ahead += 1) {
    if (ahead % piece === 0) await breathe();
    const day = addDays(today, ahead);
    const key = programmeOn(calendar, day, facts);
    if (key !== now) return { day, programme: programmes.find((one) => one.key === key)?.name ?? '' };
  }
  return null;
}

/** What comes of the schemes that lamps follow, a few looks into the database for all of them. */
export async function outlooksOf(
  { db, clock }: Pick<VersionedParts, 'db' | 'clock'>,
  counts: readonly LampCount[],
): Promise<Map<number, Outlook>> {
  const followed = counts.filter(({ following }) => following > 0);
  const contents = await findContents(db, followed);
  // Newest first.
  const newest = new Map(followed.toReversed().map(({ item, number }) => [item, number]));
  const bases = await findContents(
    db,
    contents.flatMap(({ item, number, base }) =>
      base === null || newest.get(item) !== number ? [] : [{ item, number: base }],
    ),
  );
  const places = await loadPlaces(db, [...new Set(followed.flatMap(({ area }) => area ?? []))]);
  const now = clock.now();
  const year = now.getUTCFullYear();
  const countries = new Map<HolidayCountry | null, DayFacts>();
  const calendars = [...contents, ...bases].map(({ content }) => content.calendar);
  for (const country of new Set([...places.values()].map(({ timeZone }) => countryOf(timeZone))))
    countries.set(country, await loadDayFacts(db, country, { from: year - 1, to: year + 2 }, calendars));
  const versionIn = (all: readonly VersionContent[], item: number, number: number | null | undefined) =>
    all.find((one) => one.item === item && one.number === number);
  const outlooks = new Map<number, Outlook>();
  for (const [item, of] of Map.groupBy(followed, (one) => one.item)) {
    const place = places.get(of.find(({ area }) => area !== null)?.area ?? 0);
    const facts = place && countries.get(countryOf(place.timeZone));
    const inForce = versionIn(contents, item, newest.get(item));
    if (!place || !facts || !inForce) continue;
    await breathe();
    const today = lightingDay(place, now.getTime()).day;
    const kwhOf = (version: VersionContent | undefined, watts: number): number =>
      version ? monthOf(version.content, place, today, facts) * watts : 0;
    const base = versionIn(bases, item, inForce.base);
    const watts = of.reduce((sum, one) => sum + one.watts, 0);
    outlooks.set(item, {
      month: {
        kwh: of.reduce((sum, one) => sum + kwhOf(versionIn(contents, item, one.number), one.watts), 0),
        base: base ? { number: base.number, kwh: kwhOf(base, watts) } : null,
      },
      nextChange: await nextChange(inForce.content, today, facts),
    });
  }
  return outlooks;
}
