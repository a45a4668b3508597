import { connect as connectTcp, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { generate, parser, type IConnackPacket, type IPublishPacket, type Packet } from 'mqtt-packet';
import { noLimits, PacketTooLarge, type BrokerLimits } from './broker.ts';

/** One MQTT 5 connection to a broker of the site; it does not reconnect by itself. */
export interface ConnectionSettings {
  readonly url: URL;
  readonly clientId: string;
  /** false: the broker keeps the session (and what was not acknowledged) for `sessionSeconds`. */
  readonly clean: boolean;
  readonly sessionSeconds: number;
  /** Called for every incoming publish; the acknowledgement is sent when it resolves, in any order. */
  readonly receive: (packet: IPublishPacket) => Promise<void>;
  readonly ended: (reason: string) => void;
  readonly connectMs?: number;
}

/** The broker refused the sign-in: trying again will not help. */
export class ConnectionRefused extends Error {
  override name = 'ConnectionRefused';
}

const keepAliveSeconds = 30;
/** Publishes that this end takes unacknowledged; the broker gets this number with CONNECT. */
const receiveMaximum = 1000;
/** Of a publish beside its topic and payload: type, length, topic length, message id, an expiry. */
const mostHeaderBytes = 1 + 4 + 2 + 2 + 1 + 5;
const version = { protocolVersion: 5 } as const;
// Bad user name or password, not authorized, banned, bad authentication method.
const refusals = new Set([0x86, 0x87, 0x8a, 0x8c]);

interface Waiting {
  readonly packet: Packet;
  readonly resolve: (packet: Packet) => void;
  readonly reject: (thrown: Error) => void;
}

/**
 * Connects and signs in. Rejects with ConnectionRefused for wrong credentials, with another error without an answer.
 */
export async function openConnection(settings: ConnectionSettings): Promise<Connection> {
  const connection = new Connection(settings);
  await connection.open();
  return connection;
}

export class Connection {
  readonly #settings: ConnectionSettings;
  readonly #socket: Socket;
  readonly #waiting = new Map<number, Waiting>();
  readonly #queue: Waiting[] = [];
  readonly #pings: (() => void)[] = [];
  #nextId = 0;
  /** Unacknowledged publishes that the broker takes. */
  #window = 65_535;
  #ended = false;
  #timer: NodeJS.Timeout | undefined;
  #lastHeard = Date.now();
  #inWork = 0;
  #signedIn: ((packet: IConnackPacket) => void) | undefined;
  limits: BrokerLimits = noLimits;
  /** Whether the broker had kept a session under this client id. */
  sessionPresent = false;

  constructor(settings: ConnectionSettings) {
    this.#settings = settings;
    const { url } = settings;
    const host = url.hostname.replace(/^\[|\]$/g, '');
    const secure = url.protocol === 'mqtts:';
    const port = Number(url.port || (secure ? 8883 : 1883));
    this.#socket = secure ? connectTls({ host, port, servername: host }) : connectTcp({ host, port });
    this.#socket.setNoDelay(true);
  }

  async open(): Promise<void> {
    const { url, clientId, clean, sessionSeconds, connectMs = 10_000 } = this.#settings;
    const incoming = parser({ ...version });
    incoming.on('packet', (packet: Packet) => this.#take(packet));
    incoming.on('error', (thrown: Error) => this.#end(thrown.message));
    this.#socket.on('data', (chunk: Buffer) => {
      this.#lastHeard = Date.now();
      incoming.parse(chunk);
    });
    const connack = new Promise<IConnackPacket>((resolve, reject) => {
      this.#signedIn = resolve;
      this.#socket.once('error', reject);
      this.#socket.once('close', () => reject(new Error('the broker closed the connection')));
      this.#socket.setTimeout(connectMs, () => reject(new Error('the broker does not answer')));
    });
    this.#socket.on('error', (thrown) => this.#end(thrown.message));
    this.#socket.once('close', () => this.#end('the broker closed the connection'));
    this.#socket.once(url.protocol === 'mqtts:' ? 'secureConnect' : 'connect', () =>
      this.#send({
        cmd: 'connect',
        protocolId: 'MQTT',
        ...version,
        clientId,
        clean,
        keepalive: keepAliveSeconds,
        ...(url.username
          ? { username: decodeURIComponent(url.username), password: Buffer.from(decodeURIComponent(url.password)) }
          : {}),
        properties: { sessionExpiryInterval: clean ? 0 : sessionSeconds, receiveMaximum },
      }),
    );
    try {
      const { reasonCode = 0, properties } = await connack;
      if (refusals.has(reasonCode))
        throw new ConnectionRefused(
          `the broker refuses user "${decodeURIComponent(url.username)}" (reason 0x${reasonCode.toString(16)})`,
        );
      if (reasonCode !== 0) throw new Error(`the broker refuses the connection (reason 0x${reasonCode.toString(16)})`);
      this.sessionPresent = (await connack).sessionPresent;
      this.#window = properties?.receiveMaximum ?? 65_535;
      // Absent: it keeps messages, of any size.
      this.limits = {
        keeps: properties?.retainAvailable !== false,
        packetBytes: properties?.maximumPacketSize ?? noLimits.packetBytes,
      };
    } catch (thrown) {
      this.#ended = true;
      this.#socket.destroy();
      throw thrown;
    }
    this.#socket.setTimeout(0);
    this.#timer = setInterval(() => this.#beat(), keepAliveSeconds * 500);
    this.#timer.unref();
  }

  /**
   * QoS 1: resolves when the broker has acknowledged it. Rejects when the connection ends before, or the broker refuses
   * it. A broker ends the connection for a message that it is to keep and cannot, or that is too large: the one is sent
   * to those who listen now, the other is not sent (PacketTooLarge).
   */
  async publish(
    topic: string,
    payload: Buffer | string,
    options: { retain: boolean; qos: 0 | 1; properties?: { messageExpiryInterval: number } },
  ): Promise<void> {
    if (this.#ended) throw new Error('not connected to the broker');
    const bytes = Buffer.byteLength(topic) + Buffer.byteLength(payload) + mostHeaderBytes;
    const { keeps, packetBytes } = this.limits;
    if (bytes > packetBytes)
      throw new PacketTooLarge(`the broker takes packets of ${packetBytes} bytes, this one to ${topic} has ${bytes}`);
    const retain = options.retain && keeps;
    const packet: IPublishPacket = { cmd: 'publish', topic, payload, dup: false, ...options, retain };
    if (options.qos === 0) return this.#send(packet);
    const answer = await this.#request(packet);
    const reason = 'reasonCode' in answer ? (answer.reasonCode ?? 0) : 0;
    if (reason >= 0x80) throw new Error(`the broker refused a message to ${topic} (reason 0x${reason.toString(16)})`);
  }

  /** Resolves with the filters that the broker refused. */
  async subscribe(filters: readonly string[], qos: 0 | 1 = 1): Promise<string[]> {
    const answer = await this.#request({
      cmd: 'subscribe',
      subscriptions: filters.map((topic) => ({ topic, qos, nl: false, rap: false, rh: 0 })),
    } as Packet);
    const granted = answer.cmd === 'suback' ? answer.granted : [];
    return filters.filter((_filter, index) => Number(granted[index] ?? 0x80) >= 0x80);
  }

  /** Ends subscriptions that the kept session may still have. */
  async unsubscribe(filters: readonly string[]): Promise<void> {
    await this.#request({ cmd: 'unsubscribe', unsubscriptions: [...filters] } as Packet);
  }

  /**
   * Resolves when the broker has answered, and thus has read everything sent and written everything it had; also when
   * the connection ends.
   */
  async answered(): Promise<void> {
    if (this.#ended) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#pings.push(resolve);
    this.#send({ cmd: 'pingreq' });
    await promise;
  }

  get alive(): boolean {
    return !this.#ended;
  }

  /** Disconnects in order; with `forget` the broker keeps nothing of the session. */
  close({ forget = false } = {}): void {
    if (!this.#ended)
      this.#send({
        cmd: 'disconnect',
        reasonCode: 0,
        ...(forget ? { properties: { sessionExpiryInterval: 0 } } : {}),
      } as Packet);
    this.#end('closed');
  }

  /** Ends it at once: nothing more is acknowledged, not even what waits to be sent. */
  abandon(): void {
    this.#socket.destroy();
    this.#end('abandoned');
  }

  #request(packet: Packet): Promise<Packet> {
    return new Promise((resolve, reject) => {
      if (this.#ended) return reject(new Error('not connected to the broker'));
      this.#queue.push({ packet, resolve, reject });
      this.#drain();
    });
  }

  #drain(): void {
    while (this.#queue.length > 0 && this.#waiting.size < this.#window && this.#waiting.size < 65_000) {
      const next = this.#queue.shift();
      if (!next) return;
      do this.#nextId = (this.#nextId % 65_535) + 1;
      while (this.#waiting.has(this.#nextId));
      next.packet.messageId = this.#nextId;
      this.#waiting.set(this.#nextId, next);
      this.#send(next.packet);
    }
  }

  #take(packet: Packet): void {
    switch (packet.cmd) {
      case 'connack':
        return this.#signedIn?.(packet);
      case 'publish':
        return void this.#receive(packet);
      case 'puback':
      case 'suback':
      case 'unsuback': {
        const waiting = this.#waiting.get(packet.messageId ?? 0);
        this.#waiting.delete(packet.messageId ?? 0);
        waiting?.resolve(packet);
        return this.#drain();
      }
      case 'pingresp':
        return this.#pings.shift()?.();
      case 'disconnect':
        return this.#end(`the broker ended the connection (reason 0x${(packet.reasonCode ?? 0).toString(16)})`);
      default:
    }
  }

  /**
   * A broker that respects the receive maximum never exceeds the window. Mosquitto 2.0.11 does, in a session that
   * continues after its holder was killed: it sends all that it has. Then the socket is not read until half of the
   * window is done. Beyond 65,535 its message ids repeat; nothing is lost then (before, 12,000 of 91,500 were), because
   * two messages with one id are never in work at once.
   */
  async #receive(packet: IPublishPacket): Promise<void> {
    this.#inWork += 1;
    if (this.#inWork > receiveMaximum) this.#socket.pause();
    try {
      await this.#settings.receive(packet);
      if (packet.qos === 1 && !this.#ended)
        this.#send({ cmd: 'puback', messageId: packet.messageId ?? 0, reasonCode: 0 } as Packet);
    } catch {
      // Without an acknowledgement the message comes again with the next connection.
      this.#end('a message could not be stored');
    }
    this.#inWork -= 1;
    if (this.#inWork > receiveMaximum / 2 || !this.#socket.isPaused()) return;
    this.#lastHeard = Date.now();
    this.#socket.resume();
  }

  #beat(): void {
    // Who is not listened to is not silent.
    if (!this.#socket.isPaused() && Date.now() - this.#lastHeard > keepAliveSeconds * 1500)
      return this.#end('the broker is silent');
    void this.answered();
  }

  #send(packet: Packet): void {
    if (!this.#socket.destroyed) this.#socket.write(generate(packet, { ...version }));
  }

  #end(reason: string): void {
    if (this.#ended) return;
    this.#ended = true;
    clearInterval(this.#timer);
    this.#socket.end();
    this.#socket.destroySoon();
    for (const waiting of [...this.#waiting.values(), ...this.#queue]) waiting.reject(new Error(reason));
    this.#waiting.clear();
    this.#queue.length = 0;
    for (const resolve of this.#pings.splice(0)) resolve();
    this.#settings.ended(reason);
  }
}
