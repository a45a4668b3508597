import { learnedWatts } from '../../../../catalogue/lighting/lamp-power.ts';
import { levelAt, levelsBetween } from '../../../../catalogue/lighting/plan/lamp-plan.ts';
import type { LampPlan } from '../../../../catalogue/lighting/plan/programme.ts';
import { defaultPlan } from '../../../../catalogue/lighting/plan/table.ts';
import { lightingDay, type SunPlace } from '../../../../catalogue/lighting/sun.ts';
import { addDays } from '../../../../catalogue/lighting/zone.ts';
import type { ReplyOf } from '../../../../contract/route.ts';
import {
  lampStates,
  type countLamps,
  type getLamp,
  type getLampCurve,
  type getLampMap,
  type lampIds,
  type listLamps,
} from '../../../../contract/light/lamps.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Db } from '../../platform/db/index.ts';
import { refuse, refuseFields } from '../../platform/http/index.ts';
import { sql } from 'kysely';
import { clockAheadSeconds } from '../../register/devices/index.ts';
import { findEpisodes } from '../../register/episodes/index.ts';
import { type AreaPlace, loadPlaces } from '../../register/places/index.ts';
import type { LampPlans } from '../plans/index.ts';
import { loadManualSpans } from './manual-spans.ts';
import { manualAt, shouldBeLitAt } from './light.ts';
import {
  countStates,
  countUpTo,
  energySince,
  findCurve,
  findFilters,
  findIds,
  findLamp,
  findLamps,
  findMapRows,
  findRowPlace,
  matching,
  sortColumns,
  type Condition,
  type CurvePoint,
  type Filter,
  type ListQuery,
  type RowPlace,
  type StoredLamp,
} from './lamps.store.ts';
import { loadCurveOf } from './learned-curves.ts';
import type { ManualSpan } from './lamps.types.ts';
import { areaPlan, darknessOf, nightSteps, ownPlan, periodOf, type AreaPlan } from './plan-view.ts';

export interface LampsParts {
  readonly db: Db;
  readonly clock: Clock;
  /** Absent: no lamp was given a plan. */
  readonly plans?: Pick<LampPlans, 'of'>;
  readonly periods: { readonly litSeconds: number; readonly unlitSeconds: number };
}

type LampRow = ReplyOf<typeof listLamps>['data'][number];
const exactUpTo = 10_000;
const idLimit = 20_000;
const curveLimit = 2000;
const mostEpisodes = 50;
const dayMs = 86_400_000;
const iso = (at: Date | null) => at?.toISOString() ?? null;

export type Lamps = ReturnType<typeof createLamps>;

