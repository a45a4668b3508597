import { validateReading } from '../../../catalogue/index.ts';
import type { HeardOfPlan } from './plan-reports.ts';
import type { Said, SaidOfPlan, SaidReading } from '../../../protocols/wire.ts';
import { lateReports } from '../watch/presence/index.ts';
import type { LeaseLost } from '../platform/leases/index.ts';
import type { BrokerMessage } from '../platform/mqtt/index.ts';
import { doubtOf, learn, markOf, toleranceMs } from './clock-offset.ts';
import type { HeardDevice } from './devices-heard.ts';
import type { DoubtedMessage } from './doubted.store.ts';
import type { NewChannelReading } from './channels.store.ts';
import type { NewLatest, NewReading, NewStatus } from './ingest.store.ts';
import type { Outcome } from './outcome.ts';

export type Fence = NonNullable<BrokerMessage['fence']>;

/** A decoded message; `outcome`: somebody wants to be told what became of it. */
export interface Arrived {
  readonly message: Said;
  readonly topic: string;
  readonly receivedAt: number;
  readonly outcome: Outcome | null;
  readonly fence: Fence | undefined;
  /** The broker kept it: it says nothing of now. */
  readonly retained: boolean;
  /** As it came, of readings. */
  readonly payload: Uint8Array;
  /** It waited under this number until the clock of its speaker was known. */
  readonly keptAs?: number;
  /** Another process receives it by now: it is not to be acknowledged. */
  lost?: LeaseLost;
}

/**
 * Why a message or a part of it is refused; counted and told only once its batch is committed, for a batch may be tried
 * again.
 */
export interface Refused {
  readonly reason: string;
  readonly topic: string;
  readonly detail?: string;
  readonly reading: number | null;
  readonly outcome: Outcome | null;
}

/** What is believed of a clock now, milliseconds; `doubtMs`: what may be in force instead. */
export interface LearntClock {
  readonly offsetMs: number;
  readonly doubtMs: number | null;
}

/** Values of `reading.quality`, best first; the worst that applies is stored. */
const quality = { measured: 0, estimated: 1, stale: 2, invalid: 3 } as const;
const oldestMs = 400 * 86_400_000;
const futureMs = 10 * 60_000;
/** A sign of life that renews nothing is written so often: a judge looks no closer. */
const heardEveryMs = 15_000;
/**
 * The same of what mostly comes with newer values, so that it need not be written beside them: readings, and what is
 * heard through a controller, which tells nothing new of that while its own reports are in time.
 */
const seldomMs = 60_000;
/** What was heard so much later than now came before the clock was set back. */
const aheadMs = 5000;

/** What one batch writes, made of its messages in order. `rawFrom`: history before it has been taken away. */
export class Work {
  readonly readings: NewReading[] = [];
  /**
   * Of devices with several readings in the batch: what all of them together say. Of the others the reading itself is
   * marked as the newest.
   */
  readonly merged = new Map<number, NewLatest>();
  /** What is said of channels, and what no word of the catalogue fits. */
  readonly channels: NewChannelReading[] = [];
  readonly offsets = new Map<number, LearntClock>();
  /** Messages whose speaker's clock is in doubt, and those that waited for it and need not any more. */
  readonly doubted: (DoubtedMessage & { readonly outcome: Outcome | null })[] = [];
  readonly released: number[] = [];
  /** Speakers whose clock was in doubt and is not any more. */
  readonly decided = new Set<number>();
  readonly statuses = new Map<number, NewStatus>();
  /** What devices say of their plans; the latest that was said of each. */
  readonly plans = new Map<number, HeardOfPlan>();
  readonly acks: {
    deviceId: number;
    commandId: number;
    accepted: boolean;
    executedAt: number | null;
    error: string | null;
  }[] = [];
  /** Devices whose readings may prove a command: they were really measured. */
  readonly measured = new Set<number>();
  readonly touched = new Set<number>();
  /** Devices that were heard of though nothing renewed what is known of them, and when (ms). */
  readonly heard = new Map<number, number>();
  readonly refused: Refused[] = [];
  /** Of each reading, by its place in `readings`, who wants to be told of it. */
  readonly outcomes = new Map<number, Outcome>();
  /**
   * Readings of an instant that an earlier one of the batch has already told, and who wants to be told of that; which
   * of two the database would keep is its own affair.
   */
  readonly repeated: (Outcome | null)[] = [];
  readonly #newest = new Map<number, NewReading>();
  /** Instants of the readings of a device, microseconds: of most there is one, which needs no set. */
  readonly #instants = new Map<number, number | Set<number>>();
  readonly #devices: ReadonlyMap<number, HeardDevice>;
  readonly #rawFrom: number;

