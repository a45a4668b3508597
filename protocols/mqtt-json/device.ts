import { encode, readCommand, readSettings, timeText } from './codec.ts';
import { limits, type CommandMessage, type SettingsMessage } from './messages.ts';
import type { Outgoing, SaidOfPlan } from '../wire.ts';
import { deviceRights, readTopic, topicOf } from './topics.ts';

/**
 * The device's end of the wire: what a lamp or a central controller says, and what it hears. Times are epoch
 * milliseconds by its own clock.
 */
export interface DeviceAddress {
  readonly deviceId: number;
  /** The controller that speaks for it; null: it speaks for itself. */
  readonly viaId: number | null;
}

export interface OutReading {
  readonly at: number;
  readonly values: Readonly<Record<string, number | boolean | string | null>>;
}

/** Topic filters that a device subscribes to; a controller also those of its children. */
export function deviceFilters(deviceId: number, hasChildren: boolean): string[] {
  return deviceRights(deviceId).subscribe.filter((filter) => hasChildren || !filter.includes('/children/'));
}

/** The first message after connecting, and again when it has taken over another plan. */
export function statusOut(
  deviceId: number,
  at: number,
  firmware: string,
  settingsVersion: number | null,
  { planHash, capabilities, clockAt }: SaidOfPlan = {},
): Outgoing {
  return {
    topic: topicOf({ kind: 'status', deviceId, viaId: null }),
    retain: true,
    payload: encode({
      online: true,
      at: timeText(at),
      firmware,
      ...(settingsVersion === null ? {} : { settingsVersion }),
      ...(planHash === undefined ? {} : { planHash }),
      ...(capabilities === undefined ? {} : { capabilities }),
      ...(clockAt === undefined ? {} : { clockAt: timeText(clockAt) }),
    }),
  };
}

/** What the broker says for a device whose connection breaks. */
export function lastWill(deviceId: number): Outgoing {
  return {
    topic: topicOf({ kind: 'status', deviceId, viaId: null }),
    retain: true,
    payload: encode({ online: false }),
  };
}

/** An acknowledgement: executed at a time, or refused with a reason. */
export function ackOut(
  address: DeviceAddress,
  commandId: string,
  result: { readonly executedAt: number } | { readonly error: string },
): Outgoing {
  const payload =
    'error' in result
      ? encode({ commandId, accepted: false, error: result.error })
      : encode({ commandId, accepted: true, executedAt: timeText(result.executedAt) });
  return { topic: topicOf({ kind: 'acks', ...address }), payload, retain: false };
}

/** Readings, oldest first, in as many messages as the protocol's limits ask for. */
export function readingsOut(
  address: DeviceAddress,
  sentAt: number,
  readings: readonly OutReading[],
  { planHash, capabilities }: Pick<SaidOfPlan, 'planHash' | 'capabilities'> = {},
): Outgoing[] {
  const topic = topicOf({ kind: 'readings', ...address });
  const ofPlan = `${planHash === undefined ? '' : `"planHash":${JSON.stringify(planHash)},`}${capabilities === undefined ? '' : `"capabilities":${JSON.stringify(capabilities)},`}`;
  const head = `{"sentAt":"${timeText(sentAt)}",${ofPlan}"readings":[`;
  const messages: Outgoing[] = [];
  let batch: string[] = [];
  let bytes = head.length + 2;
  const flush = (): void => {
    if (batch.length > 0) messages.push({ topic, payload: Buffer.from(`${head}${batch.join(',')}]}`), retain: false });
    batch = [];
    bytes = head.length + 2;
  };
  // Serialised once: the backlog of a city's day is some 100,000 messages.
  for (const reading of readings) {
    const entry = `{"at":"${timeText(reading.at)}","values":${JSON.stringify(reading.values)}}`;
    const size = Buffer.byteLength(entry) + 1;
    if (batch.length === limits.readingsPerMessage || bytes + size > limits.payloadBytes) flush();
    batch.push(entry);
    bytes += size;
  }
  flush();
  return messages;
}

/** What the server said to one device; undefined for anything else. */
export type Heard =
  | { readonly kind: 'command'; readonly address: DeviceAddress; readonly command: CommandMessage }
  | { readonly kind: 'settings'; readonly address: DeviceAddress; readonly settings: SettingsMessage };

export function hear(topic: string, payload: Uint8Array): Heard | undefined {
  const to = readTopic(topic);
  if (!to) return undefined;
  const address = { deviceId: to.deviceId, viaId: to.viaId };
  if (to.kind === 'commands') {
    const command = readCommand(payload);
    return command && { kind: 'command', address, command };
  }
  const settings = to.kind === 'settings' ? readSettings(payload) : undefined;
  return settings && { kind: 'settings', address, settings };
}
