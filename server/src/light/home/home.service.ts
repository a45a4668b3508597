import { sql } from 'kysely';
import { levelOf } from '../../../../catalogue/faults.ts';
import type { LampPlan } from '../../../../catalogue/lighting/plan/programme.ts';
import { defaultPlan } from '../../../../catalogue/lighting/plan/table.ts';
import type { ReplyOf } from '../../../../contract/route.ts';
import type { getHome, getHomeChanges, getHomeCurve } from '../../../../contract/light/home.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Db } from '../../platform/db/index.ts';
import { visibleDevices, type DeviceScope } from '../../register/devices/index.ts';
import { findLines } from '../../register/episodes/index.ts';
import { type AreaPlace, loadPlaces } from '../../register/places/index.ts';
import { areaPlan, loadCurves, type AreaPlan, type Condition, type Thresholds } from '../lamps/index.ts';
import type { LampPlans } from '../plans/index.ts';
import {
  countAreas,
  countControllers,
  countFaults,
  countLinks,
  findCurve,
  findMainLamps,
  sumEnergy,
  sumPower,
  sumRated,
  type AreaCounts,
  type RatedSum,
} from './home.store.ts';
import { findLoads, stepSeconds, type Hold } from './loads.store.ts';
import { linesOf } from './lines.ts';
import { planned, wholeRow } from './planned.ts';
import { remember } from './remember.ts';

export interface HomeParts {
  readonly db: Db;
  readonly clock: Clock;
  readonly thresholds: Thresholds;
  readonly periods: { readonly litSeconds: number; readonly unlitSeconds: number };
  /** Absent: no lamp was given a plan. */
  readonly plans?: Pick<LampPlans, 'of'>;
}

interface Area {
  place: AreaPlace;
  plan: AreaPlan;
}

/** How old an answer may be, ms. */
const summaryAge = 5000;
const curveAge = 30_000;
const mainsAge = 60_000;
const dayMs = 86_400_000;
const iso = (at: number | Date | null) => (at === null ? null : new Date(at).toISOString());
const share = (numerator: number, denominator: number) => ({
  numerator,
  denominator,
  value: denominator === 0 ? null : numerator / denominator,
});

/** What some lamps took at `from + step × stepSeconds`. */
interface Sum {
  readonly step: number;
  readonly watts: number;
  readonly lit: number;
  readonly reporting: number;
}

/** So long a lamp's last reading may hold: two of its reporting periods. */
export const holdOf = (periods: HomeParts['periods']): Hold => ({
  lit: 2 * periods.litSeconds,
  unlit: 2 * periods.unlitSeconds,
});

export type Home = ReturnType<typeof createHome>;

