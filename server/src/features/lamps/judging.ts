import { defaultTable } from '../../../../catalogue/lighting/plan.ts';
import type { Clock, Stop } from '../../platform/clock.ts';
import type { Db } from '../../platform/db/index.ts';
import { controllerSilentSince, judgeLamp } from './judge.ts';
import {
  childrenOf, controllerFamily, findDue, heartbeats, lampFamily, loadDevices, loadManualSpans, loadPlaces, loadSamples, lockJudging, lockStates, writeEvents, writeStates,
  type AreaPlace, type JudgedDevice, type NewEvent, type StoredState,
} from './judge.store.ts';
import type { Judgement, LampSample, ManualSpan } from './lamps.types.ts';
import { areaPlan, type AreaPlan } from './plan-view.ts';
import type { Thresholds } from './thresholds.ts';

export interface JudgingParts {
  readonly db: Db;
  readonly clock: Clock;
  readonly thresholds: Thresholds;
  /** Reporting periods by the catalogue, seconds. */
  readonly periods: { readonly litSeconds: number; readonly unlitSeconds: number; readonly controllerSeconds: number };
  /** Told the ids of the devices that were judged anew, after the commit. */
  readonly announce: (ids: readonly number[]) => void;
  readonly onError: (thrown: unknown) => void;
}

export interface Judging {
  /** These devices sent something or were changed: judge them soon. */
  touch(ids: readonly number[]): void;
  /** Judges these devices now. */
  judge(ids: readonly number[]): Promise<void>;
  /** Judges the devices whose state time alone may have changed. */
  sweep(): Promise<void>;
  start(): Stop;
}

const batchSize = 1000;
const touchMs = 500;
const sweepMs = 15_000;
const dayMs = 86_400_000;

/** Their silence is a fault of its own (N302): it takes what speaks through them along. */
const speaksForOthers: ReadonlySet<string> = new Set([controllerFamily, 'gateway']);

/** A place without sun (no coordinates known): nothing should be lit, nothing is a fault of the plan. */
const noPlan: AreaPlan = {
  lit: [], nights: [], lightingDay: { from: 0, to: 0 }, onAt: null, offAt: null, sunset: null, sunrise: null,
  shouldBeLit: () => false, lastOn: () => null, isDay: () => false,
};

