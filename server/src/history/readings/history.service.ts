import { familyOf, type Quantity } from '../../../../catalogue/index.ts';
import { defaultPlan } from '../../../../catalogue/lighting/plan/table.ts';
import { dayOf, instantOf } from '../../../../catalogue/lighting/zone.ts';
import { gapPeriods } from '../../../../catalogue/lighting/energy.ts';
import type { LampPlan } from '../../../../catalogue/lighting/plan/programme.ts';
import { resolutionSeconds, type Resolution } from '../../../../contract/history.ts';
import type { QueryOf, ReplyOf } from '../../../../contract/route.ts';
import {
  mostCurveValues,
  type getHistoryQuantities,
  type getHistorySeries,
} from '../../../../contract/history/history.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Db } from '../../platform/db/index.ts';
import { refuse, type Caller } from '../../platform/http/index.ts';
import type { LampPlans } from '../../light/plans/index.ts';
import { loadPlaces } from '../../register/places/index.ts';
import {
  askedDevices,
  askedQuantities,
  curveKind,
  hasQuantity,
  idsOf,
  optionsOf,
  scopeOf,
  unitOf,
  type AskedDevice,
} from './asked.ts';
import { meterOf } from './meters.ts';
import { quantityNumbers } from './quantity-numbers.store.ts';
import { automatic, mostReadings, possible } from './resolution.ts';
import { beginnings, findReported, keptSince } from './storage.store.ts';
import { findSeries, type Point, type StoredSeries } from './series.store.ts';

export interface HistoryParts {
  readonly db: Db;
  readonly clock: Clock;
  /** Absent: no lamp was given a plan. */
  readonly plans?: Pick<LampPlans, 'of'>;
}
export type History = ReturnType<typeof createHistory>;
type Series = ReplyOf<typeof getHistorySeries>['series'][number];

const usualPoints = 600;
export const longestDays = 3660;
const dayMs = 86_400_000;

/** Curves of what devices sent. */
export function createHistory({ db, clock, plans }: HistoryParts) {
  return {
    async series(caller: Caller, query: QueryOf<typeof getHistorySeries>): Promise<ReplyOf<typeof getHistorySeries>> {
      const [from, to] = spanOf(query);
      const devices = await askedDevices(db, scopeOf(caller), idsOf(query.deviceIds));
      const quantities = askedQuantities(query.quantities.split(','));
      const wanted = {
        from,
        to,
        points: query.points ?? usualPoints,
        series: devices.length * quantities.length,
        families: [...new Set(devices.map(({ family }) => family))],
      };
      const kept = await keptSince(db);
      const choices = possible(wanted, kept);
      const resolution = query.resolution ?? automatic(wanted, kept);
      if (!choices.includes(resolution)) throw refuse('historyTooFine');
      const begin = beginningOf(resolution, from, devices);
      const stored = await findSeries(db, resolution, {
        deviceIds: devices.map(({ id }) => id),
        quantities,
        numbers: await quantityNumbers(db),
        from: begin,
        to,
        rolledTo: kept.rolledTo,
        // A device may say more than its family does by itself.
        most: Math.min(mostReadings, Math.floor(mostCurveValues / Math.max(1, wanted.series))),
      });
      const [places, own] = await Promise.all([
        loadPlaces(db),
        plans?.of(
          db,
          devices.map(({ id }) => id),
          to,
        ),
      ]);
      const planOf = ({ id, areaId }: AskedDevice): LampPlan | undefined => {
        const place = places.get(areaId);
        return own?.get(id) ?? (place && defaultPlan(place));
      };
      const seen = { from: begin, to: Math.min(to, clock.now().getTime()), seconds: resolutionSeconds[resolution] };
      return {
        resolution,
        seconds: seen.seconds,
        possible: choices,
        from: new Date(begin).toISOString(),
        to: new Date(to).toISOString(),
        series: devices.flatMap((device) =>
          quantities.flatMap((quantity, i) =>
            hasQuantity(device, quantity.key)
              ? [
                  seriesOf(
                    device,
                    quantity,
                    stored.find((one) => one.deviceId === device.id && one.i === i),
                    planOf(device),
                    seen,
                  ),
                ]
              : [],
          ),
        ),
        truncated: stored.some(({ isCut }) => isCut),
      };
    },

    async quantities(
      caller: Caller,
      { deviceIds }: QueryOf<typeof getHistoryQuantities>,
    ): Promise<ReplyOf<typeof getHistoryQuantities>> {
      const devices = await askedDevices(db, scopeOf(caller), idsOf(deviceIds));
      const reported = await findReported(
        db,
        devices.map(({ id }) => id),
      );
      return {
        data: devices.map(({ id, family, code, name, timeZone }) => ({
          id,
          family,
          code,
          name,
          timeZone,
          quantities: (familyOf(family)?.quantities ?? []).map((quantity) => ({
            key: quantity.key,
            kind: curveKind(quantity),
            unit: unitOf(quantity),
            decimals: quantity.kind === 'number' ? quantity.decimals : 0,
            options: options(quantity),
            reported: reported.get(id)?.has(quantity.key) === true,
          })),
        })),
        since: await beginnings(db),
      };
    },
  };
}