/** What the lamp monitor asks. Every method takes `scope`: the SQL condition for the devices the caller may see. */
export function createLamps({ db, clock, plans, periods }: LampsParts) {
  async function areasNow(now: number): Promise<Map<number, { place: AreaPlace; plan: AreaPlan }>> {
    const places = await loadPlaces(db);
    return new Map([...places].map(([id, place]) => [id, { place, plan: areaPlan(defaultPlan(place), now) }]));
  }

  async function complete(lamps: readonly StoredLamp[], now: number): Promise<LampRow[]> {
    const areas = await areasNow(now);
    const ids = lamps.map((lamp) => lamp.id);
    const manual = await loadManualSpans(db, ids, new Date(now - dayMs));
    const energy = new Map<number, number>();
    for (const [areaId, { plan }] of areas) {
      const since = plan.lastNight(now);
      const here = lamps.filter((lamp) => lamp.workAreaId === areaId).map((lamp) => lamp.id);
      if (since === null || here.length === 0) continue;
      for (const [id, kwh] of await energySince(db, here, new Date(since))) energy.set(id, kwh);
    }
    return lamps.map((lamp) =>
      rowOf(lamp, energy.get(lamp.id) ?? null, manualAt(manual.get(lamp.id) ?? [], now) ?? null),
    );
  }

  /** The lamp's own plan, else that of its area. */
  async function planOf({ id, workAreaId }: StoredLamp, now: number): Promise<AreaPlan | undefined> {
    const own = (await plans?.of(db, [id], now))?.get(id);
    return own ? ownPlan(own, now) : (await areasNow(now)).get(workAreaId)?.plan;
  }

  async function one(scope: Condition, id: number): Promise<StoredLamp> {
    const found = await findLamp(db, id, scope);
    if (!found) throw refuse('notFound');
    const { visible, ...lamp } = found;
    if (!visible) throw refuse('foreignWorkArea');
    return lamp;
  }

  return {
    async list(scope: Condition, query: ListQuery): Promise<ReplyOf<typeof listLamps>> {
      const size = query.size ?? 50;
      const page = Math.max(1, query.page ?? 1);
      const where = matching(scope, query);
      const [lamps, total] = await Promise.all([
        findLamps(db, where, orderOf(query.sort), { limit: size, offset: (page - 1) * size }),
        countUpTo(db, where, exactUpTo),
      ]);
      const data = await complete(lamps, clock.now().getTime());
      if (total <= exactUpTo) return { data, recordsTotal: total };
      const counted = await countStates(db, where);
      return { data, recordsTotal: counted.reduce((sum, row) => sum + row.n, 0) };
    },

    async map(scope: Condition, filter: Filter): Promise<ReplyOf<typeof getLampMap>> {
      const at = clock.now().toISOString();
      const where = matching(scope, filter);
      const [rows, total] = await Promise.all([
        findMapRows(db, where),
        countUpTo(db, where, Number.MAX_SAFE_INTEGER - 1),
      ]);
      const column = <T>(pick: (row: (typeof rows)[number]) => T) => rows.map(pick);
      return {
        at,
        ids: column((r) => r.id),
        codes: column((r) => r.code),
        longitudes: column((r) => r.longitude),
        latitudes: column((r) => r.latitude),
        ratedWatts: column((r) => r.ratedWatts ?? 0),
        cct: column((r) => r.cct ?? 0),
        states: column((r) => lampStates.indexOf(r.state)),
        levels: column((r) => r.level ?? -1),
        poleIds: column((r) => r.poleId ?? 0),
        // Two looks a moment apart: never less than none.
        unplaced: Math.max(0, total - rows.length),
      };
    },

    async counts(scope: Condition, filter: Filter): Promise<ReplyOf<typeof countLamps>> {
      const at = clock.now().toISOString();
      const rows = await countStates(db, matching(scope, filter));
      const states: Record<string, number> = {};
      const faults: Record<string, number> = {};
      let total = 0;
      let online = 0;
      for (const row of rows) {
        total += row.n;
        if (row.online) online += row.n;
        states[row.state] = (states[row.state] ?? 0) + row.n;
        if (row.fault) faults[row.fault] = (faults[row.fault] ?? 0) + row.n;
      }
      return { at, total, online, states, faults };
    },

    async ids(scope: Condition, filter: Filter): Promise<ReplyOf<typeof lampIds>> {
      const ids = await findIds(db, matching(scope, filter), idLimit);
      return { ids: ids.slice(0, idLimit), truncated: ids.length > idLimit };
    },

    filters: (scope: Condition) => findFilters(db, scope),

    async get(scope: Condition, id: number): Promise<ReplyOf<typeof getLamp>> {
      const now = clock.now().getTime();
      const lamp = await one(scope, id);
      const [[row], plan, told, manual, place] = await Promise.all([
        complete([lamp], now),
        planOf(lamp, now),
        findEpisodes(db, { ids: [id], limit: mostEpisodes }),
        loadManualSpans(db, [id], new Date(now - dayMs)),
        findRowPlace(db, id, scope),
      ]);
      if (!row) throw refuse('notFound');
      return {
        lamp: row,
        values: lamp.values,
        plan: {
          switches: plan ? switchesAround(plan, now) : [],
          night: plan ? nightTold(plan, now) : null,
          shouldBeLit: plan ? shouldBeLitAt({ plan, manual: manual.get(id) ?? [] }, now) : false,
          ratedWatts: lamp.ratedWatts,
        },
        connected: lamp.connected,
        connectionChangedAt: iso(lamp.connectionChangedAt),
        clockAheadSeconds: clockAheadSeconds(lamp.clockOffsetMs),
        clockWrongSince: iso(lamp.clockWrongSince ?? null),
        episodes: told.map(({ episode }) => episode),
        row: place ? rowPlaceOf(place) : null,
      };
    },

    async curve(
      scope: Condition,
      id: number,
      query: { from?: string; to?: string },
    ): Promise<ReplyOf<typeof getLampCurve>> {
      const now = clock.now();
      const lamp = await one(scope, id);
      const plan = await planOf(lamp, now.getTime());
      const to = query.to ? new Date(query.to) : now;
      const from = query.from ? new Date(query.from) : new Date(plan?.lightingDay.from ?? now.getTime() - dayMs / 2);
      if (!(from < to)) throw refuseFields({ field: 'from', rule: 'invalid' });
      const [points, learned] = await Promise.all([findCurve(db, id, { from, to }, curveLimit), loadCurveOf(db, id)]);
      const wattsAt = (level: number) =>
        lamp.ratedWatts === null ? null : learnedWatts(lamp.ratedWatts, level, learned);
      return {
        from: from.toISOString(),
        to: to.toISOString(),
        gaps: gapsOf(points, Math.min(to.getTime(), now.getTime()), plan ? periodOf(plan, periods) : periods),
        at: points.map((p) => p.at.toISOString()),
        level: points.map((p) => p.level),
        power: points.map((p) => p.power),
        voltage: points.map((p) => p.voltage),
        current: points.map((p) => p.current),
        powerFactor: points.map((p) => p.powerFactor),
        temperature: points.map((p) => p.temperature),
        nights: plan ? nightsOf(plan.plan.place, from.getTime(), to.getTime()) : [],
        plan: plan
          ? stepsOf(plan.plan, from.getTime(), to.getTime()).map((step) => ({
              ...step,
              watts: wattsAt(step.level),
            }))
          : [],
      };
    },
  };
}

