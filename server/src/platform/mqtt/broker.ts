import type { Transaction } from '../db/index.ts';

/** A message from a device. `username` is the account it was sent with; null where the broker does not tell. */
export interface BrokerMessage {
  readonly topic: string;
  readonly payload: Buffer;
  /** Bytes of the payload as it was sent, where only its beginning was read. */
  readonly sentBytes?: number;
  readonly username: string | null;
  /** The broker kept it and hands it over anew: it was said some time ago. */
  readonly retained?: boolean;
  /**
   * Where several processes may receive: the first statement of the transaction that keeps the message. It throws
   * LeaseLost when another process receives by now, and will get this message too.
   */
  readonly fence?: (tx: Transaction) => Promise<void>;
  /**
   * Lets the sender rest for so many milliseconds: nothing more of it is read meanwhile. Called before anything is
   * awaited; absent where the broker is not ours.
   */
  readonly slow?: (milliseconds: number) => void;
}

/**
 * Resolves once the message is safely stored (or refused for good): only then is it acknowledged. Rejects: it will come
 * again.
 */
export type MessageHandler = (message: BrokerMessage) => Promise<void>;

/** Topic filters in MQTT notation; `+` is one level, `#` is never granted. */
export interface TopicRights {
  readonly publish: readonly string[];
  readonly subscribe: readonly string[];
  /**
   * Why a topic or filter beyond these rights is refused, for those who watch the line; undefined: it is somebody
   * else's.
   */
  readonly reasonFor?: (topic: string) => string | undefined;
}

/** What a device signs in with, in clear: only while it is issued. */
export interface BrokerAccount {
  /** null: any client may use the account. */
  readonly clientId: string | null;
  readonly username: string;
  readonly password: string;
  readonly rights: TopicRights;
}

export interface BrokerStats {
  /**
   * Devices connected to the embedded broker; of a broker of the site what it says of all its clients, our own
   * included; null: it does not say.
   */
  readonly connections: number | null;
  readonly received: number;
  readonly acknowledged: number;
  readonly published: number;
  /** Connections and packets refused, by reason. */
  readonly refused: Readonly<Record<string, number>>;
}

export interface PublishOptions {
  /** false unless told. */
  readonly retain?: boolean;
  /** 1 unless told. */
  readonly qos?: 0 | 1;
  /**
   * What a broker still holds for a device after so long (also a part of a second) is not handed over any more; a
   * broker that is not ours knows of it by MQTT 5.
   */
  readonly expirySeconds?: number;
}

/** The MQTT broker as the program sees it: its own one, or a site's. */
export interface Broker {
  readonly kind: 'embedded' | 'external';
  /** Resolves when the broker has taken it; rejects while it cannot be reached. */
  publish(topic: string, payload: Buffer | string, options?: PublishOptions): Promise<void>;
  /**
   * Starts receiving what devices say. One handler; call it once. `begins`: another process may have received until
   * now.
   */
  onMessage(handler: MessageHandler, begins?: () => void): void;
  /** Makes the accounts known to the broker and ends connections that used an older secret of theirs. */
  grant(accounts: readonly BrokerAccount[]): Promise<void>;
  /** Takes accounts away and ends their connections. */
  revoke(usernames: readonly string[]): Promise<void>;
  /** The user names that the broker knows, ours and others'; null: it asks us, or keeps them without us. */
  accounts(): Promise<readonly string[] | null>;
  /** Ends the connection of one client of an account that several share; where the broker is not ours it stays. */
  end(username: string, clientId: string): void;
  stats(): BrokerStats;
  /** null: usable; else one line that says why not. */
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
