import { Type } from 'typebox';
import { judgedFaults } from '../catalogue/faults.ts';
import { Nullable, Timestamp } from './route.ts';

/** Things that last: an outage, an interrupted line, a fault. Each has its beginning and its end in one entry. */

export const FaultCode = Type.Enum(judgedFaults);

/**
 * `offline`: judged out of reach; `link`: the line was down, but not as long; `refused`: the connection was refused;
 * `unpowered`: silent, and without power by plan.
 */
export const connectionKinds = ['offline', 'link', 'refused', 'unpowered'] as const;

/**
 * Nothing came: `silent`, `neverHeard` (since its registration), `gatewayLost` (the device it speaks through is out of
 * reach), `serverAway` (not heard again since the server was away). The line: `network`, `keepAlive` (no packet in
 * time), `signedOff`, `lastWill` (reported by a site's broker), `revoked` (its credentials changed), `foreignTopic` (it
 * published to a forbidden topic and was disconnected), `packetTooLarge` (it sent more than 1 MiB at once and was
 * disconnected), `takenOver` (another connection used its name). The connection was refused: `wrongPassword`,
 * `wrongClientId`, `foreignWill`. Without power: `plan`, `contactor`.
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

/** Beginning, end and duration of everything that lasts. */
export const lasting = {
  beganAt: Timestamp,
  /** null: it still lasts. */
  endedAt: Nullable(Timestamp),
  /** Duration; of several interruptions their sum. null: it still lasts. */
  seconds: Nullable(Type.Number()),
  /** Entries close to each other are one entry: their number, and the beginning of the last one in `lastAt`. */
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
  /** Only a fault has one. */
  fault: Nullable(FaultCode),
  /** Every other kind has one. */
  reason: Nullable(Type.Enum(connectionReasons)),
  /** The gateway or controller that the device speaks through. */
  via: Nullable(Type.Object(DeviceName)),
  /** Where the connection came from that was refused or took over the name. */
  address: Nullable(Type.String()),
});
