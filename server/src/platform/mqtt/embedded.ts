import type { Socket } from 'node:net';
import {
  Aedes,
  type AuthenticateError,
  type Client,
  type ConnectPacket,
  type PublishPacket,
  type Subscription,
} from 'aedes';
import { addressKey } from '../http/index.ts';
import type { Log } from '../log.ts';
import { reasonOf } from '../start-error.ts';
import { WrongPasswords } from '../wrong-passwords.ts';
import { noLimits, Tally, type Broker, type MessageHandler, type PublishOptions, type TopicRights } from './broker.ts';
import { Intake } from './intake.ts';
import { isExpired, letGoExpired } from './kept-messages.ts';
import type { EmbeddedSettings } from './embedded-settings.ts';
import { usualLimits, type Limits } from './limits.ts';
import { limitPackets } from './packet-limit.ts';
import { Ports } from './ports.ts';
import { Rests } from './rests.ts';
import { findRetainedByPlace } from './retained.ts';
import { maySubscribe, mayPublish } from './rights.ts';
import type { LinkEvent } from './visitors.ts';

export interface EmbeddedBroker extends Broker {
  readonly kind: 'embedded';
  readonly port: number;
  readonly tlsPort: number | null;
}

/** Starts Aedes in this process, on MQTT 3.1 and 3.1.1. Throws StartError when a port is taken. */
export async function startEmbeddedBroker(settings: EmbeddedSettings): Promise<EmbeddedBroker> {
  const broker = new Embedded(settings);
  await broker.start();
  return broker;
}

/** Bytes of a packet behind its length, as the parser notes them. */
const packetBytes = (packet: PublishPacket): unknown => Reflect.get(packet, 'length');

interface Visitor {
  readonly username: string;
  readonly rights: TopicRights;
  subscriptions: number;
  /** The connection was begun within a rest, and nothing was read on it since. */
  restsOn: boolean;
}

class Embedded implements EmbeddedBroker {
  readonly kind = 'embedded';
  port = 0;
  tlsPort: number | null = null;
  readonly #settings: EmbeddedSettings;
  readonly #limits: Limits;
  readonly #log: Log;
  readonly #refused = new Tally();
  readonly #visitors = new WeakMap<Client, Visitor>();
  readonly #wills = new WeakMap<Client, string>();
  readonly #addresses = new WeakMap<Client, string>();
  // Why a connection is about to end, where that is known before.
  readonly #ends = new WeakMap<Client, 'keepAlive' | 'revoked' | 'foreignTopic' | 'packetTooLarge'>();
  // One client for a device's name, several for a batch's.
  readonly #byName = new Map<string, Set<Client>>();
  readonly #ports: Ports;
  readonly #inWork = new Set<Promise<void>>();
  readonly #intake: Intake;
  #aedes: Aedes | undefined;
  #handler: MessageHandler | undefined;
  readonly #streams = new WeakMap<Client, Socket>();
  /** Takes it out of the waiting room. */
  readonly #signsIn = new WeakMap<Client, () => void>();
  /** Milliseconds. */
  readonly #keepAlives = new WeakMap<Client, number>();
  /** Lengths of packets whose beginning was read, and which have not come here yet. */
  readonly #shortened = new WeakMap<Client, number[]>();
  readonly #rests = new Rests();
  readonly #wrongPasswords = new WrongPasswords();
  #received = 0;
  #acknowledged = 0;
  #published = 0;
  #stopping = false;

