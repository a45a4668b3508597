import { createHash } from 'node:crypto';
import { accountOfBatch, batchOfAccount, type NewcomerPlace } from '../../../../protocols/wire.ts';
import type { Bus } from '../../platform/bus/index.ts';
import type { Clock, Stop } from '../../platform/clock.ts';
import type { Db } from '../../platform/db/index.ts';
import type { Keys } from '../../platform/keys/index.ts';
import type { Log } from '../../platform/log.ts';
import type { Broker, BrokerMessage, LinkEvent } from '../../platform/mqtt/index.ts';
import { codeOf, reasonOf } from '../../platform/start-error.ts';
import { hearNewcomer, newcomerAt, welcome } from '../link/index.ts';
import { findExpired, findOpen } from './batches.store.ts';
import { Buckets } from './buckets.ts';
import { guessFamily } from './families.ts';
import { admit, findNewcomer, keep, markDoubt, touch, type Heard, type KnownNewcomer } from './newcomers.store.ts';
import { sealNewcomerSecret } from './seal.ts';
import { clean, keptForReplay, keptForShow } from './texts.ts';

export interface NewcomersParts {
  readonly db: Db;
  readonly bus: Bus;
  readonly clock: Clock;
  readonly keys: Keys;
  readonly log: Log;
}

export interface Newcomers {
  /**
   * Takes a message of a newcomer; false: it is none. Resolves when it is kept or dropped for good: then it may be
   * acknowledged.
   */
  take(message: BrokerMessage): Promise<boolean>;
  /** Told of what happens on connections. */
  witness(event: LinkEvent): void;
  /** Answers by this broker, and ends the connections of batches whose time is over. */
  start(broker: Broker): Stop;
}

const expiryMs = 15_000;
const lookBackMs = 30 * 86_400_000;

