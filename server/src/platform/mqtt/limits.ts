/** What the broker of the program takes. */
export interface Limits {
  /**
   * Bytes of a packet, topic and header included, as far as it is read: of a PUBLISH that is longer the rest is passed
   * over.
   */
  readonly packetBytes: number;
  /** A PUBLISH that is longer than this ends the connection. */
  readonly passedOverBytes: number;
  /** Bytes of the first packet: from somebody who is not signed in yet. */
  readonly connectBytes: number;
  readonly connections: number;
  /**
   * Connections that have not said CONNECT yet, of all and of one address: a flood of them displaces itself, not those
   * who are in, nor newcomers from elsewhere.
   */
  readonly waiting: number;
  readonly waitingOfAddress: number;
  /** Milliseconds within which a connection must sign in. */
  readonly connectMs: number;
  readonly subscriptionsPerClient: number;
  /** Messages, and bytes of them, that wait for the database at once; then nobody is read on. */
  readonly messagesInWork: number;
  readonly bytesInWork: number;
  /** Bytes of all connections together that were taken off the network and wait to be read. */
  readonly bytesAhead: number;
}

export const usualLimits: Limits = {
  packetBytes: 66_560,
  passedOverBytes: 1024 * 1024 + 1024,
  connectBytes: 8192,
  connections: 50_000,
  waiting: 4000,
  waitingOfAddress: 1000,
  connectMs: 10_000,
  subscriptionsPerClient: 2000,
  messagesInWork: 20_000,
  bytesInWork: 16 * 1024 * 1024,
  bytesAhead: 256 * 1024 * 1024,
};