/** The duty operator's first page: every number counted by SQL from stored readings and what was judged from them. */
export function createHome({ db, clock, thresholds, periods, plans }: HomeParts) {
  async function areasNow(now: number): Promise<Map<number, Area>> {
    const [places, examples] = await Promise.all([loadPlaces(db), mains('all', () => findMainLamps(db))]);
    const given = await plans?.of(db, [...examples.values()], now);
    return new Map(
      [...places].map(([id, place]) => {
        const own = given?.get(examples.get(id) ?? 0);
        return [id, { place, plan: areaPlan(own ? wholeRow(own) : defaultPlan(place), now) }];
      }),
    );
  }

  const hold = holdOf(periods);
  /** By area a lamp of those that most of it are: the night of the area is the one of its plan. */
  const mains = remember<ReadonlyMap<number, number>>(clock, mainsAge);
  const summaries = remember<ReplyOf<typeof getHome>>(clock, summaryAge);
  const curves = remember<ReplyOf<typeof getHomeCurve>>(clock, curveAge);
  const changes = remember<ReplyOf<typeof getHomeChanges>>(clock, summaryAge);

  return {
    /** Callers who see the same devices share an answer. */
    summary: (caller: DeviceScope) => summaries(scopeKey(caller), () => summarise(visibleDevices(caller))),
    curve: (caller: DeviceScope) => curves(scopeKey(caller), () => draw(caller)),
    changes: (caller: DeviceScope, size: number) =>
      changes(`${scopeKey(caller)}/${size}`, () => tell(visibleDevices(caller), size)),
  };

  async function tell(scope: Condition, size: number): Promise<ReplyOf<typeof getHomeChanges>> {
    const now = clock.now().getTime();
    const since = new Date(nightOf(mainArea(await areasNow(now), await countAreas(db, scope)), now).from);
    const [open, ended] = await Promise.all([
      findLines(db, scope, { of: 'open' }, size),
      findLines(db, scope, { of: 'ended', from: since, to: new Date(now + 1) }, size),
    ]);
    return { since: since.toISOString(), open: linesOf(open), ended: linesOf(ended) };
  }

  async function summarise(scope: Condition): Promise<ReplyOf<typeof getHome>> {
    const now = clock.now().getTime();
    const [areas, counts, controllers, faults, watts, links] = await Promise.all([
      areasNow(now),
      countAreas(db, scope),
      countControllers(db, scope),
      countFaults(db, scope),
      sumPower(db, scope),
      countLinks(db, scope),
    ]);
    const main = mainArea(areas, counts);
    const newest = counts.reduce<Date | null>(
      (max, row) => (row.newestAt && (!max || row.newestAt > max) ? row.newestAt : max),
      null,
    );
    const online = sum(counts, (row) => row.online);
    const stale =
      newest !== null &&
      (now - newest.getTime() > quietLimit(online, periods.litSeconds) || (links.known > 0 && links.connected === 0));
    return {
      at: new Date(now).toISOString(),
      newestReadingAt: iso(newest),
      stale,
      staleSince: stale ? iso(newest) : null,
      lamps: sum(counts, (row) => row.lamps),
      litRate: litRate(counts, areas, now, thresholds.litRateDelaySeconds),
      online: {
        lamps: share(
          online,
          sum(counts, (row) => row.fed),
        ),
        controllers: share(controllers.online, controllers.total),
      },
      faults: faultFigures(faults),
      energy: await energy(db, scope, counts, areas, now, watts),
      night: nightOf(main, now),
    };
  }

  /** What a caller's lamps took: sums of its areas, and of lamps bound to its account beyond them each by itself. */
  async function loadsOf(caller: DeviceScope, from: number, to: number): Promise<Sum[]> {
    if (to < from) return [];
    const span = { from: new Date(from), to: new Date(to) };
    const areas = areasOf(caller);
    const loads = (await findLoads(db, areas, span)).map(({ at, ...load }) => ({
      ...load,
      step: Math.round((at.getTime() - from) / (stepSeconds * 1000)),
    }));
    if (areas === 'all' || caller.workAreas === 'all') return loads;
    const bound = sql<boolean>`d.id IN (SELECT device_id FROM device_account WHERE account_id = ${caller.accountId})
      AND NOT d.work_area_id = ANY(${[...areas]}::bigint[]) AND ${visibleDevices(caller)}`;
    const steps = new Map(loads.map((load) => [load.step, load]));
    for (const own of await findCurve(db, bound, span, stepSeconds, hold)) {
      const load = steps.get(own.step);
      steps.set(
        own.step,
        load
          ? {
              step: own.step,
              watts: load.watts + own.watts,
              lit: load.lit + own.lit,
              reporting: load.reporting + own.reporting,
            }
          : own,
      );
    }
    return [...steps.values()];
  }

  /** The plan of the lamps of each sum: the one they were given, else that of their area. */
  async function plansOfSums(
    rated: readonly RatedSum[],
    areas: ReadonlyMap<number, Area>,
    now: number,
  ): Promise<(row: RatedSum) => LampPlan | undefined> {
    const given = await plans?.of(db, [...new Set(rated.flatMap(({ example }) => example ?? []))], now);
    return ({ workAreaId, example }) => {
      const own = given?.get(example ?? 0);
      const place = areas.get(workAreaId)?.place;
      return own ? wholeRow(own) : place && defaultPlan(place);
    };
  }

  async function draw(caller: DeviceScope): Promise<ReplyOf<typeof getHomeCurve>> {
    const scope = visibleDevices(caller);
    const now = clock.now().getTime();
    const [areas, counts, rated, learned] = await Promise.all([
      areasNow(now),
      countAreas(db, scope),
      sumRated(db, scope),
      loadCurves(db),
    ]);
    const night = nightOf(mainArea(areas, counts), now);
    const from = Math.floor(Date.parse(night.from) / (stepSeconds * 1000)) * stepSeconds * 1000;
    const to = Date.parse(night.to);
    const steps = Math.ceil((to - from) / (stepSeconds * 1000)) + 1;
    const lamps = sum(rated, (row) => row.lamps);
    const [tonight, before] = await Promise.all([
      loadsOf(caller, from, Math.min(now, to)),
      loadsOf(caller, from - dayMs, to - dayMs),
    ]);
    const blank = <T>(): (T | null)[] => new Array<T | null>(steps).fill(null);
    const powerKw = blank<number>(),
      previousKw = blank<number>(),
      lit = blank<number>();
    const reporting = new Array<number>(steps).fill(0);
    const tonightEnough = enough(tonight, lamps);
    const beforeEnough = enough(before, lamps);
    for (const row of tonight) {
      reporting[row.step] = row.reporting;
      if (row.reporting < tonightEnough) continue;
      powerKw[row.step] = row.watts / 1000;
      lit[row.step] = row.lit;
    }
    for (const row of before) if (row.reporting >= beforeEnough) previousKw[row.step] = row.watts / 1000;
    return {
      from: new Date(from).toISOString(),
      to: new Date(to).toISOString(),
      stepSeconds,
      lamps,
      powerKw,
      lit,
      reporting,
      previousKw,
      ...planned(rated, learned, await plansOfSums(rated, areas, now), { from, steps }),
    };
  }
}

