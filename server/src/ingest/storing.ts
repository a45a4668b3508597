import { setTimeout as sleep } from 'node:timers/promises';
import type { CommandProofs } from '../light/commands/index.ts';
import { holdOpenHours, markLate } from '../history/readings/index.ts';
import type { Clock } from '../platform/clock.ts';
import type { Db, Transaction } from '../platform/db/index.ts';
import type { Log } from '../platform/log.ts';
import { codeOf, reasonOf } from '../platform/start-error.ts';
import { speakerAt } from '../wires/link/index.ts';
import type { Budgets } from './budgets.ts';
import { storeChannels } from './channels.store.ts';
import { largestOffsetMs } from './clock-offset.ts';
import type { DevicesHeard, HeardDevice } from './devices-heard.ts';
import { keepDoubted, releaseKept } from './doubted.store.ts';
import { Fenced, standFences, without } from './fences.ts';
import {
  storeNewReadings,
  storeReadings,
  tellReadings,
  upsertOffsets,
  writeHeard,
  writeStatuses,
  type StoredReading,
} from './ingest.store.ts';
import { isMistake } from './mistakes.ts';
import type { Partitions } from './partitions.ts';
import type { PlanReports } from './plan-reports.ts';
import { writePlanReports } from './plan-reports.store.ts';
import type { Refusals } from './refusals.ts';
import { Work, type Arrived } from './work.ts';

export interface StoringParts {
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Log;
  readonly proofs: CommandProofs;
  readonly devices: DevicesHeard;
  readonly plans: PlanReports;
  readonly partitions: Partitions;
  readonly budgets: Budgets;
  readonly refusals: Refusals;
  /** Called after the commit with the devices that have something new. */
  readonly touched: (deviceIds: Iterable<number>) => void;
  /** Called after the commit with the devices that run another plan than before, or can something else. */
  readonly planned: (deviceIds: Iterable<number>) => void;
  /** Called after the commit with the devices that said that they are online, and with which settings. */
  readonly online: (deviceIds: Iterable<number>) => void;
  /** Called after the commit for each speaker whose clock is no longer in doubt. */
  readonly decided: (speakerId: number) => void;
  /**
   * Called after the commit with what was said of a device's line; for brokers that do not report connections
   * themselves.
   */
  readonly line: ((deviceId: number, online: boolean, ofWill: boolean) => void) | undefined;
  readonly meter: Meter | undefined;
  /** While the server stops, a database that is away is not waited for. */
  readonly isStopping: () => boolean;
}
/** How long each message was on its way: from its arrival to its commit, and from its device to here. */
export interface Meter {
  readonly committed: (milliseconds: number) => void;
  readonly aged: (milliseconds: number) => void;
}

const retryMs = 500;
/** deadlock_detected, serialization_failure: ended for another one's sake, nothing wrong with it. */
const overtaken = new Set(['40P01', '40001']);
/** unique_violation, foreign_key_violation: a reading is there already, or its device is not any more. */
const violations = new Set(['23505', '23503']);
/**
 * After a repeated reading more are to be expected, in so many batches: a device that was not answered sends everything
 * again.
 */
const waryBatches = 50;

