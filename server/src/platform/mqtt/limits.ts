/** Limits of the built-in broker. */
export interface Limits {
  /** Bytes of a packet that are read, topic and header included; the rest of a longer PUBLISH is skipped. */
  readonly packetBytes: number;
  /** A PUBLISH that is longer than this ends the connection. */
  readonly passedOverBytes: number;
  /** Bytes of the first packet, which comes before the sign-in. */
  readonly connectBytes: number;
  readonly connections: number;
  /**
   * Connections without a CONNECT, in all and of one address. A flood displaces itself, not connections that are signed
   * in, nor newcomers from elsewhere.
   */
  readonly waiting: number;
  readonly waitingOfAddress: number;
  /** Milliseconds within which a connection must sign in. */
  readonly connectMs: number;
  readonly subscriptionsPerClient: number;
  /** Messages, and their bytes, that wait for the database at once. Above it the broker reads from no connection. */
  readonly messagesInWork: number;
  readonly bytesInWork: number;
  /** Bytes of all connections together that were taken off the network and are not read yet. */
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