/** Keeps `device_state` true: judges devices after each reading, and by the clock those that fell silent or whose plan switched. */
export function createJudging(parts: JudgingParts): Judging {
  const { db, clock, thresholds, periods } = parts;
  const touched = new Set<number>();
  let running: Promise<void> | undefined;
  /** Up to when ended manual states were judged; after a start the last hour is gone through again. */
  let sweptTo: Date | undefined;

  const heartbeatOf = (family: string): number => family === controllerFamily ? periods.controllerSeconds : heartbeats.get(family) ?? periods.controllerSeconds;

  function judgeOne(device: JudgedDevice, now: number, plan: AreaPlan, samples: readonly LampSample[], manual: readonly ManualSpan[]): Judgement {
    const heartbeatSeconds = heartbeatOf(device.family);
    if (device.family !== lampFamily) {
      const silent = controllerSilentSince({ now, lastAt: device.lastAt?.getTime() ?? null, createdAt: device.createdAt.getTime(), heartbeatSeconds }, thresholds);
      const base = { lit: null, shouldBeLit: null, level: null };
      if (!device.enabled) return { ...base, state: 'maintenance', online: silent === null, fault: null, faultSince: null };
      if (silent !== null) return { ...base, state: 'offline', online: false, ...(speaksForOthers.has(device.family) ? { fault: 'N302', faultSince: silent } : { fault: null, faultSince: null }) };
      return { ...base, state: device.lastAt === null ? 'unknown' : 'on', online: device.lastAt !== null, fault: null, faultSince: null };
    }
    return judgeLamp({
      now, enabled: device.enabled, ratedWatts: device.ratedWatts, lastAt: device.lastAt?.getTime() ?? null, createdAt: device.createdAt.getTime(),
      samples, manual, plan, period: periods,
      controllerSilentSince: device.parentId === null ? null
        : controllerSilentSince({ now, lastAt: device.parentLastAt?.getTime() ?? null, createdAt: device.parentCreatedAt?.getTime() ?? now, heartbeatSeconds: periods.controllerSeconds }, thresholds),
    }, thresholds);
  }

  async function judgeBatch(ids: readonly number[], places: ReadonlyMap<number, AreaPlace>): Promise<number[]> {
    const plans = new Map<number, AreaPlan>();
    const planOf = (areaId: number, now: number) => {
      const place = places.get(areaId);
      if (!place) return noPlan;
      const plan = plans.get(areaId) ?? areaPlan(place, now, defaultTable);
      plans.set(areaId, plan);
      return plan;
    };
    const turned: number[] = [];
    const judged = await db.transaction().execute(async (tx) => {
      // Read under the lock: who judges later has read later, so that a sweep never overwrites what a reading just changed.
      await lockJudging(tx);
      const now = clock.now();
      const devices = await loadDevices(tx, ids);
      const samples = await loadSamples(tx, ids, new Date(now.getTime() - thresholds.windowSeconds * 1000));
      const manual = await loadManualSpans(tx, ids, new Date(now.getTime() - dayMs - thresholds.windowSeconds * 1000));
      const rows = devices.map((device) => ({
        id: device.id, controller: speaksForOthers.has(device.family),
        ...judgeOne(device, now.getTime(), planOf(device.workAreaId, now.getTime()), samples.get(device.id) ?? [], manual.get(device.id) ?? []),
      }));
      const before = await lockStates(tx, rows.map((row) => row.id));
      const changed = rows.filter((row) => differs(before.get(row.id), row));
      await writeStates(tx, now, changed);
      await writeEvents(tx, changed.flatMap((row) => eventsOf(before.get(row.id), row, now)));
      for (const row of changed) if (row.controller && before.get(row.id)?.online !== row.online) turned.push(row.id);
      return rows;
    });
    parts.announce(judged.map((row) => row.id));
    return turned;
  }

  async function judge(ids: readonly number[]): Promise<void> {
    if (ids.length === 0) return;
    const places = await loadPlaces(db);
    const turned: number[] = [];
    for (let start = 0; start < ids.length; start += batchSize) turned.push(...await judgeBatch(ids.slice(start, start + batchSize), places));
    // A controller that went or came takes its lamps with it.
    if (turned.length > 0) await judge(await childrenOf(db, turned));
  }

  async function sweep(): Promise<void> {
    const now = clock.now();
    const silent = (seconds: number) => Math.max(thresholds.silentMinSeconds, thresholds.silentPeriods * seconds);
    const areas = [...(await loadPlaces(db)).values()].map((place) => ({
      id: place.id, lit: areaPlan(place, now.getTime()).shouldBeLit(now.getTime()),
      litSeconds: silent(periods.litSeconds), unlitSeconds: silent(periods.unlitSeconds),
    }));
    const silentAfter = new Map([...heartbeats.keys()].map((family) => [family, Math.max(thresholds.controllerSilentMinSeconds, thresholds.controllerSilentPeriods * heartbeatOf(family))]));
    const since = sweptTo ?? new Date(now.getTime() - 3_600_000);
    await judge(await findDue(db, { since, now }, areas, silentAfter));
    sweptTo = now;
  }

  function flush(): void {
    if (running || touched.size === 0) return;
    const ids = [...touched];
    touched.clear();
    running = judge(ids).catch(parts.onError).finally(() => { running = undefined; });
  }

  return {
    touch(ids) {
      for (const id of ids) touched.add(id);
    },
    judge, sweep,
    start() {
      const stops = [clock.every(touchMs, flush), clock.every(sweepMs, sweep)];
      return () => stops.forEach((stop) => stop());
    },
  };
}

function differs(before: StoredState | undefined, row: Judgement): boolean {
  return !before || before.state !== row.state || before.fault !== row.fault || before.online !== row.online || before.lit !== row.lit
    || before.shouldBeLit !== row.shouldBeLit || !sameLevel(before.level, row.level);
}

/** Levels are kept in single precision. */
function sameLevel(a: number | null, b: number | null): boolean {
  return a === null || b === null ? a === b : Math.abs(a - b) < 0.01;
}

/** A lamp that only shares its controller's silence is no event of its own: the controller's is. */
function eventsOf(before: StoredState | undefined, row: Judgement & { id: number; controller: boolean }, now: Date): NewEvent[] {
  const shown = (fault: StoredState['fault'] | undefined) => (fault === 'N302' && !row.controller ? null : (fault ?? null));
  const was = shown(before?.fault);
  const is = shown(row.fault);
  if (was === is) return [];
  const since = row.faultSince === null ? now : new Date(row.faultSince);
  const events: NewEvent[] = [];
  if (was !== null) events.push({ deviceId: row.id, at: now, kind: was.startsWith('N') ? 'online' : 'fault.cleared', fault: was });
  if (is !== null) events.push({ deviceId: row.id, at: is.startsWith('N') && before ? now : since, kind: is.startsWith('N') ? 'offline' : 'fault.raised', fault: is });
  return events;
}
