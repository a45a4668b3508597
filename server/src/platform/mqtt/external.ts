import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Held, Leases } from '../leases/index.ts';
import type { Log } from '../log.ts';
import { reasonOf, StartError } from '../start-error.ts';
import {
  noLimits,
  type Broker,
  type BrokerLimits,
  type BrokerAccount,
  type MessageHandler,
  type PublishOptions,
} from './broker.ts';
import { ConnectionRefused, openConnection, type Connection } from './connection.ts';
import { DynamicSecurity } from './dynamic-security.ts';
import { Receiver } from './receiver.ts';

export interface ExternalSettings {
  /** mqtt://user:password@host:port or mqtts://… */
  readonly url: string;
  /** Filters of messages whose order does not matter: several receivers share them. */
  readonly filters: readonly string[];
  /** Filters of messages that must arrive in order: one receiver takes all of them. */
  readonly orderedFilters?: readonly string[];
  readonly slots: Slots;
  /** Above every topic of ours, e.g. `lampyris/v1`. */
  readonly prefix: string;
  readonly log: Log;
  /** How long the start tries an unreachable broker, milliseconds; default 60,000. */
  readonly patienceMs?: number;
  /** Aborted: the start is given up. */
  readonly signal?: AbortSignal;
}

/** Receivers: each slot is a fixed client id at the broker, held by one process at a time. */
export interface Slots {
  readonly count: number;
  /** Numbers above `count` that were once in use: what the broker keeps for them is received too. */
  readonly retired: readonly number[];
  readonly hold: Leases['hold'];
}

const group = 'lampyris-ingest';
const retryMs = 1000;
/** MQTT counts whole seconds: rather too early than too late. Mosquitto takes 0 for "never". */
const wholeSeconds = (seconds: number): number => Math.max(1, Math.floor(seconds));
/** Mosquitto publishes the count here every ten seconds, unless its configuration disables it. */
const clientsTopic = '$SYS/broker/clients/connected';

/**
 * Reaches a site's broker (MQTT 5) within the patience of the start; later it retries without end. Throws StartError.
 */
export async function startExternalBroker(
  settings: ExternalSettings,
): Promise<Broker & { readonly provisioned: boolean }> {
  const broker = new External(settings);
  await broker.start();
  return broker;
}

class External implements Broker {
  readonly kind = 'external';
  /** Whether the program manages accounts and rights, through the dynamic-security plugin. */
  provisioned = false;
  readonly #settings: ExternalSettings;
  readonly #url: URL;
  readonly #log: Log;
  // One connection sends, in any process; one for each slot receives, in the process that holds it.
  #speaker: Connection | undefined;
  readonly #receivers = new Set<Receiver>();
  #slots: (() => Promise<void>)[] = [];
  #security: DynamicSecurity | undefined;
  #problem: string | null = 'not connected to the MQTT broker yet';
  readonly #before = { received: 0, acknowledged: 0 };
  #published = 0;
  #limits = noLimits;
  /** Clients connected to the broker, our own included; null: the broker does not report it. */
  #clients: number | null = null;
  #stopping = false;

  constructor(settings: ExternalSettings) {
    this.#settings = settings;
    this.#url = new URL(settings.url);
    this.#log = settings.log;
  }

  async start(): Promise<void> {
    const patience = this.#settings.patienceMs ?? 60_000;
    const deadline = Date.now() + patience;
    for (let tries = 0; ; tries += 1) {
      try {
        await this.#speak();
        break;
      } catch (thrown) {
        const place = this.#url.host;
        if (thrown instanceof ConnectionRefused) throw new StartError(`MQTT_URL: ${place}: ${thrown.message}`);
        if (Date.now() >= deadline)
          throw new StartError(
            `MQTT_URL: the broker at ${place} could not be reached for ${Math.round(patience / 1000)} s: ${reasonOf(thrown)}`,
          );
        if (tries === 0)
          this.#log.warn({ place, reason: reasonOf(thrown) }, 'the MQTT broker does not answer yet; trying on');
        if (this.#settings.signal?.aborted) throw new StartError('MQTT_URL: the start was given up');
        await sleep(Math.min(retryMs, Math.max(0, deadline - Date.now())));
      }
    }
    if (!this.provisioned) {
      this.#log.warn(
        { broker: this.#url.host },
        'the MQTT broker cannot be provisioned: its administrator grants accounts and topic rights, see docs/operations.md',
      );
    } else if (await this.#security?.openByDefault()) {
      this.#log.warn(
        { broker: this.#url.host },
        'the MQTT broker allows by default what nobody granted; set its default access to deny, see docs/operations.md',
      );
    }
  }

  onMessage(handler: MessageHandler, begins: () => void = () => undefined): void {
    const { count, retired, hold } = this.#settings.slots;
    const numbers = [
      ...Array.from({ length: count }, (_, index) => index + 1),
      ...retired.filter((number) => number > count),
    ];
    this.#slots = numbers.map((number) =>
      hold(`ingest/${number}`, (held) => {
        begins();
        return this.#receive(number, held, handler);
      }),
    );
  }