/** The steps of a batch of messages from its check to its commit, and what is announced after it. */
export function createStoring({
  db,
  clock,
  log,
  proofs,
  devices,
  plans,
  partitions,
  budgets,
  refusals,
  touched,
  planned,
  online,
  decided,
  line,
  meter,
  isStopping,
}: StoringParts) {
  const counts = { readings: 0, duplicates: 0, batches: 0 };
  let rawFrom = Number.NEGATIVE_INFINITY;
  /** In how many batches repeats are still expected. */
  let wary = 0;

  /**
   * A database that is away is waited for; what it does not take for the data's sake, or what this program itself
   * stumbles over twice, is cut out of its batch and refused: one message never stops the others.
   */
  async function storeStubbornly(batch: readonly Arrived[]): Promise<void> {
    let mistakes = 0;
    for (;;) {
      try {
        return await store(batch);
      } catch (thrown) {
        const code = codeOf(thrown) ?? '';
        devices.forget();
        plans.forget();
        partitions.forget();
        if (overtaken.has(code)) continue;
        if (thrown instanceof Fenced) return await storeStubbornly(without(batch, thrown));
        // 22…: a value the database does not take; 23…: a constraint, other than a day that was removed meanwhile.
        if (/^2[23]/.test(code) && code !== '23514') return await storeApart(batch, 'storage', thrown);
        if (await isMistake(thrown, db)) {
          // Once more without what was remembered, for that may have been it.
          mistakes += 1;
          if (mistakes > 1) return await storeApart(batch, 'internal', thrown);
          continue;
        }
        if (isStopping()) throw thrown;
        log.warn({ reason: reasonOf(thrown), messages: batch.length }, 'readings cannot be stored now; trying on');
        await sleep(retryMs);
      }
    }
  }

  async function storeApart(batch: readonly Arrived[], reason: 'storage' | 'internal', thrown: unknown): Promise<void> {
    const [only] = batch;
    if (batch.length === 1 && only)
      return refusals.add(
        reason,
        { topic: only.topic, detail: reasonOf(thrown), ...(reason === 'internal' ? { mistake: thrown } : {}) },
        { reading: null, outcome: only.outcome },
      );
    const middle = Math.ceil(batch.length / 2);
    await storeStubbornly(batch.slice(0, middle));
    await storeStubbornly(batch.slice(middle));
  }

  async function store(batch: readonly Arrived[]): Promise<void> {
    if (batch.length === 0) return;
    const now = clock.now();
    const found = await devices.load(speakersOf(batch), now.getTime());
    const work = new Work(found, rawFrom);
    for (const arrived of batch) work.add(arrived);
    await partitions.ensure(work.readings.map((reading) => reading.at));
    const planReports = plans.news(work.plans, now.getTime());
    let homeless: readonly number[] = [];
    const { changes, added, reported } = await writeQuickly((repeats) =>
      db.transaction().execute(async (tx) => {
        await standFences(tx, batch);
        const written = await storeHistory(tx, work, repeats);
        await storeChannels(tx, work.channels);
        await upsertOffsets(tx, work.offsets, now);
        await releaseKept(tx, work.released);
        homeless = await keepDoubted(tx, work.doubted);
        await writeStatuses(tx, [...work.statuses.values()], now);
        await writeHeard(tx, work.heard);
        const reported = await writePlanReports(tx, planReports, now);
        return { added: written, reported, changes: await proofs.apply(tx, work.acks, [...work.measured], now) };
      }),
    );
    const repeated = work.readings.length - countOf(added);
    wary = repeated > 0 ? waryBatches : Math.max(0, wary - 1);
    counts.batches += 1;
    counts.readings += countOf(added);
    counts.duplicates += repeated + work.repeated.length;
    if (typeof added !== 'number') tellStored(work, added);
    for (const outcome of work.repeated) if (outcome) outcome.duplicates += 1;
    for (const { reason, topic, detail, ...whose } of work.refused) {
      refusals.add(reason, detail === undefined ? { topic } : { topic, detail }, whose);
      const viaId = speakerAt(topic)?.viaId ?? null;
      if (viaId !== null && (reason === 'foreignChild' || reason === 'unknownDevice')) budgets.foreign(viaId);
    }
    for (const { outcome } of work.doubted)
      outcome?.problems.push({
        reading: null,
        reason: 'doubtedClock',
        detail: 'kept until a later message shows the right time',
      });
    for (const place of homeless) refusals.add('doubtedClock', { topic: work.doubted[place]?.topic ?? '' });
    plans.written(planReports);
    planned(reported);
    online([...work.statuses.values()].flatMap((one) => (one.online && !one.ofWill ? one.deviceId : [])));
    touched(work.touched);
    for (const id of work.decided) decided(id);
    try {
      proofs.announce(changes);
      if (meter) measure(meter, batch, found);
      if (line) for (const { deviceId, online, ofWill } of work.statuses.values()) line(deviceId, online, ofWill);
    } catch (thrown) {
      // What is committed stays so, whoever could not be told of it.
      log.error({ err: thrown }, 'what was stored could not be told');
    }
  }

  /**
   * As if nothing were repeated and nobody deleted, and when that is not so, once more. While repeats come, each batch
   * is looked through for them from the start.
   */
  async function writeQuickly<T>(write: (repeats: boolean) => Promise<T>): Promise<T> {
    if (wary > 0) return await write(true);
    try {
      return await write(false);
    } catch (thrown) {
      if (!violations.has(codeOf(thrown) ?? '')) throw thrown;
      return await write(true);
    }
  }

  /** How many readings were not there before; which, where somebody asks. */
  async function storeHistory(
    tx: Transaction,
    { readings, merged, outcomes }: Work,
    repeats: boolean,
  ): Promise<number | StoredReading[]> {
    if (readings.length === 0) return 0;
    const open = await holdOpenHours(tx);
    rawFrom = open.rawFrom;
    const added = await (outcomes.size > 0 ? tellReadings : repeats ? storeReadings : storeNewReadings)(tx, readings, [
      ...merged.values(),
    ]);
    await markLate(tx, readings, open);
    return added;
  }

  function measure(
    { committed, aged }: Meter,
    batch: readonly Arrived[],
    heard: ReadonlyMap<number, HeardDevice>,
  ): void {
    const now = clock.now().getTime();
    for (const { message, receivedAt } of batch) {
      committed(now - receivedAt);
      // Of who has no clock nobody knows how long it took.
      if (message.kind === 'readings' && Math.abs(receivedAt - message.sentAt) <= largestOffsetMs)
        aged(receivedAt - message.sentAt - (heard.get(message.viaId ?? message.deviceId)?.clock.offsetMs ?? 0));
    }
  }

  return {
    store: storeStubbornly,
    counts,
    /** History before it has been taken away; -Infinity until the first reading is stored. */
    rawFrom: () => rawFrom,
  };
}

function speakersOf(batch: readonly Arrived[]): Set<number> {
  const ids = new Set<number>();
  for (const {
    message: { deviceId, viaId },
  } of batch) {
    ids.add(deviceId);
    if (viaId !== null) ids.add(viaId);
  }
  return ids;
}

const countOf = (added: number | readonly StoredReading[]): number =>
  typeof added === 'number' ? added : added.length;

function tellStored({ readings, outcomes }: Work, added: readonly StoredReading[]): void {
  const key = (deviceId: number, at: number): string => `${deviceId} ${Math.round(at * 1000)}`;
  const fresh = new Set(added.map(({ deviceId, at }) => key(deviceId, at)));
  readings.forEach(({ deviceId, at }, index) => {
    const outcome = outcomes.get(index);
    if (outcome) outcome[fresh.has(key(deviceId, at)) ? 'stored' : 'duplicates'] += 1;
  });
}
