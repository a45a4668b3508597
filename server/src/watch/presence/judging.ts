import { readBy, type Sample } from '../../../../catalogue/alarms/alarm.ts';
import { lampFamily } from '../../../../catalogue/lighting/families.ts';
import { defaultPlan } from '../../../../catalogue/lighting/plan/table.ts';
import {
  areaPlan,
  lightQuantities,
  loadManualSpans,
  ownPlan,
  type JudgedPlan,
  type Periods,
  type Thresholds,
} from '../../light/lamps/index.ts';
import type { AssignedPlan, LampPlans } from '../../light/plans/index.ts';
import { breather } from '../../platform/breather.ts';
import type { Bus } from '../../platform/bus/index.ts';
import type { Clock, Stop } from '../../platform/clock.ts';
import type { Db, Transaction } from '../../platform/db/index.ts';
import type { Log } from '../../platform/log.ts';
import { loadPlaces } from '../../register/places/index.ts';
import { keepWatch, recordReach, silenceCountsFrom } from '../../wires/connections/index.ts';
import { openFaults, recordFaults, type OpenFault } from '../../register/episodes/index.ts';
import { Walks } from '../alarms/index.ts';
import {
  childrenOf,
  dueNow,
  findDue,
  findHeardLast,
  findPlannedStates,
  findStrays,
  loadDevices,
  loadSamples,
  loadStates,
  lockJudging,
  writeDue,
  writeStates,
  type JudgedDevice,
  type StoredState,
} from './judge.store.ts';
import { judgeDevice, reachWord, sampleAlarms, type Found } from './reach.ts';

export interface JudgingParts {
  readonly db: Db;
  readonly clock: Clock;
  readonly thresholds: Thresholds;
  readonly periods: Periods;
  /** Absent: no lamp was given a plan, each switches by the sun of its area. */
  readonly plans?: Pick<LampPlans, 'of'>;
  /** Whether devices can be heard at all now: the broker is there. */
  readonly listening?: () => boolean;
  /** Told the ids of the devices that were judged anew, after the commit. */
  readonly announce: (ids: readonly number[]) => void;
  readonly onError: (thrown: unknown) => void;
}

export interface Judging {
  /** These devices sent something or were changed: judge them soon. */
  touch(ids: readonly number[]): void;
  /**
   * Nobody may have judged what came last: a process was killed, or the line between processes was broken. Those heard
   * last are touched.
   */
  catchUp(): Promise<void>;
  /** Judges these devices now. */
  judge(ids: readonly number[]): Promise<void>;
  /** Judges the devices whose state time alone may have changed; nobody, while nobody listens. */
  sweep(): Promise<void>;
  /** Where the sun stands or what is planned was changed: the next sweep looks at everything. */
  lookAtAll(): void;
  start(): Stop;
}

const batchSize = 1000;
const touchMs = 500;
const sweepMs = 15_000;
const dayMs = 86_400_000;

/** The next sweep after so long looks at everything, not only at what is due. */
const allMs = 10 * 60_000;
const mostDue = 20_000;
const strayBatch = 2000;
/** Devices of which is remembered how far their alarms came; some 100 bytes each. */
const mostWalks = 1_000_000;
/** More samples of a device are not read at once: three hours of one that reports every 45 s. */
const mostSamples = 240;

/** What is read of each family that is judged by its readings. */
const sampled: ReadonlyMap<string, readonly string[]> = new Map(
  [...sampleAlarms].map(([family, alarms]) => [
    family,
    [...new Set([...alarms.flatMap(readBy), ...(family === lampFamily ? lightQuantities : [])])],
  ]),
);

/** A place without sun (no coordinates known): nothing should be lit, nothing is a fault of the plan. */
const noPlan: JudgedPlan = {
  lit: [],
  planned: [],
  shouldBeLit: () => false,
  lastOn: () => null,
  isDay: () => false,
};

/**
 * Keeps `device_state` true: judges devices after each reading, and by the clock those that fell silent or whose plan
 * switched.
 */
