import type { Heard, Said, Speaker } from '../../../protocols/wire.ts';
import type { CommandProofs } from '../light/commands/index.ts';
import { hear, hearKept, hearReadings, keptAs, linePlaceOf, placeOf, speakerAt } from '../wires/link/index.ts';
import type { Bus } from '../platform/bus/index.ts';
import type { Clock, Stop } from '../platform/clock.ts';
import type { Db } from '../platform/db/index.ts';
import type { Log } from '../platform/log.ts';
import type { Broker, BrokerMessage } from '../platform/mqtt/index.ts';
import { reasonOf } from '../platform/start-error.ts';
import { Batcher } from './batch.ts';
import { Budgets } from './budgets.ts';
import { forgetChannels } from './channels.store.ts';
import { DevicesHeard } from './devices-heard.ts';
import { forgottenSpeakers, giveUpKept, keptOf } from './doubted.store.ts';
import { newOutcome, type Outcome } from './outcome.ts';
import { createPartitions } from './partitions.ts';
import { PlanReports } from './plan-reports.ts';
import { Refusals, type Example, type Witness } from './refusals.ts';
import { createStoring, type Meter } from './storing.ts';
import type { Arrived } from './work.ts';

export interface IngestParts {
  readonly db: Db;
  /** Tells when the register has changed: until then what is known of a device is not read again. */
  readonly bus: Pick<Bus, 'subscribe'>;
  readonly clock: Clock;
  readonly log: Log;
  /** Turns acknowledgements and readings into the states of commands, inside the transaction of the readings. */
  readonly proofs: CommandProofs;
  /** Told after the commit, some times a second, which devices have something new. */
  readonly stored: (deviceIds: readonly number[]) => void;
  /** Called after the commit with the devices that run another plan than before, or can something else. */
  readonly plansReported?: (deviceIds: readonly number[]) => void;
  /** Called after the commit with the devices that said that they are online, and with which settings. */
  readonly settingsReported?: (deviceIds: readonly number[]) => void;
  /** Takes what a device says that nobody knows yet; false: it is no such message. */
  readonly newcomer?: (message: BrokerMessage) => Promise<boolean>;
  /** Told of each message that is refused, and why. */
  readonly refused?: Witness;
  /**
   * Told, after the commit, what is said of a device's line; for brokers that do not tell of connections themselves.
   */
  readonly line?: (deviceId: number, online: boolean, ofWill: boolean) => void;
  /** Told how long each message was on its way: from its arrival to its commit, and from its device to here. */
  readonly meter?: Meter;
}

/** One message of readings and the device or gateway that sent it. */
export interface ReadingsFrom {
  readonly speakerId: number;
  readonly payload: Uint8Array;
}

export interface Ingest {
  /** The path of one message; resolves when it is committed or refused for good: then it may be acknowledged. */
  take(message: BrokerMessage, receivedAt?: Date): Promise<void>;
  /** The same for what came over a line. `slow`: called when the sender is to rest for so many milliseconds. */
  takeHeard(speaker: Speaker, heard: Heard, slow: (milliseconds: number) => void): Promise<void>;
  /**
   * The same for readings that came otherwise: nothing is taken before `store`, which tells what became of them.
   * `debtMs`: how long it takes until too much that was said of this device is paid.
   */
  openReadings(from: ReadingsFrom): { readonly debtMs: number; store(): Promise<Outcome> };
  /** Makes the tables of the next days, now and by the clock, and takes what the broker brings. */
  start(broker: Broker): Promise<Stop>;
  /** Lets messages in work come to their end; further ones are not taken. */
  stop(): Promise<void>;
  stats(): {
    readonly messages: number;
    readonly readings: number;
    readonly duplicates: number;
    readonly batches: number;
    readonly waiting: number;
    readonly refused: Readonly<Record<string, number>>;
    readonly lastMessageAt: number | null;
    readonly examples: readonly Example[];
    /**
     * Devices that had to rest within the last five minutes, the latest first; and how often anybody had to since the
     * start.
     */
    readonly slowed: readonly number[];
    readonly rests: number;
  };
  /** How long it takes until a device that said too much has paid for it, milliseconds. */
  debtMs(deviceId: number): number;
  /** Notes that a device was told to come later for that. */
  toldToWait(deviceId: number): void;
}

