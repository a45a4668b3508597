import { Type } from 'typebox';
import { judgedFaults } from '../catalogue/faults.ts';
import { Nullable, Timestamp } from './route.ts';

/** What lasts: an outage, an interrupted line, a fault. Its end stands beside its beginning wherever it is told. */

export const FaultCode = Type.Enum(judgedFaults);

/**
 * `offline`: judged out of reach; `link`: its line was down, but not for so long; `refused`: it was not let in;
 * `unpowered`: silent, and without power by plan.
 */
export const connectionKinds = ['offline', 'link', 'refused', 'unpowered'] as const;

/**
 * Why. Nothing came: `silent`, `neverHeard` (since it was registered), `gatewayLost` (what it speaks through is out of
 * reach), `serverAway` (not heard again since the server was away). The line: `network`, `keepAlive` (no sign of life
 * in time), `signedOff`, `lastWill` (a site's broker says so), `revoked` (its credentials changed), `foreignTopic` (it
 * published where it may not, and was disconnected), `packetTooLarge` (it sent more than 1 MiB at once, and was
 * disconnected), `takenOver` (somebody else came with its name). Not let in: `wrongPassword`, `wrongClientId`,
 * `foreignWill`. Without power: `plan`, `contactor`.
 */
export const connectionReasons = [
  'silent',
  'neverHeard',
  'gatewayLost',
  'serverAway',
  'network',
  'keepAlive',
  'signedOff',
  'lastWill',
  'revoked',
  'foreignTopic',
  'packetTooLarge',
  'takenOver',
  'wrongPassword',
  'wrongClientId',
  'foreignWill',
  'plan',
  'contactor',
] as const;

/** From when to when, of everything that lasts. */
export const lasting = {
  beganAt: Timestamp,
  /** null: it goes on. */
  endedAt: Nullable(Timestamp),
  /** How long in all: of several interruptions the sum; null: it goes on. */
  seconds: Nullable(Type.Number()),
  /** What follows closely is told as one: so many times, the last one since `lastAt`. */
  times: Type.Integer(),
  lastAt: Timestamp,
};

export const DeviceName = {
  id: Type.Integer(),
  family: Type.String(),
  code: Type.String(),
  name: Nullable(Type.String()),
};

/** A fault of a device, or a line of its connection log. */
export const Episode = Type.Object({
  ...lasting,
  kind: Type.Enum(['fault', ...connectionKinds] as const),
  /** Of a fault. */
  fault: Nullable(FaultCode),
  /** Of everything else. */
  reason: Nullable(Type.Enum(connectionReasons)),
  /** The gateway or controller behind which it is. */
  via: Nullable(Type.Object(DeviceName)),
  /** Where the connection came from that was refused or took the name over. */
  address: Nullable(Type.String()),
});