export function createJudging(parts: JudgingParts): Judging {
  const { db, clock, thresholds, periods } = parts;
  const walks = new Walks(mostWalks);
  const touched = new Set<number>();
  /**
   * Those whose judging failed: tried once more by the next sweep, for a device that was out of reach is looked at by
   * nobody until it speaks again.
   */
  const missed = new Set<number>();
  let running: Promise<void> | undefined;
  /** Up to when ended manual states were judged; after a start the last hour is gone through again. */
  let sweptTo: Date | undefined;
  let allAt = 0;

  async function judgeBatch(ids: readonly number[]): Promise<number[]> {
    const { devices, found, turned } = await db.transaction().execute(async (tx) => {
      // Read under the lock: who judges later has read later, so that a sweep never overwrites what a reading just
      // changed.
      await lockJudging(tx);
      const now = clock.now();
      const countsFrom = (await silenceCountsFrom(tx, now)).getTime();
      const looked = await loadDevices(tx, ids);
      const seenOf = await lookAt(tx, looked, now);
      const before = await loadStates(tx, ids);
      const had = await openFaults(tx, ids);
      const rows = looked.map((device) =>
        judgeDevice(
          {
            device,
            before: before.get(device.id),
            had: (had.get(device.id) ?? []).map(({ fault, since }) => ({ fault, since: since.getTime() })),
            now: now.getTime(),
            countsFrom,
            ...seenOf(device),
          },
          periods,
          thresholds,
        ),
      );
      return { devices: looked, found: rows, turned: await write(tx, rows, { before, had }, now) };
    });
    devices.forEach((device, i) => walks.keep(device, found[i]?.walked));
    parts.announce(devices.map(({ id }) => id));
    return turned;
  }

  /**
   * What devices are judged from besides themselves: the plan of their place, what people commanded, and what they
   * reported since they were judged last.
   */
  async function lookAt(tx: Transaction, devices: readonly JudgedDevice[], now: Date) {
    const watched = devices.filter(({ family }) => sampled.has(family));
    const from = new Date(now.getTime() - thresholds.windowSeconds * 1000);
    const places = await loadPlaces(tx, [...new Set(watched.map(({ workAreaId }) => workAreaId))]);
    const plans = new Map([...places].map(([id, place]) => [id, areaPlan(defaultPlan(place), now.getTime())]));
    const lampIds = watched.flatMap(({ id, family }) => (family === lampFamily ? [id] : []));
    const own = await plansOf(tx, lampIds, now.getTime());
    const walked = new Map(watched.map((device) => [device.id, walks.get(device)]));
    const samples = new Map<number, readonly Sample[]>();
    for (const [family, own] of Map.groupBy(watched, (device) => device.family)) {
      const since = own.map(({ id }) => ({ id, since: walked.get(id)?.to ?? from.getTime() }));
      const of = { family, quantities: sampled.get(family) ?? [] };
      for (const [id, list] of await loadSamples(tx, of, since, from, mostSamples)) samples.set(id, list);
    }
    const manual = await loadManualSpans(tx, lampIds, new Date(from.getTime() - dayMs));
    return ({ id, workAreaId }: JudgedDevice) => ({
      plan: own.get(id) ?? plans.get(workAreaId) ?? noPlan,
      samples: samples.get(id) ?? [],
      manual: manual.get(id) ?? [],
      walked: walked.get(id),
    });
  }

  /** What lamps are judged by that were given a plan; those of one plan share it. */
  async function plansOf(from: Db, ids: readonly number[], now: number): Promise<ReadonlyMap<number, JudgedPlan>> {
    const given = (await parts.plans?.of(from, ids, now)) ?? new Map<number, AssignedPlan>();
    const views = new Map<AssignedPlan, JudgedPlan>();
    const found = new Map<number, JudgedPlan>();
    const leave = breather();
    for (const [id, plan] of given) {
      let view = views.get(plan);
      if (!view) {
        // The nights of each place of a city are some milliseconds together.
        await leave();
        views.set(plan, (view = ownPlan(plan, now)));
      }
      found.set(id, view);
    }
    return found;
  }

  /** Lamps with a plan of which something else is stored than it says; some thousands at a time. */
  async function judgeStrayPlans(now: number): Promise<void> {
    for (let after = 0; parts.plans;) {
      const states = await findPlannedStates(db, after, strayBatch);
      const own = await plansOf(
        db,
        states.map(({ id }) => id),
        now,
      );
      await judge(states.flatMap(({ id, lit }) => (own.get(id)?.shouldBeLit(now) === lit ? [] : [id])));
      const last = states.at(-1);
      if (!last || states.length < strayBatch) return;
      after = last.id;
    }
  }

  /** Writes what changed; returns the controllers and gateways that went or came. */
  async function write(
    tx: Transaction,
    found: readonly Found[],
    {
      before,
      had,
    }: {
      readonly before: ReadonlyMap<number, StoredState>;
      readonly had: ReadonlyMap<number, readonly OpenFault[]>;
    },
    now: Date,
  ): Promise<number[]> {
    const changed = found.filter((row) => differs(before.get(row.id), row));
    await writeStates(tx, now, changed);
    const rewritten = new Set(changed);
    await writeDue(
      tx,
      found.filter((row) => !rewritten.has(row) && isDueAnew(before.get(row.id), row, now)),
    );
    const faults = found.map((row) => faultChanges(had.get(row.id) ?? [], row));
    await recordFaults(
      tx,
      { ended: faults.flatMap(({ ended }) => ended), began: faults.flatMap(({ began }) => began) },
      now,
    );
    await recordReach(
      tx,
      found
        .filter((row) => reachWord(before.get(row.id)) !== reachWord(row) || row.reach.out?.reason === 'gatewayLost')
        .map(({ reach }) => reach),
      now,
    );
    return changed.flatMap((row) => (row.speaksForOthers && before.get(row.id)?.online !== row.online ? [row.id] : []));
  }

  async function judge(ids: readonly number[]): Promise<void> {
    if (ids.length === 0) return;
    const turned: number[] = [];
    for (let start = 0; start < ids.length; start += batchSize)
      turned.push(...(await judgeBatch(ids.slice(start, start + batchSize))));
    // A controller that went or came takes its lamps with it.
    if (turned.length > 0) await judge(await childrenOf(db, turned));
  }

  /**
   * Notes that somebody listens, if somebody does. By a timer of its own too: a sweep of a whole city may take longer
   * than a gap is.
   */
  async function listen(): Promise<boolean> {
    if (parts.listening?.() === false) return false;
    const now = clock.now();
    if ((await keepWatch(db, now)).setBack) {
      await db.transaction().execute((tx) => dueNow(tx, now));
      walks.clear();
      sweptTo = undefined;
      allAt = 0;
    }
    return true;
  }

  async function sweep(): Promise<void> {
    if (!(await listen())) return;
    const now = clock.now();
    const since = sweptTo ?? new Date(now.getTime() - 3_600_000);
    await judge(await findDue(db, { since, now }, mostDue));
    if (allAt <= now.getTime()) {
      allAt = now.getTime() + allMs;
      const areas = [...(await loadPlaces(db)).values()].map((place) => ({
        id: place.id,
        lit: areaPlan(defaultPlan(place), now.getTime()).shouldBeLit(now.getTime()),
      }));
      await judge(await findStrays(db, areas));
      await judgeStrayPlans(now.getTime());
    }
    sweptTo = now;
    const again = [...missed];
    missed.clear();
    await judge(again);
  }

  function flush(): void {
    if (running || touched.size === 0) return;
    const ids = [...touched];
    touched.clear();
    running = judge(ids)
      .catch((thrown: unknown) => {
        for (const id of ids) missed.add(id);
        parts.onError(thrown);
      })
      .finally(() => {
        running = undefined;
      });
  }

  return {
    touch(ids) {
      for (const id of ids) touched.add(id);
    },
    judge,
    sweep,
    async catchUp() {
      for (const id of await findHeardLast(db)) touched.add(id);
    },
    lookAtAll() {
      walks.clear();
      allAt = 0;
    },
    start() {
      // Another process may have judged since this one did: where the rules stood then is not where its states stand.
      walks.clear();
      const stops = [
        clock.every(touchMs, flush),
        clock.every(sweepMs, sweep),
        clock.every(sweepMs, async () => void (await listen())),
      ];
      return () => stops.forEach((stop) => stop());
    },
  };
}