  constructor(devices: ReadonlyMap<number, HeardDevice>, rawFrom: number) {
    this.#devices = devices;
    this.#rawFrom = rawFrom;
  }

  add(arrived: Arrived): void {
    const { message, keptAs } = arrived;
    if (keptAs !== undefined) this.released.push(keptAs);
    const device = this.#devices.get(message.deviceId);
    if (!device) return this.#refuse(arrived, 'unknownDevice');
    if (message.viaId !== null && device.parentId !== message.viaId) return this.#refuse(arrived, 'foreignChild');
    // The clock is that of whoever speaks.
    const speaker = message.viaId === null ? device : this.#devices.get(message.viaId);
    if (!speaker) return this.#refuse(arrived, 'unknownDevice');
    if (keptAs !== undefined && message.kind === 'readings')
      return this.#addKept(arrived, keptAs, device, speaker, message);
    if (message.kind === 'status' || message.kind === 'readings') this.#addPlan(device.id, message, arrived);
    if (message.kind === 'status') this.#addStatus(device, arrived, message);
    else if (message.kind === 'ack') this.#addAck(device, speaker, arrived.receivedAt, message);
    else if (message.kind !== 'readings') this.#addRemark(device, speaker, arrived.receivedAt, message);
    else if (!this.#learn(speaker, arrived.receivedAt, message.sentAt)) this.#refuse(arrived, 'noClock');
    else if (doubtOf(speaker.clock) !== null) this.#setAside(arrived, speaker.id);
    else
      message.readings.forEach((reading, index) =>
        this.#addReading(
          arrived,
          device,
          reading.at + speaker.clock.offsetMs + markOf(speaker.clock.offsetMs),
          reading,
          index,
          message.channel,
        ),
      );
    const sign = signOf(arrived, speaker.clock.offsetMs);
    if (sign !== null)
      this.#hear(device, {
        at: sign,
        receivedAt: arrived.receivedAt,
        everyMs: message.kind === 'readings' ? seldomMs : heardEveryMs,
      });
    if (speaker !== device && isLate(speaker, arrived.receivedAt))
      this.#hear(speaker, { at: arrived.receivedAt, receivedAt: arrived.receivedAt, everyMs: seldomMs });
  }

  /** It was there. */
  #hear(
    device: HeardDevice,
    { at, receivedAt, everyMs }: { readonly at: number; readonly receivedAt: number; readonly everyMs: number },
  ): void {
    const { heardAt } = device;
    if (heardAt <= receivedAt + aheadMs && at - heardAt < everyMs) return;
    device.heardAt = at;
    this.heard.set(device.id, at);
    this.touched.add(device.id);
  }

  /** Until the clock of its speaker is known. */
  #setAside(arrived: Arrived, speakerId: number): void {
    const { receivedAt, topic, payload, outcome } = arrived;
    this.doubted.push({ speakerId, receivedAt, topic, payload, outcome });
  }

  /** It waited for the clock of its speaker. */
  #addKept(
    arrived: Arrived,
    keptAs: number,
    device: HeardDevice,
    { clock }: HeardDevice,
    { readings, channel }: Extract<Said, { kind: 'readings' }>,
  ): void {
    if (doubtOf(clock) !== null) return void this.released.splice(this.released.indexOf(keptAs), 1);
    readings.forEach((reading, index) =>
      this.#addReading(arrived, device, reading.at + clock.offsetMs + markOf(clock.offsetMs), reading, index, channel),
    );
  }

  #addStatus(
    device: HeardDevice,
    { receivedAt, retained }: Arrived,
    { online, at, settingsVersion }: Extract<Said, { kind: 'status' }>,
  ): void {
    this.statuses.set(device.id, {
      deviceId: device.id,
      online,
      ofWill: at === null,
      settingsVersion: settingsVersion ?? this.statuses.get(device.id)?.settingsVersion ?? null,
    });
    if (at !== null && !retained) this.#learn(device, receivedAt, at);
    this.touched.add(device.id);
  }

  #addPlan(deviceId: number, { planHash, capabilities, clockAt }: SaidOfPlan, { retained }: Arrived): void {
    if (planHash === undefined && capabilities === undefined && clockAt === undefined) return;
    const before = this.plans.get(deviceId);
    this.plans.set(deviceId, {
      ...before,
      live: before?.live === true || (planHash !== undefined && !retained),
      ...(planHash === undefined ? {} : { planHash }),
      ...(capabilities === undefined ? {} : { capabilities }),
      ...(clockAt === undefined ? {} : { clockAt }),
    });
  }

  #addAck(
    device: HeardDevice,
    speaker: HeardDevice,
    receivedAt: number,
    { commandId, accepted, executedAt, error }: Extract<Said, { kind: 'ack' }>,
  ): void {
    this.touched.add(device.id);
    // Executed just now by a clock that agrees with ours: it is right, whatever was believed.
    if (executedAt !== null && Math.abs(receivedAt - executedAt) <= toleranceMs)
      this.#learn(speaker, receivedAt, executedAt);
    this.acks.push({
      deviceId: device.id,
      commandId,
      accepted,
      executedAt: executedAt === null ? null : executedAt + speaker.clock.offsetMs,
      error,
    });
  }

  #addReading(
    arrived: Arrived,
    device: HeardDevice,
    at: number,
    { values: sent, quality: declared, unmapped }: SaidReading,
    index: number,
    channel = 0,
  ): void {
    const { receivedAt, outcome } = arrived;
    if (at > receivedAt + futureMs) return this.#refuse(arrived, 'future', new Date(at).toISOString(), index);
    if (at < receivedAt - oldestMs || at < this.#rawFrom)
      return this.#refuse(arrived, 'tooOld', new Date(at).toISOString(), index);
    const { values, rejected, unknown } = validateReading(device.family, sent);
    if (unknown > 0)
      this.#refuse(
        arrived,
        'unknownValue',
        Object.keys(sent)
          .filter((key) => !device.family.quantity.has(key))
          .join(' ')
          .slice(0, 100),
        index,
      );
    if (rejected.length > 0)
      this.#refuse(
        arrived,
        'implausibleValue',
        rejected
          .map(({ key, value }) => (value === undefined ? key : `${key}=${value}`))
          .join(' ')
          .slice(0, 100),
        index,
      );
    if (channel !== 0 || unmapped !== undefined) {
      this.#addToChannel(device, {
        deviceId: device.id,
        channel,
        at,
        kind: 'readings',
        receivedAt,
        quality: rejected.length > 0 ? quality.invalid : quality[declared],
        values: channel === 0 ? {} : values,
        unmapped: unmapped ?? null,
      });
      if (channel !== 0) return;
    }
    const known = withUnknown(device.family, values, sent);
    if (rejected.length === 0 && isEmpty(known)) {
      if (outcome) this.#refuse(arrived, 'noValues', undefined, index);
      return;
    }
    const reading: NewReading = {
      at,
      deviceId: device.id,
      receivedAt,
      quality: rejected.length > 0 ? quality.invalid : quality[declared],
      values,
      rejected,
      newest: false,
    };
    if (this.#isRepeated(reading)) return void this.repeated.push(outcome);
    if (outcome) this.outcomes.set(this.readings.length, outcome);
    this.readings.push(reading);
    this.touched.add(device.id);
    // An older value told again says nothing of now: no latest value, no sign of life, no proof.
    if (declared === 'stale') return;
    if (declared === 'measured') this.measured.add(device.id);
    this.#renew(device, reading, known);
  }

  #addRemark(
    device: HeardDevice,
    { clock }: HeardDevice,
    receivedAt: number,
    { kind, channel = 0, at, texts }: Extract<Said, { kind: 'hello' | 'event' | 'transaction' }>,
  ): void {
    this.#addToChannel(device, {
      deviceId: device.id,
      channel,
      at: Math.min(at + clock.offsetMs, receivedAt),
      kind,
      receivedAt,
      quality: quality.measured,
      values: {},
      unmapped: texts,
    });
  }

  #addToChannel(device: HeardDevice, reading: NewChannelReading): void {
    this.channels.push(reading);
    this.touched.add(device.id);
  }

  /** Whether the batch holds a reading of that device and instant; notes it. */
  #isRepeated({ deviceId, at }: NewReading): boolean {
    const instant = Math.round(at * 1000);
    const noted = this.#instants.get(deviceId);
    if (noted === undefined) this.#instants.set(deviceId, instant);
    else if (noted === instant) return true;
    else if (typeof noted === 'number') this.#instants.set(deviceId, new Set([noted, instant]));
    else if (noted.has(instant)) return true;
    else noted.add(instant);
    return false;
  }

  /**
   * What is known now is only ever replaced by something newer; the database decides, this only spares it the others.
   */
  #renew(device: HeardDevice, reading: NewReading, values: NewLatest['values']): void {
    const { at, receivedAt } = reading;
    // What would be refused as future was never now: the clock was set back meanwhile, and what is stored was healed
    // (`wires/connections`).
    if (Math.floor(at) <= device.latestAt && device.latestAt <= receivedAt + futureMs) return;
    device.latestAt = at;
    device.reportedAt = receivedAt;
    device.heardAt = Math.max(Math.min(at, receivedAt), this.heard.get(device.id) ?? 0);
    const merged = this.merged.get(device.id) ?? this.#newest.get(device.id);
    if (!merged && values === reading.values) {
      reading.newest = true;
      this.#newest.set(device.id, reading);
      return;
    }
    this.merged.set(device.id, { deviceId: device.id, at, receivedAt, values: { ...merged?.values, ...values } });
    const first = this.#newest.get(device.id);
    if (first) first.newest = false;
  }

  /** false: the clock of this device cannot be believed. */
  #learn(speaker: HeardDevice, receivedAt: number, sentAt: number): boolean {
    const belief = learn(speaker.clock, receivedAt, sentAt);
    if (!belief) return false;
    const doubtMs = doubtOf(belief);
    if (belief.offsetMs !== speaker.clock.offsetMs || doubtMs !== doubtOf(speaker.clock)) {
      this.offsets.set(speaker.id, { offsetMs: belief.offsetMs, doubtMs });
      if (doubtMs !== null) this.decided.delete(speaker.id);
      else if (doubtOf(speaker.clock) !== null) this.decided.add(speaker.id);
    }
    speaker.clock = belief;
    return true;
  }

  #refuse({ topic, outcome }: Arrived, reason: string, detail?: string, reading: number | null = null): void {
    this.refused.push({ reason, topic, reading, outcome, ...(detail === undefined ? {} : { detail }) });
  }
}

