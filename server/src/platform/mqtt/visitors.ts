import type { TopicRights } from './broker.ts';

/** Why somebody was not let in, for those who watch; the caller himself is only told that name or password is wrong. */
export interface Denied {
  readonly denied: string;
}

/**
 * Who signs in: rights, or why not (null: a wrong name or password). The client id must be one that belongs to the
 * name.
 */
export type Authenticate = (who: {
  readonly username: string;
  readonly password: Buffer;
  readonly clientId: string;
  readonly address: string;
}) => Promise<TopicRights | Denied | null>;

/**
 * What happened on one connection. `reason` of an end: `keepAlive`, `network`, `signedOff` (the device said good-bye),
 * `revoked` (by us), `takenOver`, `foreignTopic`, `packetTooLarge`. `before`: where the one came from that had this
 * client id until now.
 */
export interface LinkEvent {
  readonly kind:
    | 'connected'
    | 'denied'
    | 'takenOver'
    | 'subscribed'
    | 'subscriptionRefused'
    | 'publishRefused'
    | 'disconnected';
  readonly username: string;
  readonly clientId: string;
  readonly address: string;
  readonly reason?: string;
  readonly topic?: string;
  readonly before?: string;
  /** Bytes of a packet that was too large. */
  readonly bytes?: number;
}