const windowMs = 6;
const messagesPerBatch = 1000;
/** Batches at work side by side, each on a connection of its own: while the database writes one, the next is made. */
const laneCount = 2;
const dayMs = 86_400_000;
const releasedAtOnce = 200;
/** Everybody who shows readings waits for it: short, and still one notice for many messages. */
const announceMs = 50;

export function createIngest({
  db,
  bus,
  clock,
  log,
  proofs,
  stored,
  plansReported,
  settingsReported,
  newcomer,
  refused,
  meter,
  line,
}: IngestParts): Ingest {
  const devices = new DevicesHeard(db);
  const heard = (['register.changed', 'bus.resumed'] as const).map((topic) =>
    bus.subscribe(topic, () => devices.registerChanged()),
  );
  const partitions = createPartitions(db);
  const budgets = new Budgets(() => performance.now());
  const refusals = new Refusals(clock, log, refused);
  const plans = new PlanReports();
  heard.push(bus.subscribe('plans.assigned', ({ ids }) => plans.told(ids)));
  const storing = createStoring({
    db,
    clock,
    log,
    proofs,
    devices,
    plans,
    planned: (ids) => {
      for (const id of ids) planNews.add(id);
    },
    online: (ids) => {
      for (const id of ids) online.add(id);
    },
    partitions,
    budgets,
    refusals,
    touched(ids) {
      for (const id of ids) news.add(id);
      announcing ??= setTimeout(announce, announceMs);
    },
    decided: (speakerId) => void release(speakerId),
    line,
    meter,
    isStopping: () => stopping,
  });
  const counts = { messages: 0, lastMessageAt: null as number | null };
  // What one speaker says stays in its lane, and so in order.
  const lanes = Array.from(
    { length: laneCount },
    () => new Batcher<Arrived>((batch) => storing.store(batch), { windowMs, most: messagesPerBatch }),
  );
  const news = new Set<number>();
  const planNews = new Set<number>();
  const online = new Set<number>();
  const releasing = new Set<number>();
  let announcing: NodeJS.Timeout | undefined;
  let stopping = false;

  function announce(): void {
    clearTimeout(announcing);
    announcing = undefined;
    if (planNews.size > 0) plansReported?.([...planNews]);
    planNews.clear();
    if (online.size > 0) settingsReported?.([...online]);
    online.clear();
    if (news.size === 0) return;
    stored([...news]);
    news.clear();
  }

  function arrive(receivedAt: Date): void {
    if (stopping) throw new Error('the server is stopping');
    counts.messages += 1;
    counts.lastMessageAt = receivedAt.getTime();
  }

  /**
   * One message: decode, collect, and with its batch: find the device, check, correct, store, acknowledge, announce.
   */
  async function take(arrived: BrokerMessage, receivedAt = clock.now()): Promise<void> {
    const { topic, payload, sentBytes } = arrived;
    arrive(receivedAt);
    const decoded = hear(topic, payload);
    if (!decoded.ok) {
      const from = speakerAt(topic);
      const restMs = from ? budgets.take(from.viaId ?? from.deviceId, null, 1) : 0;
      if (restMs > 0) arrived.slow?.(restMs);
      if (decoded.reason === 'topic' && (await newcomer?.(arrived))) return;
      return refusals.add(decoded.reason, {
        topic,
        detail: sentBytes === undefined || decoded.reason !== 'tooLarge' ? decoded.detail : `${sentBytes} bytes`,
      });
    }
    const { message } = decoded;
    const restMs = charge(message);
    if (restMs > 0) arrived.slow?.(restMs);
    await collect({
      message,
      topic,
      payload,
      receivedAt: receivedAt.getTime(),
      outcome: null,
      fence: arrived.fence,
      retained: arrived.retained === true,
    });
  }

  async function takeHeard(speaker: Speaker, heard: Heard, slow: (milliseconds: number) => void): Promise<void> {
    const receivedAt = clock.now();
    arrive(receivedAt);
    const topic = linePlaceOf(speaker);
    const restMs = heard.ok ? charge(heard.message) : budgets.take(speaker.viaId ?? speaker.deviceId, null, 1);
    if (restMs > 0) slow(restMs);
    if (!heard.ok) return refusals.add(heard.reason, { topic, detail: heard.detail });
    await collect({
      message: heard.message,
      topic,
      payload: keptAs(heard.message),
      receivedAt: receivedAt.getTime(),
      outcome: null,
      fence: undefined,
      retained: false,
    });
  }

  /** What it costs in the budget of who says it. */
  function charge(message: Said): number {
    return budgets.take(message.deviceId, message.viaId, message.kind === 'readings' ? message.readings.length : 1);
  }

  function openReadings({ speakerId, payload }: ReadingsFrom): ReturnType<Ingest['openReadings']> {
    const decoded = hearReadings(speakerId, payload);
    // Named as if it had come over a topic: so people find it where they look for the others.
    const { deviceId, viaId } = decoded.ok ? decoded.message : { deviceId: speakerId, viaId: null };
    const topic = placeOf({ deviceId, viaId });
    const store = async () => {
      const receivedAt = clock.now();
      const outcome = newOutcome();
      arrive(receivedAt);
      if (decoded.ok) {
        charge(decoded.message);
        await collect({
          message: decoded.message,
          topic,
          payload,
          receivedAt: receivedAt.getTime(),
          outcome,
          fence: undefined,
          retained: false,
        });
      } else refusals.add(decoded.reason, { topic, detail: decoded.detail }, { reading: null, outcome });
      return outcome;
    };
    return { debtMs: budgets.debtMs(deviceId, viaId), store };
  }

  async function collect(arrived: Arrived): Promise<void> {
    await lanes[(arrived.message.viaId ?? arrived.message.deviceId) % laneCount]?.add(arrived);
    if (arrived.lost) throw arrived.lost;
  }

  /** What waited for the clock of a speaker goes the way of every message, with the offset that holds now. */
  async function release(speakerId: number): Promise<void> {
    // One at a time for a speaker: another would hand over the same messages again.
    if (releasing.has(speakerId)) return;
    releasing.add(speakerId);
    try {
      for (let after = 0; !stopping;) {
        const kept = await keptOf(db, speakerId, after, releasedAtOnce);
        await Promise.all(
          kept.map(async ({ id, topic, payload, receivedAt }) => {
            const decoded = hearKept(topic, payload);
            if (decoded.ok)
              await collect({
                message: decoded.message,
                topic,
                payload,
                receivedAt,
                outcome: null,
                fence: undefined,
                retained: false,
                keptAs: id,
              });
          }),
        );
        const last = kept.at(-1);
        if (!last || kept.length < releasedAtOnce) return;
        after = last.id;
      }
    } catch (thrown) {
      log.warn(
        { deviceId: speakerId, reason: reasonOf(thrown) },
        'what waited for the clock of a device is not in the history yet; it is tried again within the hour',
      );
    } finally {
      releasing.delete(speakerId);
    }
  }

  async function lookAfterDoubted(): Promise<void> {
    for (const { topic } of await giveUpKept(db, new Date(clock.now().getTime() - dayMs)))
      refusals.add('doubtedClock', { topic });
    for (const id of await forgottenSpeakers(db)) await release(id);
  }

  return {
    take,
    takeHeard,
    openReadings,
    async start(broker) {
      const ahead = () => partitions.ensure([-1, 0, 1, 2].map((days) => clock.now().getTime() + days * dayMs));
      await ahead();
      await lookAfterDoubted();
      // Nobody is connected to a broker that has just started; who was is not known any more.
      if (broker.kind === 'embedded')
        await db.updateTable('device_latest').set({ connected: null }).where('connected', 'is not', null).execute();
      broker.onMessage(
        (message) => take(message),
        () => {
          devices.forget();
          plans.forget();
        },
      );
      return clock.every(3_600_000, async () => {
        await ahead();
        await lookAfterDoubted();
        const rawFrom = storing.rawFrom();
        if (Number.isFinite(rawFrom)) await forgetChannels(db, new Date(rawFrom));
      });
    },
    async stop() {
      stopping = true;
      await Promise.all(lanes.map((lane) => lane.drained()));
      heard.forEach((end) => end());
      announce();
    },
    stats: () => ({
      ...counts,
      ...storing.counts,
      waiting: lanes.reduce((sum, lane) => sum + lane.waiting, 0),
      refused: { ...refusals.counts },
      examples: [...refusals.examples.values()],
      slowed: budgets.slowed(),
      rests: budgets.rests,
    }),
    debtMs: (deviceId) => budgets.debtMs(deviceId),
    toldToWait: (deviceId) => budgets.rested(deviceId),
  };
}