function orderOf(sort: string | undefined) {
  if (!sort) return sql`d.equipment_code COLLATE natural_order, d.id`;
  const [field = '', direction = 'asc'] = sort.split(',');
  const column = Object.hasOwn(sortColumns, field) ? sortColumns[field] : undefined;
  if (!column || !['asc', 'desc'].includes(direction)) {
    throw refuseFields({
      field: 'sort',
      rule: 'enum',
      values: {
        allowed: Object.keys(sortColumns)
          .map((key) => `${key},asc|desc`)
          .join(' '),
      },
    });
  }
  return sql`${column} ${sql.raw(direction)} NULLS LAST, d.id`;
}

function rowPlaceOf({ side, position, poles, ...beside }: RowPlace): ReplyOf<typeof getLamp>['row'] {
  const { previousId, previousCode, nextId, nextCode } = beside;
  return {
    side,
    position,
    poles,
    previous: previousId === null || previousCode === null ? null : { id: previousId, code: previousCode },
    next: nextId === null || nextCode === null ? null : { id: nextId, code: nextCode },
  };
}

function rowOf(lamp: StoredLamp, energyTonight: number | null, manual: ManualSpan | null): LampRow {
  const {
    values: _values,
    energy: _energy,
    connected: _connected,
    connectionChangedAt: _changed,
    clockOffsetMs: _clock,
    clockWrongSince: _since,
    ...row
  } = lamp;
  return {
    ...row,
    faultSince: iso(lamp.faultSince),
    at: iso(lamp.at),
    energyTonight: energyTonight === null ? null : Math.round(energyTonight * 1000) / 1000,
    manual: manual
      ? {
          level: manual.level,
          commandId: manual.commandId,
          until: Number.isFinite(manual.to) ? new Date(manual.to).toISOString() : null,
        }
      : null,
  };
}

/** The switch before now and those after it, of the plan's nights around now. */
function switchesAround(plan: AreaPlan, now: number) {
  const all = plan.lit.flatMap((span) => [
    { at: span.from, level: levelAt(plan.plan, span.from) },
    { at: span.to, level: 0 },
  ]);
  const next = all.findIndex((step) => step.at > now);
  return all
    .slice(Math.max(0, (next === -1 ? all.length : next) - 1))
    .map((step) => ({ at: new Date(step.at).toISOString(), level: step.level }));
}

/** The night whose evening belongs to now. */
function nightTold({ plan }: AreaPlan, now: number) {
  const { day } = lightingDay(plan.place, now);
  return {
    day,
    steps: nightSteps(plan, day).map(({ at, ...step }) => ({ at: new Date(at).toISOString(), ...step })),
  };
}

/** A longer span is not tinted. */
const mostTintedMs = 40 * dayMs;

function nightsOf(place: SunPlace, from: number, to: number) {
  if (to - from > mostTintedMs) return [];
  const nights: { from: string; to: string }[] = [];
  const last = addDays(lightingDay(place, to).day, 1);
  for (let day = addDays(lightingDay(place, from).day, -1); day <= last; day = addDays(day, 1))
    for (const night of darknessOf(place, day))
      if (night.to > from && night.from < to)
        nights.push({
          from: new Date(Math.max(from, night.from)).toISOString(),
          to: new Date(Math.min(to, night.to)).toISOString(),
        });
  return nights;
}

/** The plan's level as steps: what is in force at `from`, then every change until a day after `to`. */
function stepsOf(plan: LampPlan, from: number, to: number) {
  if (to - from > mostTintedMs) return [{ at: new Date(from).toISOString(), level: 0 }];
  return levelsBetween(plan, from, to + dayMs).map(({ from: at, level }) => ({
    at: new Date(at).toISOString(),
    level,
  }));
}

/** Two reporting periods without a reading are a gap; which period holds is told by the reading before it. */
function gapsOf(points: readonly CurvePoint[], end: number, periods: LampsParts['periods']) {
  const gaps: { from: string; to: string }[] = [];
  points.forEach((point, index) => {
    const next = points[index + 1]?.at.getTime() ?? end;
    const seconds = (point.level ?? 0) > 0 ? periods.litSeconds : periods.unlitSeconds;
    if (next - point.at.getTime() > 2 * seconds * 1000)
      gaps.push({ from: point.at.toISOString(), to: new Date(next).toISOString() });
  });
  return gaps;
}
