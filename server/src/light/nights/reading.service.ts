import { nightOutcomes } from '../../../../catalogue/lighting/nights.ts';
import { rehearsalPhases, reportPhases } from '../../../../contract/light/nights.ts';
import type { getNight, listNightLamps, listNights } from '../../../../contract/light/nights.ts';
import type { QueryOf, ReplyOf } from '../../../../contract/route.ts';
import type { Day } from '../../../../catalogue/lighting/zone.ts';
import type { Db } from '../../platform/db/index.ts';
import { refuse, refuseProblems, type Caller } from '../../platform/http/index.ts';
import type { DeviceScope } from '../../register/devices/index.ts';
import { areasOf } from '../home/index.ts';
import type { LampsAsked } from './nights.query.ts';
import * as store from './reading.store.ts';

type Night = ReplyOf<typeof getNight>;
type Figures = Pick<Night, 'report' | 'reportedAt' | 'counts' | 'rehearsal'>;

const iso = (at: Date | null) => at?.toISOString() ?? null;
const pageOf = ({ page, size = 50 }: { readonly page?: number; readonly size?: number }) => ({
  limit: size,
  offset: Math.max(0, (page ?? 1) - 1) * size,
});
const earliest = (times: readonly (Date | null)[]): Date | null =>
  times.reduce((first, at) => (at && (!first || at < first) ? at : first), null);
const latest = (times: readonly (Date | null)[]): Date | null =>
  times.reduce((last, at) => (at && (!last || at > last) ? at : last), null);
/** The one that comes first in the order of phases. */
const least = <Phase>(order: readonly Phase[], given: readonly Phase[]): Phase | undefined =>
  order.find((one) => given.includes(one));

/** What several areas come to in a night. */
export function figuresOf(rows: readonly store.StoredNight[]): Figures {
  const sum = (pick: (row: store.StoredNight) => number) => rows.reduce((total, row) => total + pick(row), 0);
  const counts = Object.fromEntries(nightOutcomes.map((key) => [key, sum((row) => row.counts[key] ?? 0)])) as Record<
    (typeof nightOutcomes)[number],
    number
  >;
  // An area without a lamp to light is never asked: it holds back nobody's list.
  const rehearsed = rows.filter(({ firstOn, rehearsal }) => firstOn !== null || rehearsal !== 'planned');
  const isReported = rows.every(({ report }) => report === 'done');
  return {
    report:
      least(
        reportPhases,
        rows.map(({ report }) => report),
      ) ?? 'planned',
    reportedAt: isReported ? iso(latest(rows.map(({ reportedAt }) => reportedAt))) : null,
    counts: { lamps: nightOutcomes.reduce((total, key) => total + counts[key], 0), ...counts },
    rehearsal: {
      phase:
        least(
          rehearsalPhases,
          rehearsed.map(({ rehearsal }) => rehearsal),
        ) ?? 'planned',
      firstOn: iso(earliest(rows.map(({ firstOn }) => firstOn))),
      askedAt: iso(latest(rows.map(({ askedAt }) => askedAt))),
      listedAt: iso(latest(rows.map(({ listedAt }) => listedAt))),
      lit: sum(({ lit }) => lit),
      unasked: sum(({ unasked }) => unasked),
      dark: sum(({ dark }) => dark),
    },
  };
}

/** What of a list of lamps is asked for; a foreign area is refused. */
export function askedOf(
  caller: DeviceScope,
  day: Day,
  { part = 'report', q, ...filter }: Partial<Omit<LampsAsked, 'day'>>,
): LampsAsked {
  const areas = areasOf(caller);
  const { outcome, reason, areaId } = filter;
  if (areaId !== undefined && areas !== 'all' && !areas.includes(areaId)) throw refuse('foreignWorkArea');
  return { day, part, outcome, reason, areaId, q: q?.trim() || undefined };
}

/** A day of the calendar. */
export const isDay = (day: Day): boolean =>
  !Number.isNaN(Date.parse(day)) && new Date(day).toISOString().startsWith(day);

/** The night of a day in the caller's areas; refuses a day that no calendar has, or a night of other areas alone. */
export async function seenNight(db: Db, caller: DeviceScope, day: Day): Promise<store.StoredNight[]> {
  if (!isDay(day)) throw refuseProblems([{ field: 'day', rule: 'date' }]);
  const rows = await store.findNights(db, caller, [day]);
  if (rows.length === 0) throw refuse((await store.isNight(db, day)) ? 'foreignWorkArea' : 'notFound');
  return rows;
}

/** Nights, what became of lamps in them, and which. */
export function createNightReading({ db }: { readonly db: Db }) {
  return {
    async list(caller: Caller, query: QueryOf<typeof listNights>): Promise<ReplyOf<typeof listNights>> {
      const { days, count } = await store.findDays(db, caller, pageOf(query));
      const byDay = Map.groupBy(await store.findNights(db, caller, days), ({ day }) => day);
      return {
        data: days.map((day) => {
          const rows = byDay.get(day) ?? [];
          return { day, areas: rows.length, ...figuresOf(rows) };
        }),
        recordsTotal: count,
      };
    },

    async get(caller: Caller, day: Day): Promise<Night> {
      const rows = await seenNight(db, caller, day);
      return {
        day,
        areas: rows.length,
        ...figuresOf(rows),
        byArea: rows.map((row) => ({
          ...figuresOf([row]),
          workAreaId: row.workAreaId,
          name: row.name,
          timeZone: row.timeZone,
          commandId: row.commandId,
        })),
        reasons: await store.countReasons(db, caller, day),
      };
    },

    async lamps(
      caller: Caller,
      day: Day,
      { page, size, ...filter }: QueryOf<typeof listNightLamps>,
    ): Promise<ReplyOf<typeof listNightLamps>> {
      const asked = askedOf(caller, day, filter);
      await seenNight(db, caller, day);
      const pages = pageOf({ ...(page === undefined ? {} : { page }), ...(size === undefined ? {} : { size }) });
      const [rows, count] = await Promise.all([
        store.findLampPage(db, caller, asked, pages),
        store.countLamps(db, caller, asked),
      ]);
      return {
        data: rows.map((row) => ({
          ...row,
          since: iso(row.since),
          stepAt: iso(row.stepAt),
          readingAt: iso(row.readingAt),
        })),
        recordsTotal: count,
      };
    },
  };
}
