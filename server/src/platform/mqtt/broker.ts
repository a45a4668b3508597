import type { Transaction } from '../db/index.ts';

/** A message from a device. `username` is the account it was sent with; null: the broker does not report it. */
export interface BrokerMessage {
  readonly topic: string;
  readonly payload: Buffer;
  /** Bytes of the payload as it was sent, if only its beginning was read. */
  readonly sentBytes?: number;
  readonly username: string | null;
  /** The broker kept it and delivers it again: it is not recent. */
  readonly retained?: boolean;
  /**
   * Where several processes may receive: the first statement of the transaction that stores the message. It throws
   * LeaseLost if another process receives by now, which will get this message too.
   */
  readonly fence?: (tx: Transaction) => Promise<void>;
  /** Stops reading from the sender for this time. Called before any await; absent: the broker is not ours. */
  readonly slow?: (milliseconds: number) => void;
}

/**
 * Resolves once the message is stored (or refused for good), and only then it is acknowledged. Rejects: it comes again.
 */
export type MessageHandler = (message: BrokerMessage) => Promise<void>;

/** Topic filters in MQTT notation; `+` is one level, `#` is never granted. */
export interface TopicRights {
  readonly publish: readonly string[];
  readonly subscribe: readonly string[];
  /**
   * Why a topic or filter beyond these rights is refused, for people who watch the line; undefined: it belongs to
   * another device.
   */
  readonly reasonFor?: (topic: string) => string | undefined;
}

/** The credentials of a device, in clear: only while they are issued. */
export interface BrokerAccount {
  /** null: any client may use the account. */
  readonly clientId: string | null;
  readonly username: string;
  readonly password: string;
  readonly rights: TopicRights;
}

export interface BrokerStats {
  /**
   * Devices connected to the embedded broker. For a broker of the site: its own count of all clients, ours included;
   * null: it does not report one.
   */
  readonly connections: number | null;
  readonly received: number;
  readonly acknowledged: number;
  readonly published: number;
  /** Connections and packets refused, by reason. */
  readonly refused: Readonly<Record<string, number>>;
}

export interface PublishOptions {
  /** Default: false. */
  readonly retain?: boolean;
  /** Default: 1. */
  readonly qos?: 0 | 1;
  /**
   * After this time (fractions allowed) the broker no longer delivers a message that it holds for a device. A broker
   * that is not ours gets it by MQTT 5.
   */
  readonly expirySeconds?: number;
}

/** What a broker keeps and takes. */
export interface BrokerLimits {
  /** It keeps the last message of a topic for those who subscribe later. */
  readonly keeps: boolean;
  /** Bytes of the largest packet that it takes; Infinity: it names none. */
  readonly packetBytes: number;
}
export const noLimits: BrokerLimits = { keeps: true, packetBytes: Number.POSITIVE_INFINITY };

/** The broker does not take a packet of this size. It was not sent, and the connection goes on. */
export class PacketTooLarge extends Error {
  override name = 'PacketTooLarge';
}

/** The MQTT broker as the program sees it: its own one, or a site's. */
export interface Broker {
  readonly kind: 'embedded' | 'external';
  /** Resolves when the broker has taken it; rejects while it cannot be reached. */
  publish(topic: string, payload: Buffer | string, options?: PublishOptions): Promise<void>;
  /**
   * Starts receiving from devices. One handler; call it once. `begins`: another process may have received until now.
   */
  onMessage(handler: MessageHandler, begins?: () => void): void;
  /** Registers accounts at the broker and ends connections with an older secret of theirs. */
  grant(accounts: readonly BrokerAccount[]): Promise<void>;
  /** Removes accounts and ends their connections. */
  revoke(usernames: readonly string[]): Promise<void>;
  /** User names that the broker stores, ours and others; null: it asks the program, or manages them by itself. */
  accounts(): Promise<readonly string[] | null>;
  /** Ends the connection of one client of an account that several share. On a broker that is not ours it stays. */
  end(username: string, clientId: string): void;
  stats(): BrokerStats;
  /** As it said at the last connection. */
  limits(): BrokerLimits;
  /** null: usable; otherwise the reason in one line. */
  problem(): string | null;
  /** Stops receiving, waits for messages in work, ends all connections. */
  stop(): Promise<void>;
}

/** Counts by name. */
export class Tally {
  readonly counts: Record<string, number> = Object.create(null) as Record<string, number>;
  add(name: string): void {
    this.counts[name] = (this.counts[name] ?? 0) + 1;
  }
}
