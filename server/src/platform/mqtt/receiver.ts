import { setTimeout as sleep } from 'node:timers/promises';
import type { Held } from '../leases/index.ts';
import type { Log } from '../log.ts';
import { reasonOf } from '../start-error.ts';
import type { BrokerMessage, MessageHandler } from './broker.ts';
import { openConnection, type Connection } from './connection.ts';

export interface ReceiverSettings {
  readonly url: URL;
  /** The broker keeps unacknowledged messages under this name, for any process that has it. */
  readonly clientId: string;
  readonly filters: readonly string[];
  /** What the session may have been subscribed to before, and no longer is. */
  readonly unwanted: readonly string[];
  /** The slot, while it is ours. */
  readonly held: Held;
  /** The slot is out of use: its remaining messages are received, then its session at the broker is ended. */
  readonly retired: boolean;
  readonly handler: MessageHandler;
  readonly log: Log;
  /** Silence of a retired session before the broker is asked whether it has more, milliseconds; default 5,000. */
  readonly quietMs?: number;
}

const sessionSeconds = 7 * 24 * 3600;
const retryMs = 1000;
/** A process that cannot reach the broker for this time frees the slot, for this time too. */
const patienceMs = 10_000;

/**
 * Receives under the fixed client id of one slot, while this process holds it. A process that lost the slot
 * acknowledges nothing and does not reconnect: the broker delivers everything to the next holder.
 */
export class Receiver {
  readonly #settings: ReceiverSettings;
  readonly #inWork = new Set<Promise<void>>();
  #connection: Connection | undefined;
  #stopping = false;
  #heardAt = 0;
  readonly counts = { received: 0, acknowledged: 0 };

  constructor(settings: ReceiverSettings) {
    this.#settings = settings;
  }

  /** Whether it is on its way to the broker: devices are not heard meanwhile. */
  get waits(): boolean {
    return !this.#settings.retired && this.#connection === undefined;
  }

  /** Connects in the background, and again when the connection is lost. */
  start(): void {
    void this.#keep();
  }

  /** Finishes and acknowledges messages in work, while the slot is ours; further ones stay with the broker. */
  async stop(): Promise<void> {
    this.#stopping = true;
    if (!this.#settings.held.isMine()) this.#connection?.abandon();
    await Promise.allSettled(this.#inWork);
    this.#connection?.close();
  }

  async #keep(pauseMs = 0): Promise<void> {
    const { held, log, clientId, retired } = this.#settings;
    if (pauseMs > 0) await sleep(pauseMs, undefined, { ref: false });
    const since = performance.now();
    while (!this.#stopping && held.isMine()) {
      try {
        const connection = await this.#open();
        if (retired) await this.#drain(connection);
        return;
      } catch (thrown) {
        log.debug({ clientId, reason: reasonOf(thrown) }, 'the MQTT broker is not reached');
        if (performance.now() - since > patienceMs) return held.giveBack(patienceMs);
        await sleep(retryMs, undefined, { ref: false });
      }
    }
  }

  async #open(): Promise<Connection> {
    const { url, clientId, filters, unwanted, log, held } = this.#settings;
    let connection: Connection | undefined;
    connection = await openConnection({
      url,
      clientId,
      clean: false,
      sessionSeconds,
      receive: (packet) =>
        this.#take({
          topic: packet.topic,
          payload: Buffer.from(packet.payload),
          username: null,
          retained: packet.retain === true,
          fence: held.fence,
        }),
      ended: (reason) => this.#lost(connection, reason),
    });
    // The other way round, what comes in between would be for nobody; what now comes twice is stored once.
    const refused = filters.length === 0 ? [] : await connection.subscribe(filters);
    if (connection.sessionPresent && unwanted.length > 0) await connection.unsubscribe(unwanted);
    if (!connection.alive) throw new Error('the broker ended the connection');
    if (refused.length > 0)
      log.error({ topics: refused }, 'the MQTT broker refuses our subscriptions; devices cannot be heard');
    this.#connection = connection;
    if (this.#stopping || !held.isMine()) connection.abandon();
    return connection;
  }

  /**
   * Until nothing has come for a while, and the broker has answered that this is all; then nothing of the session is
   * left behind. A silence alone may be a broker that stands still: what it still has would go with its session.
   */
  async #drain(connection: Connection): Promise<void> {
    const { held, quietMs = 5000 } = this.#settings;
    this.#heardAt = performance.now();
    for (let asked = -1; connection.alive && connection.sessionPresent && asked !== this.#heardAt;) {
      while (connection.alive && (this.#inWork.size > 0 || performance.now() - this.#heardAt < quietMs))
        await sleep(quietMs / 20, undefined, { ref: false });
      asked = this.#heardAt;
      await connection.answered();
    }
    if (!connection.alive || !held.isMine()) return;
    this.#connection = undefined;
    // Over this very connection: another process that has taken over the session has ended this connection, and keeps
    // it.
    connection.close({ forget: true });
  }

  /** Resolves when the message may be acknowledged. */
  async #take(message: BrokerMessage): Promise<void> {
    const { held, handler } = this.#settings;
    if (this.#stopping || !held.isMine()) return new Promise(() => undefined);
    this.counts.received += 1;
    this.#heardAt = performance.now();
    const work = handler(message);
    this.#inWork.add(work);
    try {
      await work;
    } finally {
      this.#inWork.delete(work);
    }
    // Who has the slot now gets it too.
    if (!held.isMine()) throw new Error('the slot is no longer ours');
    this.counts.acknowledged += 1;
  }

  #lost(connection: Connection | undefined, reason: string): void {
    // A connection that breaks before it is in use is retried by its opener.
    if (!connection || this.#stopping || this.#connection !== connection) return;
    const { log, url, clientId, held } = this.#settings;
    this.#connection = undefined;
    if (!held.isMine()) return;
    log.warn(
      { broker: url.host, clientId, reason },
      'the connection to the MQTT broker was lost (receiver); trying on',
    );
    // Not at once: another process may have connected under this name.
    void this.#keep(retryMs);
  }
}