/** Administrators of one work area see the same; everybody else may have devices bound to the account. */
export const scopeKey = ({ accountId, workAreas, workAreaId }: DeviceScope) =>
  `${workAreas === 'all' ? 'all' : `${accountId}: ${workAreas.toSorted((a, b) => a - b).join()}`}/${workAreaId ?? ''}`;

/** The areas that a caller sees as wholes. */
export function areasOf({ workAreas, workAreaId }: DeviceScope): 'all' | readonly number[] {
  if (workAreaId === null) return workAreas;
  return workAreas === 'all' || workAreas.includes(workAreaId) ? [workAreaId] : [];
}

const sum = <T>(rows: readonly T[], pick: (row: T) => number) => rows.reduce((total, row) => total + pick(row), 0);

/**
 * From how many reporting lamps on a sum says something of the city: half of all, and nine tenths of the most that
 * reported in that night. With fewer the sum would dip where nothing went dark, so it is a gap.
 */
const enough = (rows: readonly Sum[], lamps: number) =>
  Math.max(lamps / 2, 0.9 * Math.max(0, ...rows.map((row) => row.reporting)));

/**
 * So long (ms) nothing may come before the figures count as stale: twenty mean distances between reports, 1 to 45
 * minutes.
 */
function quietLimit(online: number, litSeconds: number): number {
  return Math.min(3 * litSeconds, Math.max(60, (20 * litSeconds) / Math.max(1, online))) * 1000;
}

/** The area with most lamps gives the page its night. */
function mainArea(areas: ReadonlyMap<number, Area>, counts: readonly AreaCounts[]): Area | undefined {
  const most = [...counts].sort((a, b) => b.lamps - a.lamps).find((row) => areas.has(row.workAreaId));
  return most ? areas.get(most.workAreaId) : areas.values().next().value;
}