const options = (quantity: Quantity): string[] | null => optionsOf(quantity)?.slice() ?? null;

/** The span of a request, epoch milliseconds; refuses one that runs backwards or is longer than ten years. */
export function spanOf({ from, to }: { readonly from: string; readonly to: string }): [number, number] {
  const span: [number, number] = [Date.parse(from), Date.parse(to)];
  if (!(span[1] > span[0]) || span[1] - span[0] > longestDays * dayMs)
    throw refuse('historySpan', { days: longestDays }, { fields: [{ field: 'to', rule: 'invalid' }] });
  return span;
}

/** Stretches are told whole: the first begins at or before the span. */
export function beginningOf(resolution: Resolution, from: number, devices: readonly AskedDevice[]): number {
  if (resolution === 'day')
    return Math.min(...devices.map(({ timeZone }) => instantOf(dayOf(from, timeZone), 0, timeZone)));
  const step = resolutionSeconds[resolution] * 1000;
  return step === 0 ? from : Math.floor(from / step) * step;
}

interface Seen {
  readonly from: number;
  readonly to: number;
  readonly seconds: number;
}

function seriesOf(
  device: AskedDevice,
  quantity: Quantity,
  stored: StoredSeries | undefined,
  plan: LampPlan | undefined,
  seen: Seen,
): Series {
  const points = stored?.points ?? [];
  const { measured, estimated, stale, invalid } = stored ?? { measured: 0, estimated: 0, stale: 0, invalid: 0 };
  return {
    deviceId: device.id,
    quantity: quantity.key,
    kind: curveKind(quantity),
    unit: unitOf(quantity),
    options: options(quantity),
    points,
    gaps: gapsOf(points, meterOf({ ...device, plan }).period, seen),
    quality: { measured, estimated, stale, invalid },
  };
}

/**
 * Where no value came for longer than three reporting periods, as the plan has them, and than one stretch; up to now
 * the silence counts too.
 */
export function gapsOf(
  points: readonly Point[],
  period: (from: number, to: number) => number,
  { from, to, seconds }: Seen,
): [number, number][] {
  const gaps: [number, number][] = [];
  let last = from;
  const look = (next: number, slack: number) => {
    // In this order: what a period was takes longer to say.
    if (next - last > slack && next - last > gapPeriods * period(last, next)) gaps.push([last, next]);
  };
  for (const [at, value] of points) {
    if (value === null) continue;
    // A day may have an hour more.
    look(at, seconds * 1050);
    last = at;
  }
  if (to > from) look(to, 2 * seconds * 1000);
  return gaps;
}
