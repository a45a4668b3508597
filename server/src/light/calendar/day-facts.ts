import type { DayFacts, HolidayFacts } from '../../../../catalogue/lighting/plan/calendar.ts';
import type { HolidayCountry } from '../../../../catalogue/lighting/plan/countries.ts';
import type { Calendar } from '../../../../catalogue/lighting/plan/scheme.ts';
import type { Db } from '../../platform/db/index.ts';
import { findDays, findYears } from './holidays.store.ts';
import { lunarOn } from './lunar.ts';
import { recurrencesOf } from './recurrence.ts';

const notKnown: HolidayFacts = { state: 'unknown', classes: [] };

/**
 * What calendars ask of days: the holidays of a country (null: none are known) from one year to another, lunar days,
 * and the days of the calendars' RRULEs. Years are civil ones: the day after the last is asked too, for its eve.
 */
export async function loadDayFacts(
  db: Db,
  country: HolidayCountry | null,
  years: { readonly from: number; readonly to: number },
  calendars: readonly Calendar[],
): Promise<DayFacts> {
  const asked = { from: years.from, to: years.to + 1 };
  const [known, days, recurs] = await Promise.all([
    country === null ? [] : findYears(db, country, asked),
    country === null ? [] : findDays(db, country, asked),
    recurrencesOf(calendars),
  ]);
  const states = new Map(known.map(({ year, state }) => [String(year), state]));
  const classes = Map.groupBy(days, ({ day }) => day);
  return {
    holiday: (day) => {
      const state = states.get(day.slice(0, 4)) ?? 'unknown';
      return state === 'unknown' ? notKnown : { state, classes: classes.get(day) ?? [] };
    },
    lunar: lunarOn,
    recurs,
  };
}