/** Counted from 30 minutes after the on-time; where a manual command keeps lamps on by day they count too. */
function litRate(counts: readonly AreaCounts[], areas: ReadonlyMap<number, Area>, now: number, delaySeconds: number) {
  let should = 0,
    lit = 0,
    unknown = 0;
  let waiting: number | null = null;
  for (const row of counts) {
    const plan = areas.get(row.workAreaId)?.plan;
    const on = plan?.lastOn(now) ?? null;
    if (plan && on !== null && plan.shouldBeLit(now) && now - on < delaySeconds * 1000) {
      waiting = Math.min(waiting ?? Infinity, on + delaySeconds * 1000);
      continue;
    }
    should += row.should;
    lit += row.shouldAndLit;
    unknown += row.shouldAndUnknown;
  }
  const next = waiting ?? nextCount(counts, areas, now, delaySeconds);
  return {
    counted: should > 0,
    countedFrom: should > 0 ? null : iso(next),
    strict: share(lit, should),
    knownOnly: share(lit, should - unknown),
    unknown,
  };
}

function nextCount(
  counts: readonly AreaCounts[],
  areas: ReadonlyMap<number, Area>,
  now: number,
  delaySeconds: number,
): number | null {
  const times = counts
    .flatMap((row) => areas.get(row.workAreaId)?.plan.lit.map((span) => span.from) ?? [])
    .filter((at) => at > now);
  return times.length ? Math.min(...times) + delaySeconds * 1000 : null;
}

function faultFigures(rows: readonly { fault: string; n: number }[]): ReplyOf<typeof getHome>['faults'] {
  const of = (level: number) =>
    sum(
      rows.filter((row) => levelOf(row.fault) === level),
      (row) => row.n,
    );
  return {
    total: sum(rows, (row) => row.n),
    severe: of(1),
    medium: of(2),
    minor: of(3),
    byCode: Object.fromEntries(rows.map((row) => [row.fault, row.n])),
  };
}

async function energy(
  db: Db,
  scope: Condition,
  counts: readonly AreaCounts[],
  areas: ReadonlyMap<number, Area>,
  now: number,
  watts: number | null,
): Promise<ReplyOf<typeof getHome>['energy']> {
  let kWh: number | null = null;
  let covered = 0;
  let earliest: number | null = null;
  for (const row of counts) {
    const since = areas.get(row.workAreaId)?.plan.lastNight(now) ?? null;
    if (since === null) continue;
    const part = await sumEnergy(db, scope, row.workAreaId, new Date(since));
    if (part.kwh !== null) kWh = (kWh ?? 0) + part.kwh;
    covered += part.covered;
    earliest = Math.min(earliest ?? since, since);
  }
  return { kWh, since: iso(earliest), covered, powerKw: watts === null ? null : watts / 1000 };
}

/**
 * The stretch of time the page shows: from two hours before the on-time to two hours after the off-time of this or the
 * coming night.
 */
function nightOf(area: Area | undefined, now: number): ReplyOf<typeof getHome>['night'] {
  const margin = 2 * 3_600_000;
  const plan = area?.plan;
  const night = plan?.planned.find((span) => now < span.to + margin) ?? null;
  const dark = night && plan ? plan.nights.find((span) => span.from < night.to && night.from < span.to) : undefined;
  const from = night ? night.from - margin : (plan?.lightingDay.from ?? now - dayMs / 2);
  const to = night ? night.to + margin : (plan?.lightingDay.to ?? now + dayMs / 2);
  return {
    from: new Date(from).toISOString(),
    to: new Date(to).toISOString(),
    sunset: iso(dark?.from ?? null),
    sunrise: iso(dark?.to ?? null),
    onAt: iso(night?.from ?? null),
    offAt: iso(night?.to ?? null),
    timeZone: area?.place.timeZone ?? 'Asia/Shanghai',
    longitude: area?.place.longitude ?? null,
    latitude: area?.place.latitude ?? null,
    sunOffsetMinutes: area?.place.sunOffsetMinutes ?? 0,
  };
}
