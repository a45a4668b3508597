import { setTimeout as sleep } from 'node:timers/promises';
import { validateReading } from '../../../catalogue/index.ts';
import { decode, type DeviceMessage } from '../../../protocols/index.ts';
import type { CommandProofs } from '../features/commands/index.ts';
import type { Clock, Stop } from '../platform/clock.ts';
import type { Db } from '../platform/db/index.ts';
import type { Log } from '../platform/log.ts';
import type { Broker, BrokerMessage } from '../platform/mqtt/index.ts';
import { codeOf, reasonOf } from '../platform/start-error.ts';
import { Batcher } from './batch.ts';
import { learn } from './clock-offset.ts';
import { DevicesHeard, type HeardDevice } from './devices-heard.ts';
import { insertReadings, upsertLatest, upsertOffsets, writeStatuses, type NewLatest, type NewReading, type NewStatus } from './ingest.store.ts';
import { createPartitions } from './partitions.ts';
import { Refusals, type Witness } from './refusals.ts';

export interface IngestParts {
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Log;
  /** Turns acknowledgements and readings into the states of commands, inside the transaction of the readings. */
  readonly proofs: CommandProofs;
  /** Told after the commit, some times a second, which devices have something new. */
  readonly stored: (deviceIds: readonly number[]) => void;
  /** Takes what a device says that nobody knows yet; false: it is no such message. */
  readonly newcomer?: (message: BrokerMessage) => Promise<boolean>;
  /** Told of each message that is refused, and why. */
  readonly refused?: Witness;
  /** Told how long each message was on its way: from its arrival to its commit, and from its device to here. */
  readonly meter?: { readonly committed: (milliseconds: number) => void; readonly aged: (milliseconds: number) => void };
}

export interface Ingest {
  /** The path of one message; resolves when it is committed or refused for good: then it may be acknowledged. */
  take(message: BrokerMessage, receivedAt?: Date): Promise<void>;
  /** Makes the tables of the next days, now and by the clock, and takes what the broker brings. */
  start(broker: Broker): Promise<Stop>;
  /** Lets messages in work come to their end; further ones are not taken. */
  stop(): Promise<void>;
  stats(): { readonly messages: number; readonly readings: number; readonly batches: number; readonly waiting: number; readonly refused: Readonly<Record<string, number>>; readonly lastMessageAt: number | null; readonly examples: readonly { readonly reason: string; readonly at: number; readonly topic: string; readonly detail: string | null }[] };
}

interface Arrived { readonly message: DeviceMessage; readonly topic: string; readonly receivedAt: number }

const windowMs = 6;
const messagesPerBatch = 1000;
const oldestMs = 400 * 86_400_000;
const futureMs = 10 * 60_000;
const dayMs = 86_400_000;
const retryMs = 500;
const announceMs = 200;

export function createIngest({ db, clock, log, proofs, stored, newcomer, refused, meter }: IngestParts): Ingest {
  const devices = new DevicesHeard(db);
  const partitions = createPartitions(db);
  const refusals = new Refusals(clock, log, refused);
  const counts = { messages: 0, readings: 0, batches: 0, lastMessageAt: null as number | null };
  const batcher = new Batcher<Arrived>((batch) => storeStubbornly(batch), { windowMs, most: messagesPerBatch });
  const news = new Set<number>();
  let announcing: NodeJS.Timeout | undefined;
  let stopping = false;

  function announce(): void {
    clearTimeout(announcing);
    announcing = undefined;
    if (news.size === 0) return;
    stored([...news]);
    news.clear();
  }

  /** One message: decode, collect, and with its batch: find the device, check, correct, store, acknowledge, announce. */
  async function take(arrived: BrokerMessage, receivedAt = clock.now()): Promise<void> {
    const { topic, payload } = arrived;
    if (stopping) throw new Error('the server is stopping');
    counts.messages += 1;
    counts.lastMessageAt = receivedAt.getTime();
    const decoded = decode(topic, payload);
    if (!decoded.ok) {
      if (decoded.reason === 'topic' && await newcomer?.(arrived)) return;
      return refusals.add(decoded.reason, { topic, detail: decoded.detail });
    }
    await batcher.add({ message: decoded.message, topic, receivedAt: receivedAt.getTime() });
  }

  /** A database that is away is waited for; what it does not take for the data's sake is cut out of its batch and refused. */
  async function storeStubbornly(batch: readonly Arrived[]): Promise<void> {
    for (;;) {
      try {
        return await store(batch);
      } catch (thrown) {
        const code = codeOf(thrown) ?? '';
        devices.forget();
        partitions.forget();
        // 22…: a value the database does not take; 23…: a constraint, other than a day that was removed meanwhile.
        if (/^2[23]/.test(code) && code !== '23514') {
          const [only] = batch;
          if (batch.length === 1 && only) return refusals.add('storage', { topic: only.topic, detail: reasonOf(thrown) });
          const middle = Math.ceil(batch.length / 2);
          await storeStubbornly(batch.slice(0, middle));
          return await storeStubbornly(batch.slice(middle));
        }
        if (stopping) throw thrown;
        log.warn({ reason: reasonOf(thrown), messages: batch.length }, 'readings cannot be stored now; trying on');
        await sleep(retryMs);
      }
    }
  }

  async function store(batch: readonly Arrived[]): Promise<void> {
    const now = clock.now();
    const found = await devices.load(batch.flatMap(({ message: { deviceId, viaId } }) => (viaId === null ? [deviceId] : [deviceId, viaId])), now.getTime());
    const work = new Work(found, refusals);
    for (const arrived of batch) work.add(arrived);
    await partitions.ensure(work.readings.map((reading) => reading.at));
    const changes = await db.transaction().execute(async (tx) => {
      await insertReadings(tx, work.readings);
      await upsertLatest(tx, [...work.latest.values()]);
      await upsertOffsets(tx, work.offsets);
      await writeStatuses(tx, [...work.statuses.values()], now);
      return proofs.apply(tx, work.acks, [...new Set(work.readings.map((reading) => reading.deviceId))], now);
    });
    counts.batches += 1;
    counts.readings += work.readings.length;
    proofs.announce(changes);
    if (meter) measure(meter, batch, found);
    for (const id of work.touched) news.add(id);
    announcing ??= setTimeout(announce, announceMs);
  }

  function measure({ committed, aged }: NonNullable<IngestParts['meter']>, batch: readonly Arrived[], heard: ReadonlyMap<number, HeardDevice>): void {
    const now = clock.now().getTime();
    for (const { message, receivedAt } of batch) {
      committed(now - receivedAt);
      if (message.kind === 'readings') aged(receivedAt - message.sentAt - (heard.get(message.viaId ?? message.deviceId)?.clock.offsetMs ?? 0));
    }
  }

  return {
    take,
    async start(broker) {
      const ahead = () => partitions.ensure([-1, 0, 1, 2].map((days) => clock.now().getTime() + days * dayMs));
      await ahead();
      // Nobody is connected to a broker that has just started; who was is not known any more.
      if (broker.kind === 'embedded') await db.updateTable('device_latest').set({ connected: null }).where('connected', 'is not', null).execute();
      broker.onMessage((message) => take(message));
      return clock.every(3_600_000, ahead);
    },
    async stop() {
      stopping = true;
      await batcher.drained();
      announce();
    },
    stats: () => ({ ...counts, waiting: batcher.waiting, refused: { ...refusals.counts }, examples: [...refusals.examples.values()] }),
  };
}