  constructor(settings: EmbeddedSettings) {
    this.#settings = settings;
    this.#limits = { ...usualLimits, ...settings.limits };
    const { messagesInWork, bytesInWork, bytesAhead } = this.#limits;
    this.#intake = new Intake({ messages: messagesInWork, bytes: bytesInWork, bytesAhead }, () =>
      this.#refused.add('tooMuchAtOnce'),
    );
    this.#log = settings.log;
    this.#ports = new Ports({
      limits: this.#limits,
      log: this.#log,
      refused: this.#refused,
      speak: (stream, socket) => this.#speak(stream, socket),
    });
  }

  async start(): Promise<void> {
    const aedes = await Aedes.createBroker({
      connectTimeout: this.#limits.connectMs,
      maxClientsIdLength: 64,
      maxTopicLevels: 12,
      preConnect: (client, packet, done) => this.#preConnect(client, packet, done),
      authenticate: (client, username, password, done) => void this.#authenticate(client, username, password, done),
      authorizePublish: (client, packet, done) => this.#authorizePublish(client, packet, done),
      authorizeSubscribe: (client, subscription, done) => this.#authorizeSubscribe(client, subscription, done),
      authorizeForward: (_client, packet) => (isExpired(packet) ? null : packet),
    });
    this.#aedes = aedes;
    this.#keepToOurselves(aedes);
    letGoExpired(aedes);
    findRetainedByPlace(aedes);
    aedes.on('clientDisconnect', (client) => {
      const name = this.#visitors.get(client)?.username;
      const others = name === undefined ? undefined : this.#byName.get(name);
      if (name === undefined || !others?.delete(client)) return;
      if (others.size === 0) this.#byName.delete(name);
      this.#tell('disconnected', client, name, {
        reason: [...others].some(({ id }) => id === client.id) ? 'takenOver' : this.#endOf(client),
      });
    });
    aedes.on('keepaliveTimeout', (client) => this.#ends.set(client, 'keepAlive'));
    aedes.on('clientError', (client, thrown) =>
      this.#log.debug({ clientId: client.id, reason: reasonOf(thrown) }, 'a device connection broke'),
    );
    aedes.on('connectionError', (_client, thrown) =>
      this.#log.debug({ reason: reasonOf(thrown) }, 'a connection ended before it signed in'),
    );
    const { host, port, tlsPort, tls } = this.#settings;
    try {
      this.port = await this.#ports.open(host, port, 'MQTT_PORT');
      if (tlsPort !== null && tls) this.tlsPort = await this.#ports.openTls(tls, host, tlsPort, 'MQTT_TLS_PORT');
    } catch (thrown) {
      await this.stop();
      throw thrown;
    }
  }

  onMessage(handler: MessageHandler): void {
    this.#handler = handler;
  }

  publish(
    topic: string,
    payload: Buffer | string,
    { retain = false, qos = 1, expirySeconds }: PublishOptions = {},
  ): Promise<void> {
    const aedes = this.#aedes;
    if (!aedes || this.#stopping) return Promise.reject(new Error('the broker has stopped'));
    this.#published += 1;
    return new Promise((resolve, reject) => {
      aedes.publish(
        {
          cmd: 'publish',
          topic,
          payload,
          retain,
          qos,
          dup: false,
          ...(expirySeconds === undefined ? {} : { messageExpiry: Date.now() + expirySeconds * 1000 }),
        },
        (thrown) => (thrown ? reject(thrown) : resolve()),
      );
    });
  }

  // Accounts are read from the database at each sign-in; what remains is to end connections of the older secret.
  grant(accounts: readonly { readonly username: string }[]): Promise<void> {
    return this.revoke(accounts.map((account) => account.username));
  }

  revoke(usernames: readonly string[]): Promise<void> {
    for (const name of usernames) for (const client of [...(this.#byName.get(name) ?? [])]) this.#close(client);
    return Promise.resolve();
  }

  accounts(): Promise<null> {
    return Promise.resolve(null);
  }

  end(username: string, clientId: string): void {
    for (const client of [...(this.#byName.get(username) ?? [])]) if (client.id === clientId) this.#close(client);
  }

  stats() {
    return {
      connections: [...this.#byName.values()].reduce((sum, { size }) => sum + size, 0),
      received: this.#received,
      acknowledged: this.#acknowledged,
      published: this.#published,
      refused: { ...this.#refused.counts },
    };
  }

  limits() {
    return noLimits;
  }

  problem(): string | null {
    return this.#aedes && !this.#stopping ? null : 'the MQTT broker is stopped';
  }

  async stop(): Promise<void> {
    if (this.#stopping) return;
    this.#stopping = true;
    this.#ports.close();
    await Promise.allSettled(this.#inWork);
    const aedes = this.#aedes;
    if (aedes) await new Promise<void>((resolve) => aedes.close(() => resolve()));
    this.#ports.endAll();
  }

  /** Nobody but the server reads what devices say: Aedes need not look for subscribers of it. */
  #keepToOurselves(aedes: Aedes): void {
    const publish = aedes.publish.bind(aedes) as (...given: readonly unknown[]) => void;
    aedes.publish = ((packet: PublishPacket, client: unknown, done?: () => void) => {
      if (typeof client === 'object' && client !== null) done?.();
      else publish(packet, client, done);
    }) as typeof aedes.publish;
  }

  /** MQTT begins on a connection; `socket` is the one below its TLS, or itself. */
  #speak(stream: Socket, socket: Socket): void {
    this.#intake.guard(stream);
    const { connectBytes: first, packetBytes: whole, passedOverBytes: cut } = this.#limits;
    const shortened: number[] = [];
    limitPackets(
      stream,
      { first, whole, cut },
      { refused: (bytes) => this.#tooLarge(client, bytes), shortened: (bytes) => void shortened.push(bytes) },
    );
    const client = this.#aedes?.handle(stream);
    if (!client) return;
    this.#shortened.set(client, shortened);
    this.#addresses.set(client, socket.remoteAddress ?? '');
    this.#streams.set(client, stream);
    this.#signsIn.set(client, () => this.#ports.signsIn(socket));
  }

  #tooLarge(client: Client | undefined, bytes: number): void {
    this.#refused.add('packetTooLarge');
    const visitor = client && this.#visitors.get(client);
    if (!visitor) return;
    this.#ends.set(client, 'packetTooLarge');
    this.#tell('publishRefused', client, visitor.username, { reason: 'packetTooLarge', bytes });
  }

  #close(client: Client): void {
    this.#ends.set(client, 'revoked');
    client.close();
  }

  /**
   * Aedes itself distinguishes a device that disconnects in order from a lost one: without a disconnect it sends the
   * will.
   */
  #endOf(client: Client): string {
    return this.#ends.get(client) ?? (Reflect.get(client, '_disconnected') === true ? 'signedOff' : 'network');
  }

  #preConnect(client: Client, packet: ConnectPacket, done: (thrown: Error | null, fine: boolean) => void): void {
    this.#signsIn.get(client)?.();
    if (packet.keepalive) this.#keepAlives.set(client, packet.keepalive * 1000);
    if (packet.will) this.#wills.set(client, packet.will.topic);
    done(null, true);
  }

  async #authenticate(
    client: Client,
    username: string | undefined,
    password: Buffer | undefined,
    done: (thrown: AuthenticateError | null, fine: boolean | null) => void,
  ): Promise<void> {
    const refuse = (reason: string, returnCode: number, told = reason) => {
      this.#refused.add(reason);
      this.#tell('denied', client, username ?? '', { reason: told });
      done(Object.assign(new Error(reason), { returnCode }) as AuthenticateError, null);
    };
    try {
      const address = this.#addresses.get(client) ?? '';
      const from = addressKey(address);
      const rights =
        username === undefined || password === undefined
          ? null
          : await this.#wrongPasswords.check(from, username, () =>
              this.#settings.authenticate({ username, password, clientId: client.id, address }),
            );
      if (rights === undefined) return refuse('tooManyTries', 3);
      if (rights === null || 'denied' in rights) this.#wrongPasswords.refused(from, username ?? '');
      else this.#wrongPasswords.passed(from, username ?? '');
      if (!rights || username === undefined) return refuse('badCredentials', 4);
      if ('denied' in rights) return refuse('badCredentials', 4, rights.denied);
      const will = this.#wills.get(client);
      if (will !== undefined && !mayPublish(rights, will)) return refuse('foreignWill', 5);
      this.#visitors.set(client, { username, rights, subscriptions: 0, restsOn: this.#restOn(client, username) });
      const others = this.#byName.get(username) ?? new Set();
      // A connection that broke during its sign-in never reports its end.
      for (const one of others) if (one.closed) others.delete(one);
      const older = [...others].find(({ id }) => id === client.id);
      this.#byName.set(username, others.add(client));
      if (older) this.#tell('takenOver', client, username, { before: this.#addresses.get(older) ?? '' });
      this.#tell('connected', client, username);
      done(null, true);
    } catch (thrown) {
      this.#log.warn(
        { clientId: client.id, username, reason: reasonOf(thrown) },
        'a device could not be checked at sign-in',
      );
      refuse('unavailable', 3);
    }
  }

  /**
   * The acknowledgement of a QoS 1 publish is written after `done(null)`: after the commit. An error ends the
   * connection.
   */
  #authorizePublish(client: Client | null, packet: PublishPacket, done: (thrown?: Error | null) => void): void {
    const visitor = client ? this.#visitors.get(client) : undefined;
    // Last wills that our own stop sets free say nothing about the devices.
    if (!visitor || this.#stopping) return done(new Error('not accepted'));
    if (!mayPublish(visitor.rights, packet.topic)) {
      this.#refused.add('foreignTopic');
      if (client) {
        this.#ends.set(client, 'foreignTopic');
        this.#tell('publishRefused', client, visitor.username, {
          topic: packet.topic,
          reason: visitor.rights.reasonFor?.(packet.topic) ?? 'foreignTopic',
        });
      }
      this.#log.debug(
        { clientId: client?.id, username: visitor.username, topic: packet.topic.slice(0, 100) },
        'a device published to a topic that is not its own; disconnected',
      );
      return done(new Error('not its topic'));
    }
    // It came together with the CONNECT, past the rest: it is not acknowledged, and comes again.
    const socket = client ? this.#streams.get(client) : undefined;
    if (visitor.restsOn && socket && this.#intake.isResting(socket)) {
      this.#refused.add('tooSoon');
      return done(new Error('sent within a rest'));
    }
    visitor.restsOn = false;
    // Only the server reads what devices say, and it keeps it in the database.
    packet.retain = false;
    const handler = this.#handler;
    if (!handler) return done(new Error('not receiving yet'));
    this.#received += 1;
    const payload = Buffer.isBuffer(packet.payload) ? packet.payload : Buffer.from(packet.payload);
    this.#intake.begin(payload.length);
    const slow = (milliseconds: number) => {
      const restMs = Math.min(milliseconds, this.#longestRestOf(client));
      if (socket) this.#intake.rest(socket, restMs);
      if (client) this.#rests.begin(visitor.username, client.id, restMs);
    };
    const sent =
      client && packetBytes(packet) === this.#limits.packetBytes ? this.#shortened.get(client)?.shift() : undefined;
    const sentBytes = sent === undefined ? {} : { sentBytes: payload.length + sent - this.#limits.packetBytes };
    const work = handler({ topic: packet.topic, payload, ...sentBytes, username: visitor.username, slow })
      .then(
        () => {
          this.#acknowledged += 1;
          done(null);
        },
        (thrown: unknown) => done(thrown instanceof Error ? thrown : new Error(String(thrown))),
      )
      .finally(() => {
        this.#inWork.delete(work);
        this.#intake.end(payload.length);
      });
    this.#inWork.add(work);
  }

  /** A device that hears nothing for as long as its keep-alive takes the broker for dead. */
  #longestRestOf(client: Client | null): number {
    return ((client && this.#keepAlives.get(client)) || Infinity) / 2;
  }

  /** What is left of a rest goes on on a new connection; returns whether anything is. */
  #restOn(client: Client, username: string): boolean {
    const restMs = Math.min(this.#rests.left(username, client.id), this.#longestRestOf(client));
    const stream = this.#streams.get(client);
    if (stream && restMs > 0) this.#intake.rest(stream, restMs);
    return restMs > 0;
  }

  #authorizeSubscribe(
    client: Client,
    subscription: Subscription,
    done: (thrown: Error | null, subscription?: Subscription | null) => void,
  ): void {
    const visitor = this.#visitors.get(client);
    const mine = visitor !== undefined && maySubscribe(visitor.rights, subscription.topic);
    if (!mine || visitor.subscriptions >= this.#limits.subscriptionsPerClient) {
      this.#refused.add('foreignSubscription');
      this.#tell('subscriptionRefused', client, visitor?.username ?? '', {
        topic: subscription.topic,
        reason: mine ? 'tooManySubscriptions' : (visitor?.rights.reasonFor?.(subscription.topic) ?? 'foreignTopic'),
      });
      // null: refused in the acknowledgement (0x80); the connection stays.
      return done(null, null);
    }
    visitor.subscriptions += 1;
    this.#tell('subscribed', client, visitor.username, { topic: subscription.topic });
    done(null, subscription);
  }

  #tell(
    kind: LinkEvent['kind'],
    client: Client,
    username: string,
    more: Pick<LinkEvent, 'reason' | 'topic' | 'before' | 'bytes'> = {},
  ): void {
    if (this.#stopping) return;
    this.#settings.witness?.({
      kind,
      username,
      clientId: client.id,
      address: this.#addresses.get(client) ?? '',
      ...more,
    });
  }
}