function differs(before: StoredState | undefined, row: Found): boolean {
  return (
    !before ||
    before.state !== row.state ||
    before.fault !== row.fault ||
    before.online !== row.online ||
    before.lit !== row.lit ||
    before.shouldBeLit !== row.shouldBeLit ||
    before.unpowered !== row.unpowered ||
    (before.poweredSince?.getTime() ?? null) !== row.poweredSince ||
    !sameLevel(before.level, row.level)
  );
}

/**
 * Written only when it is over, or comes earlier than it was thought: a device that reports is not written for that.
 */
function isDueAnew(before: StoredState | undefined, row: Found, now: Date): boolean {
  const old = before?.dueAt?.getTime() ?? null;
  return old === null ? row.dueAt !== null : old <= now.getTime() || (row.dueAt !== null && row.dueAt < old);
}

/** Levels are kept in single precision. */
function sameLevel(a: number | null, b: number | null): boolean {
  return a === null || b === null ? a === b : Math.abs(a - b) < 0.01;
}

/** What ended and what began of a device; nothing of one that is out of reach. */
function faultChanges(had: readonly OpenFault[], { id, faults }: Found) {
  if (faults === null) return { ended: [], began: [] };
  return {
    ended: had.flatMap(({ fault }) => (faults.some((one) => one.fault === fault) ? [] : [{ deviceId: id, fault }])),
    began: faults.flatMap(({ fault, since }) =>
      had.some((one) => one.fault === fault) ? [] : [{ deviceId: id, fault, since: new Date(since) }],
    ),
  };
}

/** Judges what changes, whichever process stored it: the bus says what. Returns how to stop. */
export function startJudging(judging: Judging, bus: Bus, log: Log): Stop {
  const catchUp = () =>
    void judging
      .catchUp()
      .catch((thrown: unknown) => log.warn({ err: thrown }, 'what came last could not be judged again'));
  catchUp();
  const stops = [
    bus.subscribe('bus.resumed', catchUp),
    bus.subscribe('devices.changed', ({ ids }) => judging.touch(ids)),
    bus.subscribe('plans.assigned', ({ ids }) => judging.touch(ids)),
    bus.subscribe('settings.changed', () => judging.lookAtAll()),
    judging.start(),
  ];
  return () => stops.forEach((stop) => stop());
}