/**
 * What is known now by a reading: its values, and null where the device says that it does not know any more. The
 * history has no nulls.
 */
function withUnknown(
  family: HeardDevice['family'],
  values: NewReading['values'],
  sent: SaidReading['values'],
): NewLatest['values'] {
  const unknown = Object.keys(sent).filter((key) => sent[key] === null && family.quantity.has(key));
  return unknown.length === 0 ? values : { ...values, ...Object.fromEntries(unknown.map((key) => [key, null])) };
}

/**
 * When a message shows its device to have been there: when it comes, whatever it tells and of whatever time; what a
 * controller tells of a device may have waited in it for days, so that counts from its own time. null: others, or the
 * broker, say it in the device's name.
 */
function signOf({ message, receivedAt, retained }: Arrived, offsetMs: number): number | null {
  if (message.kind === 'status') return message.at !== null && !retained ? receivedAt : null;
  if (message.viaId === null) return receivedAt;
  const times =
    message.kind === 'ack'
      ? [message.executedAt ?? receivedAt - offsetMs]
      : message.kind !== 'readings'
        ? [message.at]
        : message.readings.flatMap(({ at, quality: declared }) => (declared === 'stale' ? [] : [at]));
  return times.length === 0 ? null : Math.min(Math.max(...times) + offsetMs, receivedAt);
}

/** Whether a controller's own report is overdue: then what comes through it is what tells that it is there. */
const isLate = ({ family, reportedAt }: HeardDevice, now: number): boolean =>
  Math.abs(now - reportedAt) > lateReports * (family.report?.heartbeat ?? 0) * 1000;

const isEmpty = (values: object): boolean => Object.keys(values).length === 0;
