import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '../log.ts';
import { reasonOf, StartError } from '../start-error.ts';
import type { Broker, BrokerAccount, MessageHandler } from './broker.ts';
import { ConnectionRefused, openConnection, type Connection } from './connection.ts';
import { DynamicSecurity } from './dynamic-security.ts';

export interface ExternalSettings {
  /** mqtt://user:password@host:port or mqtts://… */
  readonly url: string;
  /** Everything devices say. */
  readonly filters: readonly string[];
  /** Above every topic of ours, e.g. `lampyris/v1`. */
  readonly prefix: string;
  /** The broker keeps what we have not acknowledged under this client id; the same for whichever process receives. */
  readonly receiverId?: string;
  readonly log: Log;
  /** How long an unreachable broker is tried at the start, milliseconds; 60,000 unless told. */
  readonly patienceMs?: number;
  /** Aborted: the start is given up. */
  readonly signal?: AbortSignal;
}

const receiverSession = 7 * 24 * 3600;
const retryMs = 1000;

/** Reaches a site's broker (MQTT 5), trying for the whole patience; later it is tried for ever. Throws StartError. */
export async function startExternalBroker(settings: ExternalSettings): Promise<Broker & { readonly provisioned: boolean }> {
  const broker = new External(settings);
  await broker.start();
  return broker;
}

class External implements Broker {
  readonly kind = 'external';
  /** Whether accounts and rights are kept by us, through the dynamic-security plugin. */
  provisioned = false;
  readonly #settings: ExternalSettings;
  readonly #url: URL;
  readonly #log: Log;
  readonly #inWork = new Set<Promise<void>>();
  // Two connections: one speaks (any process), one receives under the fixed client id.
  #speaker: Connection | undefined;
  #receiver: Connection | undefined;
  #security: DynamicSecurity | undefined;
  #handler: MessageHandler | undefined;
  #problem: string | null = 'not connected to the MQTT broker yet';
  #received = 0;
  #acknowledged = 0;
  #published = 0;
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
        if (Date.now() >= deadline) throw new StartError(`MQTT_URL: the broker at ${place} could not be reached for ${Math.round(patience / 1000)} s: ${reasonOf(thrown)}`);
        if (tries === 0) this.#log.warn({ place, reason: reasonOf(thrown) }, 'the MQTT broker does not answer yet; trying on');
        if (this.#settings.signal?.aborted) throw new StartError('MQTT_URL: the start was given up');
        await sleep(Math.min(retryMs, Math.max(0, deadline - Date.now())));
      }
    }
    if (!this.provisioned) {
      this.#log.warn({ broker: this.#url.host }, 'the MQTT broker cannot be provisioned: its administrator grants accounts and topic rights, see docs/operations.md');
    } else if (await this.#security?.openByDefault()) {
      this.#log.warn({ broker: this.#url.host }, 'the MQTT broker allows by default what nobody granted; set its default access to deny, see docs/operations.md');
    }
  }

  onMessage(handler: MessageHandler): void {
    this.#handler = handler;
    void this.#keep('receiver', () => this.#receive());
  }

  async publish(topic: string, payload: Buffer | string, { retain = false, qos = 1 }: { retain?: boolean; qos?: 0 | 1 } = {}): Promise<void> {
    if (!this.#speaker) throw new Error(this.#problem ?? 'not connected to the MQTT broker');
    await this.#speaker.publish(topic, payload, { retain, qos });
    this.#published += 1;
  }

  async grant(accounts: readonly BrokerAccount[]): Promise<void> {
    if (this.provisioned) await this.#reached().grant(accounts);
  }

  async revoke(usernames: readonly string[]): Promise<void> {
    if (this.provisioned) await this.#reached().revoke(usernames);
  }

  // The plugin of Mosquitto can end an account's connections, not one client's: what such a client says is refused when it arrives.
  end(): void {}

  stats() {
    return { connections: null, received: this.#received, acknowledged: this.#acknowledged, published: this.#published, refused: {} };
  }

  problem(): string | null {
    return this.#problem ?? (this.#handler && !this.#receiver ? `the MQTT broker at ${this.#url.host} does not hand over messages` : null);
  }

  async stop(): Promise<void> {
    this.#stopping = true;
    await Promise.allSettled(this.#inWork);
    this.#receiver?.close();
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
      url: this.#url, clientId: `lampyris-server-${randomBytes(6).toString('hex')}`, clean: true, sessionSeconds: 0,
      receive: async ({ topic, payload }) => void security?.take(topic, Buffer.from(payload)),
      ended: (reason) => this.#lost('speaker', reason),
    });
    security = new DynamicSecurity(connection);
    const reached = await security.reach();
    if (reached && this.#url.username && await security.grantServer(decodeURIComponent(this.#url.username), this.#settings.prefix)) {
      this.#log.info({ broker: this.#url.host }, 'our own account got its rights on the MQTT broker; connecting again');
      connection.close();
      return this.#speak();
    }
    if (!connection.alive) throw new Error('the broker ended the connection');
    this.provisioned = reached;
    this.#security = security;
    this.#speaker = connection;
    this.#problem = null;
  }

  async #receive(): Promise<void> {
    const connection = await openConnection({
      url: this.#url, clientId: this.#settings.receiverId ?? 'lampyris-ingest-1', clean: false, sessionSeconds: receiverSession,
      receive: (packet) => this.#take(packet.topic, Buffer.from(packet.payload)),
      ended: (reason) => this.#lost('receiver', reason),
    });
    const refused = await connection.subscribe(this.#settings.filters);
    if (!connection.alive) throw new Error('the broker ended the connection');
    if (refused.length > 0) this.#log.error({ topics: refused }, 'the MQTT broker refuses our subscriptions; devices cannot be heard');
    this.#receiver = connection;
  }

  #take(topic: string, payload: Buffer): Promise<void> {
    const handler = this.#handler;
    if (!handler || this.#stopping) return Promise.reject(new Error('not receiving'));
    this.#received += 1;
    const work = handler({ topic, payload, username: null }).then(() => {
      this.#acknowledged += 1;
    });
    this.#inWork.add(work);
    void work.catch(() => undefined).finally(() => this.#inWork.delete(work));
    return work;
  }

  #lost(which: 'speaker' | 'receiver', reason: string): void {
    if (this.#stopping) return;
    // One that breaks before it is in use is tried again by whoever opens it.
    if (which === 'speaker' ? !this.#speaker : !this.#receiver) return;
    this.#log.warn({ broker: this.#url.host, reason }, `the connection to the MQTT broker was lost (${which}); trying on`);
    if (which === 'speaker') {
      this.#speaker = undefined;
      this.#security = undefined;
      this.#problem = `the MQTT broker at ${this.#url.host} cannot be reached: ${reason}`;
      void this.#keep(which, () => this.#speak());
    } else {
      this.#receiver = undefined;
      void this.#keep(which, () => this.#receive());
    }
  }

  /** Tries until it works or the program stops. */
  async #keep(which: string, connect: () => Promise<void>): Promise<void> {
    while (!this.#stopping) {
      try {
        await connect();
        return;
      } catch (thrown) {
        this.#log.debug({ which, reason: reasonOf(thrown) }, 'the MQTT broker is not reached');
        await sleep(retryMs, undefined, { ref: false });
      }
    }
  }
}
