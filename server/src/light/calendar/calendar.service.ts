import type { HolidayCountry } from '../../../../catalogue/lighting/plan/countries.ts';
import { countryOf } from '../../../../catalogue/lighting/plan/countries.ts';
import { rulesOn, type DayRules } from '../../../../catalogue/lighting/plan/calendar.ts';
import { calendarProblems, isCalendar } from '../../../../catalogue/lighting/plan/calendar-problems.ts';
import { addDays, dayOf, type Day } from '../../../../catalogue/lighting/zone.ts';
import type { getHolidays, importHolidays, previewCalendar } from '../../../../contract/light/calendar.ts';
import type { BodyOf, QueryOf, ReplyOf } from '../../../../contract/route.ts';
import type { Bus } from '../../platform/bus/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Db, Transaction } from '../../platform/db/index.ts';
import {
  refuse,
  refuseProblems,
  wordedProblems,
  type Caller,
  type RequestContext,
  type RuleProblem,
  type Sound,
} from '../../platform/http/index.ts';
import { TableRefusal } from '../../platform/table-file/index.ts';
import { builtInYears } from './built-in.ts';
import { loadDayFacts } from './day-facts.ts';
import { readHolidays } from './holiday-file.ts';
import * as store from './holidays.store.ts';

export interface CalendarParts {
  readonly db: Db;
  readonly clock: Clock;
  readonly bus: Bus;
  /** Absent: no lamp was given a plan. */
  readonly weigh?: WeighHolidays;
}
export interface HolidaysAsked {
  readonly country: HolidayCountry;
  readonly year: number;
  /** What the caller says of how many lamps get darker. */
  readonly confirmCount: number | undefined;
}
/** Does the work on the holidays of a year; answers how many lamps get darker on some day by it, or refuses it. */
export type WeighHolidays = (
  tx: Transaction,
  caller: Caller,
  asked: HolidaysAsked,
  work: () => Promise<void>,
) => Promise<number>;
const unweighed: WeighHolidays = async (_tx, _caller, _asked, work) => {
  await work();
  return 0;
};
type Ctx = Pick<RequestContext, 'caller' | 'change' | 'upload'>;
type Year = ReplyOf<typeof getHolidays>;
type Imported = ReplyOf<typeof importHolidays>;
type Preview = BodyOf<typeof previewCalendar>;

/** Puts the years that come with the program into the tables, at every start; what people imported stays. */
export async function prepareHolidays(db: Db, now: Date): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await store.lockHolidays(tx);
    const known = new Map((await store.findSources(tx)).map((one) => [`${one.country} ${one.year}`, one]));
    const due = builtInYears().filter(({ country, year, source }) => {
      const before = known.get(`${country} ${year}`);
      return before === undefined || (before.builtIn && before.source !== source);
    });
    if (due.length > 0) await store.putYears(tx, due, { builtIn: true, at: now });
  });
}

/** From December on: the next year of countries with work areas, where nothing is known of it. */
export async function findUnknownYears(db: Db, now: Date): Promise<{ country: HolidayCountry; year: number }[]> {
  const asked = new Map<HolidayCountry, number>();
  for (const zone of await store.findZones(db)) {
    const country = countryOf(zone);
    const today = dayOf(now.getTime(), zone);
    if (country !== null && today.slice(5, 7) === '12') asked.set(country, Number(today.slice(0, 4)) + 1);
  }
  const unknown: { country: HolidayCountry; year: number }[] = [];
  for (const [country, year] of asked) {
    const [known] = await store.findYears(db, country, { from: year, to: year });
    if (known === undefined || known.state === 'unknown') unknown.push({ country, year });
  }
  return unknown;
}

async function bytesOf(upload: AsyncIterable<Uint8Array> | undefined): Promise<Uint8Array> {
  if (!upload) throw refuse('unsupportedMediaType');
  const chunks: Uint8Array[] = [];
  for await (const chunk of upload) chunks.push(chunk);
  return new Uint8Array(Buffer.concat(chunks));
}

const daysOfYear = (year: number): Day[] => {
  const days: Day[] = [];
  for (let day = `${year}-01-01`; day.startsWith(`${year}`); day = addDays(day, 1)) days.push(day);
  return days;
};

