import type { TopicRights } from './broker.ts';

/** Why a sign-in was refused, for people who watch the line. The caller only learns that name or password is wrong. */
export interface Denied {
  readonly denied: string;
}

/**
 * Checks a sign-in: its rights, or the reason of a refusal (null: a wrong name or password). The client id must belong
 * to the name.
 */
export type Authenticate = (who: {
  readonly username: string;
  readonly password: Buffer;
  readonly clientId: string;
  readonly address: string;
}) => Promise<TopicRights | Denied | null>;

/**
 * An event of one connection. `reason` of an end: `keepAlive`, `network`, `signedOff` (the device disconnected in
 * order), `revoked` (by the program), `takenOver`, `foreignTopic`, `packetTooLarge`. `before`: the address of the
 * connection that had this client id until now.
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