/** What one batch writes, made of its messages in order. */
class Work {
  readonly readings: NewReading[] = [];
  readonly latest = new Map<number, NewLatest>();
  readonly offsets = new Map<number, number>();
  readonly statuses = new Map<number, NewStatus>();
  readonly acks: { deviceId: number; commandId: number; accepted: boolean; executedAt: number | null; error: string | null }[] = [];
  readonly touched = new Set<number>();
  readonly #devices: ReadonlyMap<number, HeardDevice>;
  readonly #refusals: Refusals;

  constructor(devices: ReadonlyMap<number, HeardDevice>, refusals: Refusals) {
    this.#devices = devices;
    this.#refusals = refusals;
  }

  add({ message, topic, receivedAt }: Arrived): void {
    const device = this.#devices.get(message.deviceId);
    if (!device) return this.#refusals.add('unknownDevice', { topic });
    if (message.viaId !== null && device.parentId !== message.viaId) return this.#refusals.add('foreignChild', { topic });
    // The clock is that of whoever speaks.
    const speaker = message.viaId === null ? device : this.#devices.get(message.viaId);
    if (!speaker) return this.#refusals.add('unknownDevice', { topic });
    if (message.kind === 'status') {
      this.statuses.set(device.id, { deviceId: device.id, online: message.online, settingsVersion: message.settingsVersion ?? this.statuses.get(device.id)?.settingsVersion ?? null });
      if (message.at !== null) this.#learn(speaker, receivedAt, message.at);
      this.touched.add(device.id);
    } else if (message.kind === 'ack') {
      const executedAt = message.executedAt === null ? null : message.executedAt + speaker.clock.offsetMs;
      this.touched.add(device.id);
      this.acks.push({ deviceId: device.id, commandId: message.commandId, accepted: message.accepted, executedAt, error: message.error });
    } else {
      if (!this.#learn(speaker, receivedAt, message.sentAt)) return this.#refusals.add('noClock', { topic });
      for (const { at, values } of message.readings) this.#addReading(device, { at: at + speaker.clock.offsetMs, receivedAt, topic }, values);
    }
  }

  #addReading(device: HeardDevice, { at, receivedAt, topic }: { at: number; receivedAt: number; topic: string }, sent: Readonly<Record<string, unknown>>): void {
    if (at > receivedAt + futureMs) return this.#refusals.add('future', { topic, detail: new Date(at).toISOString() });
    if (at < receivedAt - oldestMs) return this.#refusals.add('tooOld', { topic, detail: new Date(at).toISOString() });
    const { values, rejected, unknown } = validateReading(device.family, sent);
    if (unknown > 0) this.#refusals.add('unknownValue', { topic, detail: Object.keys(sent).filter((key) => !device.family.quantity.has(key)).join(' ').slice(0, 100) });
    if (rejected.length > 0) this.#refusals.add('implausibleValue', { topic, detail: rejected.map(({ key, value }) => (value === undefined ? key : `${key}=${value}`)).join(' ').slice(0, 100) });
    if (Object.keys(values).length + rejected.length === 0) return;
    this.readings.push({ at, deviceId: device.id, receivedAt, values, rejected });
    this.touched.add(device.id);
    if (device.latestAt !== null && at < device.latestAt) return;
    device.latestAt = at;
    this.latest.set(device.id, { deviceId: device.id, at, receivedAt, values: { ...this.latest.get(device.id)?.values, ...values } });
  }

  /** false: the clock of this device cannot be believed. */
  #learn(speaker: HeardDevice, receivedAt: number, sentAt: number): boolean {
    const belief = learn(speaker.clock, receivedAt, sentAt);
    if (!belief) return false;
    if (belief.offsetMs !== speaker.clock.offsetMs) this.offsets.set(speaker.id, belief.offsetMs);
    speaker.clock = belief;
    return true;
  }
}