/** Silent rules of a year: each with the kind of what is not known, and on which days. */
function silentOf(days: readonly { readonly day: Day; readonly rules: DayRules }[]) {
  const all = days.flatMap(({ day, rules }) => rules.unknown.map((one) => ({ ...one, day })));
  return [...Map.groupBy(all, ({ rule, kind }) => `${rule} ${kind}`).values()].flatMap((of) => {
    const [first, last] = [of[0], of.at(-1)];
    return first && last
      ? [{ rule: first.rule, kind: first.kind, from: first.day, to: last.day, days: of.length }]
      : [];
  });
}

/** The country of a work area; of none: the one that all have, where it is one. Undefined: there is no such area. */
export async function countryIn(db: Db, workAreaId: number | null): Promise<HolidayCountry | null | undefined> {
  const zones = await zonesIn(db, workAreaId);
  if (workAreaId !== null && zones.length === 0) return undefined;
  const [country = null, ...others] = new Set(zones.map(countryOf));
  return others.length === 0 ? country : null;
}

/** The time zone of a work area, or those of all. */
export async function zonesIn(db: Db, workAreaId: number | null): Promise<readonly string[]> {
  if (workAreaId === null) return store.findZones(db);
  const zone = await store.findZone(db, workAreaId);
  return zone === undefined ? [] : [zone];
}

export function createCalendars({ db, clock, bus, weigh = unweighed }: CalendarParts) {
  async function yearOf(country: HolidayCountry, year: number): Promise<Year> {
    const span = { from: year, to: year };
    const [[known], days] = await Promise.all([store.findYears(db, country, span), store.findDays(db, country, span)]);
    return {
      country,
      year,
      state: known?.state ?? 'unknown',
      source: known?.source ?? null,
      importedAt: known?.importedAt.toISOString() ?? null,
      days,
    };
  }

  /** The country of a work area that the caller sees. */
  async function countryOfArea({ workAreas }: Caller, workAreaId: number | null): Promise<HolidayCountry | null> {
    const found = await countryIn(db, workAreaId);
    if (found === undefined) throw refuse('notFound');
    if (workAreaId !== null && workAreas !== 'all' && !workAreas.includes(workAreaId)) throw refuse('foreignWorkArea');
    return found;
  }

  return {
    holidays: ({ country, year }: QueryOf<typeof getHolidays>): Promise<Year> => yearOf(country, year),

    async import(
      { caller, change, upload }: Ctx,
      { country, year, name, state = 'official', confirmCount }: QueryOf<typeof importHolidays>,
    ): Promise<Imported> {
      const { days, problems } = await readHolidays(await bytesOf(upload), year).catch((thrown: unknown) => {
        throw thrown instanceof TableRefusal ? refuse(thrown.fault) : thrown;
      });
      if (problems.length > 0) throw refuseProblems(problems);
      const noted: Record<string, unknown> = { country, year, name, state, days: days.length };
      const darkens = await change({ action: 'holiday.import', params: noted }, async (tx) => {
        await store.lockHolidays(tx);
        const one = { country, year, state, source: name, days };
        const darker = await weigh(tx, caller, { country, year, confirmCount }, () =>
          store.putYears(tx, [one], { builtIn: false, at: clock.now() }),
        );
        if (darker > 0) noted['darkens'] = darker;
        return darker;
      });
      bus.publish('settings.changed', { workAreaId: null });
      return { ...(await yearOf(country, year)), darkens };
    },

    async preview(
      { caller }: Pick<RequestContext, 'caller'>,
      { calendar, programmes, year, workAreaId }: Preview,
    ): Promise<ReplyOf<typeof previewCalendar>> {
      if (!isCalendar(calendar, programmes)) throw refuseProblems(calendarProblems(calendar, programmes));
      const country = await countryOfArea(caller, workAreaId);
      const facts = await loadDayFacts(db, country, { from: year, to: year }, [calendar]);
      const days = daysOfYear(year).map((day) => ({ day, rules: rulesOn(calendar, day, facts) }));
      return {
        country,
        days: days.map(({ day, rules }) => ({
          day,
          programme: rules.programme,
          rule: rules.winner,
          others: [...rules.lost],
          holidays: facts.holiday(day).classes.map((one) => ({ class: one.class, name: one.name })),
          lunar: facts.lunar(day),
        })),
        years: [year, year + 1].map((one) => ({ year: one, state: facts.holiday(`${one}-01-01`).state })),
        unknown: silentOf(days),
      };
    },

    /** What is wrong with a calendar, for a form that is refused for other reasons. */
    problems: ({ calendar, programmes = [] }: Sound<Preview>): RuleProblem[] =>
      wordedProblems(calendarProblems(calendar, programmes)),
  };
}
export type Calendars = ReturnType<typeof createCalendars>;