/** The way of what unknown devices say: into the inbox, bounded, never into the history. */
export function createNewcomers({ db, bus, clock, keys, log }: NewcomersParts): Newcomers {
  // What one serial, and a whole batch, may have written; the rest is acknowledged and only counted.
  const perSerial = new Buckets(10, 0.5);
  const perBatch = new Buckets(500, 50);
  const answers = new Buckets(3, 0.2);
  const uncounted = new Map<number, number>();
  let broker: Broker | undefined;

  const changed = () => bus.publish('newcomers.changed', {});

  async function take({ topic, payload }: BrokerMessage): Promise<boolean> {
    const address = newcomerAt(topic);
    if (!address) return false;
    try {
      await receive(address, payload);
    } catch (thrown) {
      // 22…, 23…: the database does not take it for the data's sake, or the batch went meanwhile: sending again does
      // not help.
      if (!/^2[23]/.test(codeOf(thrown) ?? '')) throw thrown;
      log.warn(
        {
          batchId: address.batchId,
          serial: clean(address.serial, 60),
          topic: clean(topic, 120),
          reason: reasonOf(thrown),
        },
        'what a newcomer said cannot be kept',
      );
    }
    return true;
  }

  async function receive(address: NewcomerPlace, payload: Buffer): Promise<void> {
    const { batchId, serial } = address;
    const now = clock.now();
    if (!perBatch.take(String(batchId), now.getTime())) return;
    let known = await findNewcomer(db, batchId, serial, now);
    // A broker of the site lets members in without asking us.
    if (!known && (await admit(db, { batchId, serial, address: null, at: now })) === null)
      known = await findNewcomer(db, batchId, serial, now);
    if (!known?.open || known.state === 'blocked') return;
    const messages = (uncounted.get(known.id) ?? 0) + 1;
    if (!perSerial.take(`${batchId}/${serial}`, now.getTime())) return void uncounted.set(known.id, messages);
    uncounted.delete(known.id);
    if (known.state === 'claimed') await again(known, address, payload, now, messages);
    else await keep(db, known.id, await heard(known, address, payload, now, messages));
    changed();
  }

  /** One that waits: what it said, and what follows from it. */
  async function heard(
    known: KnownNewcomer,
    address: NewcomerPlace,
    payload: Buffer,
    at: Date,
    messages: number,
  ): Promise<Heard> {
    const decoded = hearNewcomer(address, payload);
    const problem = decoded.ok ? null : clean(`${decoded.reason}: ${decoded.detail}`);
    const isForReplay = decoded.ok && decoded.message.kind === 'readings';
    const base = {
      at,
      messages,
      payload: {
        at: at.toISOString(),
        kind: address.kind,
        text: isForReplay ? keptForReplay(payload) : keptForShow(payload),
        problem,
      },
    };
    if (!decoded.ok) return { ...base, family: null, hello: null, secret: null };
    const { message } = decoded;
    if (message.kind === 'readings') {
      const keys = [...new Set(message.readings.flatMap(({ values }) => Object.keys(values)))];
      return {
        ...base,
        family: known.family === null ? guessFamily(known.families, null, keys) : null,
        hello: null,
        secret: null,
      };
    }
    const { secret, family = null, longitude, latitude, ...texts } = message.hello;
    const hash = hashOf(secret);
    if (known.secretHash !== null && !known.secretHash.equals(hash)) {
      await markDoubt(db, known.id, 'secret', at);
      return { ...base, family: null, hello: null, secret: null };
    }
    const position =
      longitude === undefined || latitude === undefined || (longitude === 0 && latitude === 0)
        ? {}
        : { longitude, latitude };
    const words = (['model', 'firmware', 'name'] as const).flatMap((key) =>
      texts[key] === undefined ? [] : [[key, clean(texts[key], 100)]],
    );
    return {
      ...base,
      family: guessFamily(known.families, family, []) ?? null,
      hello: { ...Object.fromEntries(words), ...position },
      secret: { hash, sealed: sealNewcomerSecret(keys, secret) },
    };
  }

  /** One that is claimed and still comes by the batch's door: it is told who it is, if it is the same one. */
  async function again(
    known: KnownNewcomer,
    address: NewcomerPlace,
    payload: Buffer,
    now: Date,
    messages: number,
  ): Promise<void> {
    await touch(db, known.id, now, messages);
    const decoded = hearNewcomer(address, payload);
    if (
      decoded.ok &&
      decoded.message.kind === 'hello' &&
      known.secretHash !== null &&
      !known.secretHash.equals(hashOf(decoded.message.hello.secret))
    ) {
      await markDoubt(db, known.id, 'secret', now);
      return;
    }
    if (
      known.deviceId === null ||
      known.secretHash === null ||
      known.isPending ||
      !answers.take(`${address.batchId}/${address.serial}`, now.getTime())
    )
      return;
    await tell(address, known.deviceId);
  }

  async function tell(address: { batchId: number; serial: string }, deviceId: number): Promise<void> {
    const { topic, payload, retain } = welcome(address, deviceId);
    // Nothing is lost when it cannot be sent now: the next hello is answered too.
    await broker
      ?.publish(topic, payload, { retain })
      .catch((thrown: unknown) =>
        log.debug(
          { deviceId, batchId: address.batchId, serial: address.serial, reason: reasonOf(thrown) },
          'a claimed device could not be told',
        ),
      );
  }

  async function close(started: Broker, username: string): Promise<void> {
    const batchId = batchOfAccount(username);
    // Of a shared broker every process hears this. One that is open again got another secret: whoever gave it makes the
    // account anew, and nobody may take that away.
    if (
      started.kind === 'external' &&
      batchId !== undefined &&
      (await findOpen(db, [batchId], clock.now())).has(batchId)
    )
      return;
    await started.revoke([username]);
  }

  async function doubtful(batchId: number, serial: string): Promise<void> {
    const known = await findNewcomer(db, batchId, serial, clock.now());
    if (!known) return;
    await markDoubt(db, known.id, 'address', clock.now());
    changed();
  }

  return {
    take,
    witness({ kind, username, clientId, address, before }) {
      const batchId = batchOfAccount(username);
      if (batchId === undefined) return;
      if (kind === 'connected' || kind === 'disconnected') changed();
      // The same address: a device that came back before its old connection was known to be dead.
      if (kind === 'takenOver' && before !== address)
        void doubtful(batchId, clientId).catch((thrown: unknown) =>
          log.warn(
            { batchId, serial: clean(clientId, 60), reason: reasonOf(thrown) },
            'a doubt about a newcomer could not be kept',
          ),
        );
    },
    start(started) {
      broker = started;
      // What ran out while the program stood still is closed on a shared broker too.
      let since = new Date(clock.now().getTime() - lookBackMs);
      const stops = [
        clock.every(expiryMs, async () => {
          const now = clock.now();
          const over = await findExpired(db, since, now);
          if (over.length > 0) await started.revoke(over.map(accountOfBatch));
          since = now;
        }),
        bus.subscribe('newcomer.claimed', ({ batchId, serial, deviceId }) => void tell({ batchId, serial }, deviceId)),
        bus.subscribe('newcomer.blocked', ({ username, serial }) => started.end(username, serial)),
        bus.subscribe(
          'batch.closed',
          ({ username }) =>
            void close(started, username).catch((thrown: unknown) =>
              log.warn(
                { batchId: batchOfAccount(username), reason: reasonOf(thrown) },
                'connections of a batch could not be ended',
              ),
            ),
        ),
      ];
      return () => stops.forEach((stop) => stop());
    },
  };
}

const hashOf = (secret: string): Buffer => createHash('sha256').update(secret).digest();
