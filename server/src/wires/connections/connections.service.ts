import { families } from '../../../../catalogue/index.ts';
import { lightingDay } from '../../../../catalogue/lighting/sun.ts';
import type { QueryOf, ReplyOf } from '../../../../contract/route.ts';
import {
  dropSteps,
  mostDropPeaks,
  mostDropSteps,
  type getConnectionDrops,
  type getConnectionFigures,
  type getDeviceAvailability,
  type listConnections,
  type listDeviceConnections,
} from '../../../../contract/wires/connections.ts';
import type { Clock, Stop } from '../../platform/clock.ts';
import { countOf, createRowCounter, type Db } from '../../platform/db/index.ts';
import { refuse, refuseFields, type RequestContext } from '../../platform/http/index.ts';
import type { Devices } from '../../register/devices/index.ts';
import { forgetFaults } from '../../register/episodes/index.ts';
import { sharesOf, type Stretch } from './availability.ts';
import * as store from './connections.store.ts';
import { checked } from './filters.ts';

type Ctx = Pick<RequestContext, 'caller'>;
export interface ConnectionsParts {
  readonly db: Db;
  readonly clock: Clock;
  readonly devices: Pick<Devices, 'get'>;
  /** What ended longer ago is forgotten, days; 400 unless told. */
  readonly keepDays?: number;
}
export type Connections = ReturnType<typeof createConnections>;

const usualSize = 20;
const dayMs = 86_400_000;
const mostDays = 400;
const mostGaps = 20;
const forgetEveryMs = 3_600_000;
const forgetAtOnce = 5000;
/** Of a place only its zone matters for where a lighting day begins. */
const nowhere = { latitude: 0, longitude: 0 };
const reporting = families.filter(({ report }) => report !== null).map(({ key }) => key);

