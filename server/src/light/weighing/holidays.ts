import { programmeOn } from '../../../../catalogue/lighting/plan/calendar.ts';
import { countryOf } from '../../../../catalogue/lighting/plan/countries.ts';
import { noRole, type LampPlan, type LampRole, type Programme } from '../../../../catalogue/lighting/plan/programme.ts';
import type { SchemeContent } from '../../../../catalogue/lighting/plan/scheme.ts';
import { lightingDay, type SunPlace } from '../../../../catalogue/lighting/sun.ts';
import { addDays, type Day } from '../../../../catalogue/lighting/zone.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Transaction } from '../../platform/db/index.ts';
import { refuse } from '../../platform/http/index.ts';
import { loadPlaces } from '../../register/places/index.ts';
import { loadDayFacts, type HolidaysAsked, type WeighHolidays } from '../calendar/index.ts';
import { countDarkening } from '../commands/index.ts';
import { isDarkerOn } from '../publications/index.ts';
import { findFollowers, findHolidaySchemes, type HolidayScheme } from './holidays.store.ts';

/** Another programme on days of a version. */
interface Turned {
  readonly was: Programme;
  readonly is: Programme;
  readonly days: Day[];
}

/**
 * Weighs holidays that lamps begin to follow. What they do on holidays was agreed to when their scheme was published;
 * which days these are is known to everybody and decided by nobody, so that no second person is asked for. Who darkens
 * more than an account may do alone says how many lamps that are.
 */
export function createHolidayWeighing({ clock }: { readonly clock: Clock }): WeighHolidays {
  return async (tx, caller, asked, work) => {
    const now = clock.now();
    const schemes = await findHolidaySchemes(tx);
    const before = await keysOf(tx, schemes, asked);
    await work();
    const after = await keysOf(tx, schemes, asked);
    const turned = new Map<number, readonly Turned[]>();
    for (const { versionId, content } of schemes) {
      const found = turnedOf(content, before.get(versionId), after.get(versionId));
      if (found.length > 0) turned.set(versionId, found);
    }
    if (turned.size === 0) return 0;
    const followers = await findFollowers(tx, [...turned.keys()], now);
    const places = await loadPlaces(tx, [...new Set(followers.map(({ workAreaId }) => workAreaId))]);
    const known = new Map<string, boolean>();
    const found = followers.filter(({ versionId, workAreaId, from, until }) => {
      const place = places.get(workAreaId);
      if (!place || countryOf(place.timeZone) !== asked.country) return false;
      const key = `${versionId} ${workAreaId} ${from} ${until}`;
      const today = lightingDay(place, now.getTime()).day;
      const isFollowed = (day: Day) => day >= today && day >= from && (until === null || day < until);
      const is =
        known.get(key) ??
        (turned.get(versionId) ?? []).some((one) => {
          const day = one.days.find(isFollowed);
          return day !== undefined && isDarker(one, place, day);
        });
      known.set(key, is);
      return is;
    });
    const darker = [...new Map(found.map((lamp) => [lamp.id, lamp])).values()];
    await countDarkening(tx, { actorId: caller.accountId, cause: 'holidays', lamps: darker, now }, (much) => {
      if (asked.confirmCount === much.count) return;
      const rule = asked.confirmCount === undefined ? 'required' : 'invalid';
      throw refuse('holidaysDarken', { ...much }, { fields: [{ field: 'confirmCount', rule }], body: { ...much } });
    });
    return darker.length;
  };
}

/** The programme of every day of the year, and of the one before it: an eve belongs to it. */
async function keysOf(
  tx: Transaction,
  schemes: readonly HolidayScheme[],
  { country, year }: HolidaysAsked,
): Promise<ReadonlyMap<number, ReadonlyMap<Day, number>>> {
  const calendars = schemes.map(({ content }) => content.calendar);
  const facts = await loadDayFacts(tx, country, { from: year - 1, to: year }, calendars);
  const days: Day[] = [];
  for (let day = `${year - 1}-12-31`; day <= `${year}-12-31`; day = addDays(day, 1)) days.push(day);
  return new Map(
    schemes.map(({ versionId, content }) => [
      versionId,
      new Map(days.map((day) => [day, programmeOn(content.calendar, day, facts)])),
    ]),
  );
}

function turnedOf(
  { programmes }: SchemeContent,
  before: ReadonlyMap<Day, number> | undefined,
  after: ReadonlyMap<Day, number> | undefined,
): Turned[] {
  const found = new Map<string, Turned>();
  const of = (key: number | undefined) => programmes.find((one) => one.key === key)?.programme;
  for (const [day, key] of after ?? []) {
    const [was, is] = [of(before?.get(day)), of(key)];
    if (!was || !is || was === is) continue;
    const both = `${before?.get(day)} ${key}`;
    const turned = found.get(both) ?? { was, is, days: [] };
    turned.days.push(day);
    found.set(both, turned);
  }
  return [...found.values()];
}

/** A lamp of no row, and two neighbours in one: patterns leave one of them dark. */
const roles: readonly LampRole[] = [
  noRole,
  ...[1, 2, 3].map((position) => ({ ...noRole, position, rowLength: 5, rotation: 'fixed' as const })),
];

function isDarker({ was, is }: Turned, place: SunPlace, day: Day): boolean {
  return roles.some((role) => {
    const plan = (programme: Programme): LampPlan => ({ place, role, programmeOn: () => programme });
    return isDarkerOn(plan(was), plan(is), day);
  });
}