  async publish(
    topic: string,
    payload: Buffer | string,
    { retain = false, qos = 1, expirySeconds }: PublishOptions = {},
  ): Promise<void> {
    if (!this.#speaker) throw new Error(this.#problem ?? 'not connected to the MQTT broker');
    await this.#speaker.publish(topic, payload, {
      retain,
      qos,
      ...(expirySeconds === undefined ? {} : { properties: { messageExpiryInterval: wholeSeconds(expirySeconds) } }),
    });
    this.#published += 1;
  }

  async grant(accounts: readonly BrokerAccount[]): Promise<void> {
    if (this.provisioned) await this.#reached().grant(accounts);
  }

  async revoke(usernames: readonly string[]): Promise<void> {
    if (this.provisioned) await this.#reached().revoke(usernames);
  }

  async accounts(): Promise<readonly string[] | null> {
    return this.provisioned ? this.#reached().accounts() : null;
  }

  // The plugin of Mosquitto can end an account's connections, not one client's. Messages of such a client are refused
  // on arrival.
  end(): void {}

  stats() {
    const sum = (key: 'received' | 'acknowledged') =>
      [...this.#receivers].reduce((total, { counts }) => total + counts[key], this.#before[key]);
    return {
      connections: this.#clients,
      received: sum('received'),
      acknowledged: sum('acknowledged'),
      published: this.#published,
      refused: {},
    };
  }

  limits() {
    return this.#limits;
  }

  problem(): string | null {
    return (
      this.#problem ??
      ([...this.#receivers].some(({ waits }) => waits)
        ? `the MQTT broker at ${this.#url.host} does not hand over messages`
        : null)
    );
  }

  async stop(): Promise<void> {
    this.#stopping = true;
    await Promise.all(this.#slots.map((giveBack) => giveBack()));
    this.#speaker?.close();
    this.#problem = 'the connection to the MQTT broker is closed';
  }

  #reached(): DynamicSecurity {
    if (!this.#security) throw new Error(this.#problem ?? 'not connected to the MQTT broker');
    return this.#security;
  }

  async #speak(): Promise<void> {
    let security: DynamicSecurity | undefined;
    const connection = await openConnection({
      url: this.#url,
      clientId: `lampyris-server-${randomBytes(6).toString('hex')}`,
      clean: true,
      sessionSeconds: 0,
      receive: async ({ topic, payload }) => {
        if (topic === clientsTopic) this.#clients = Number(Buffer.from(payload).toString()) || null;
        else security?.take(topic, Buffer.from(payload));
      },
      ended: (reason) => this.#lost(reason),
    });
    security = new DynamicSecurity(connection);
    const reached = await security.reach();
    if (
      reached &&
      this.#url.username &&
      (await security.grantServer(decodeURIComponent(this.#url.username), this.#settings.prefix))
    ) {
      this.#log.info({ broker: this.#url.host }, 'our own account got its rights on the MQTT broker; connecting again');
      connection.close();
      return this.#speak();
    }
    // Only with the administrator's account: elsewhere a subscription to a foreign topic may end the connection,
    // without naming the refused topic.
    if (reached) await connection.subscribe([clientsTopic]);
    if (!connection.alive) throw new Error('the broker ended the connection');
    this.provisioned = reached;
    this.#security = security;
    this.#speaker = connection;
    this.#noteLimits(connection.limits);
    this.#problem = null;
  }

  #noteLimits(limits: BrokerLimits): void {
    if (!limits.keeps && this.#limits.keeps)
      this.#log.warn(
        { broker: this.#url.host },
        'the MQTT broker keeps no messages: devices get their settings again whenever they connect, see docs/operations.md',
      );
    this.#limits = limits;
  }

  /**
   * Receives while the slot is ours. With one slot all filters are its own; several share, except filters whose order
   * matters.
   */
  #receive(number: number, held: Held, handler: MessageHandler): () => Promise<void> {
    const {
      filters,
      orderedFilters = [],
      slots: { count },
    } = this.#settings;
    const shared = filters.map((filter) => `$share/${group}/${filter}`);
    const retired = number > count;
    const wanted = retired
      ? []
      : count === 1
        ? [...filters, ...orderedFilters]
        : [...shared, ...(number === 1 ? orderedFilters : [])];
    const receiver = new Receiver({
      url: this.#url,
      clientId: `${group}-${number}`,
      filters: wanted,
      unwanted: [...filters, ...shared, ...orderedFilters].filter((filter) => !wanted.includes(filter)),
      retired,
      held,
      handler,
      log: this.#log,
    });
    this.#receivers.add(receiver);
    receiver.start();
    return async () => {
      await receiver.stop();
      this.#receivers.delete(receiver);
      this.#before.received += receiver.counts.received;
      this.#before.acknowledged += receiver.counts.acknowledged;
    };
  }

  #lost(reason: string): void {
    // A connection that breaks before it is in use is retried by its opener.
    if (this.#stopping || !this.#speaker) return;
    this.#log.warn(
      { broker: this.#url.host, reason },
      'the connection to the MQTT broker was lost (speaker); trying on',
    );
    this.#speaker = undefined;
    this.#security = undefined;
    this.#clients = null;
    this.#problem = `the MQTT broker at ${this.#url.host} cannot be reached: ${reason}`;
    void this.#keep();
  }

  /** Tries until it works or the program stops. */
  async #keep(): Promise<void> {
    while (!this.#stopping) {
      try {
        await this.#speak();
        return;
      } catch (thrown) {
        this.#log.debug({ reason: reasonOf(thrown) }, 'the MQTT broker is not reached');
        await sleep(retryMs, undefined, { ref: false });
      }
    }
  }
}