/** When devices could not be reached, and how long they could. */
export function createConnections({ db, clock, devices, keepDays = mostDays }: ConnectionsParts) {
  const counter = createRowCounter({ db, clock });

  /** What was asked, as far as it has been. */
  function spanOf({ from, to }: { readonly from: string; readonly to: string }): Stretch {
    const span = { from: Date.parse(from), to: Math.min(Date.parse(to), clock.now().getTime()) };
    if (Date.parse(to) <= span.from) throw refuseFields({ field: 'to', rule: 'invalid' });
    if (Date.parse(to) - span.from > mostDays * dayMs) throw refuseFields({ field: 'from', rule: 'invalid' });
    return { from: Math.min(span.from, span.to), to: span.to };
  }

  async function page(
    { caller }: Ctx,
    { page: at = 1, size = usualSize, ...filters }: QueryOf<typeof listConnections>,
  ): Promise<ReplyOf<typeof listConnections>> {
    checked(filters);
    const [data, counted] = await Promise.all([
      store.findEntries(db, caller, filters, { limit: size, offset: Math.max(0, at - 1) * size }),
      counter.about(store.asked(caller, filters)),
    ]);
    return { data, ...countOf(counted) };
  }

  return {
    list: page,

    async ofDevice(
      ctx: Ctx,
      id: number,
      query: QueryOf<typeof listDeviceConnections>,
    ): Promise<ReplyOf<typeof listDeviceConnections>> {
      await devices.get(ctx.caller, id);
      return page(ctx, { ...query, deviceId: id });
    },

    async figures(
      { caller }: Ctx,
      { from, to, ...filters }: QueryOf<typeof getConnectionFigures>,
    ): Promise<ReplyOf<typeof getConnectionFigures>> {
      checked(filters);
      const asked = spanOf({ from, to });
      const span = { from: new Date(asked.from), to: new Date(asked.to) };
      const [now, shares, reasons, gaps] = await Promise.all([
        store.countNow(db, caller, filters, reporting),
        store.sumShares(db, caller, filters, reporting, span),
        store.countReasons(db, caller, filters, span),
        store.findGaps(db, span.from, span.to, mostGaps),
      ]);
      return {
        at: clock.now().toISOString(),
        now,
        span: shares,
        reasons,
        gaps: gaps.map((gap) => ({ from: gap.from.toISOString(), to: gap.to.toISOString() })),
      };
    },

    async drops(
      { caller }: Ctx,
      { from, to, ...filters }: QueryOf<typeof getConnectionDrops>,
    ): Promise<ReplyOf<typeof getConnectionDrops>> {
      checked(filters);
      const asked = spanOf({ from, to });
      const seconds = (asked.to - asked.from) / 1000;
      const stepSeconds = dropSteps.find((step) => seconds / step <= mostDropSteps) ?? dropSteps[dropSteps.length - 1]!;
      const span = { from: new Date(asked.from), to: new Date(asked.to) };
      const [steps, peaks] = await Promise.all([
        store.countSteps(db, caller, filters, { ...span, seconds: stepSeconds }),
        store.findBusiest(db, caller, filters, { ...span, most: mostDropPeaks }),
      ]);
      const told = ({ at, count }: store.Drops) => ({ at: at.toISOString(), count });
      return { from: iso(asked.from), to: iso(asked.to), stepSeconds, steps: steps.map(told), peaks: peaks.map(told) };
    },

    async availability(
      { caller }: Ctx,
      id: number,
      query: QueryOf<typeof getDeviceAvailability>,
    ): Promise<ReplyOf<typeof getDeviceAvailability>> {
      await devices.get(caller, id);
      const zone = await store.findZone(db, id);
      if (!zone) throw refuse('notFound');
      const asked = spanOf(query);
      const span = { from: Math.min(Math.max(asked.from, zone.createdAt.getTime()), asked.to), to: asked.to };
      const { outages, gaps } = await store.findStory(db, id, new Date(span.from), new Date(span.to));
      const stretches = outages.map(({ kind, reason, from, to }) => ({
        kind,
        reason,
        from: Math.max(from.getTime(), span.from),
        to: Math.min(to?.getTime() ?? span.to, span.to),
      }));
      const silent = gaps.map(({ from, to }) => ({
        from: Math.max(from.getTime(), span.from),
        to: Math.min(to.getTime(), span.to),
      }));
      const story = {
        offline: stretches.filter(({ kind }) => kind === 'offline'),
        unpowered: stretches.filter(({ kind }) => kind === 'unpowered'),
        gaps: silent,
      };
      const told = [...stretches, ...silent.map((gap) => ({ kind: 'unknown' as const, reason: null, ...gap }))]
        .filter(({ from, to }) => to > from)
        .toSorted((a, b) => a.from - b.from);
      return {
        from: iso(span.from),
        to: iso(span.to),
        span: sharesOf(story, span),
        days: lightingDaysOf(zone, span).map((day) => ({
          day: day.day,
          from: iso(day.from),
          to: iso(day.to),
          ...sharesOf(story, day),
        })),
        outages: told.map(({ kind, reason, from, to }) => ({ kind, reason, from: iso(from), to: iso(to) })),
      };
    },

    /** Forgets what ended long ago, faults too. */
    start: (): Stop =>
      clock.every(forgetEveryMs, async () => {
        const before = new Date(clock.now().getTime() - keepDays * dayMs);
        while (await store.forget(db, before, forgetAtOnce));
        while (await forgetFaults(db, before, forgetAtOnce));
      }),
  };
}

const iso = (at: number): string => new Date(at).toISOString();

/** The lighting days of a span, the first and the last one cut to it. */
function lightingDaysOf(zone: store.Zone, span: Stretch): { day: string; from: number; to: number }[] {
  const days: { day: string; from: number; to: number }[] = [];
  for (let at = span.from; at < span.to;) {
    const { day, to } = lightingDay({ ...zone, ...nowhere }, at);
    days.push({ day, from: at, to: Math.min(to, span.to) });
    at = to;
  }
  return days;
}
