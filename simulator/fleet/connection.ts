import { connect, type IClientOptions, type MqttClient } from 'mqtt';
import type { Outgoing, SaidOfPlan } from '../../protocols/wire.ts';
import { deviceFilters, hear, lastWill, statusOut, type Heard } from '../../protocols/mqtt-json/device.ts';
import type { Credential } from '../city/handover.ts';

/** One device's own connection to the broker. */
export interface Connection {
  readonly connected: boolean;
  /** Resolves when the broker has acknowledged it; rejects when it never will. */
  publish(out: Outgoing): Promise<void>;
  /** Tells the settings it runs with. */
  announce(): void;
  /** The keep alive of its next connection. */
  keepAlive(seconds: number): void;
  /** Ends it without a word, as a power cut does, so that the broker says the last will. */
  stop(): void;
  /** Says good-bye: nobody is told that a device was lost. */
  leave(): Promise<void>;
}

export interface ConnectionParts {
  readonly broker: string;
  readonly credential: Credential;
  readonly hasChildren: boolean;
  /** It says nothing of itself and hears nothing: it only delivers what it kept before it was lost. Absent: no. */
  readonly quiet?: boolean;
  readonly random: () => number;
  /** By the device's own clock. */
  readonly now: () => number;
  readonly settingsVersion: () => number | null;
  readonly ofPlan: () => SaidOfPlan;
  readonly heard: (message: Heard) => void;
  /** Connected and subscribed, again after every break. */
  readonly ready: () => void;
  readonly failed: (reason: string) => void;
}

const firmware = 'lampyris-sim 1.0';

/** Opens a connection that comes back by itself, each device after a time of its own. */
export function openConnection(parts: ConnectionParts): Connection {
  const { credential } = parts;
  const will = lastWill(credential.deviceId);
  const options: IClientOptions = {
    clientId: credential.clientId,
    username: credential.username,
    password: credential.password,
    protocolVersion: 4,
    clean: true,
    keepalive: 150 + Math.floor(parts.random() * 90),
    reconnectPeriod: 1500 + Math.floor(parts.random() * 6000),
    connectTimeout: 20_000,
    resubscribe: false,
    queueQoSZero: false,
    will: { topic: will.topic, payload: will.payload, qos: 1, retain: will.retain },
  };
  const client = connect(parts.broker, options);
  client.on('connect', () => void greet(client, parts));
  client.on('message', (topic, payload) => {
    const message = hear(topic, payload);
    if (message) parts.heard(message);
  });
  client.on('error', (thrown) => parts.failed(thrown.message));
  return {
    get connected() {
      return client.connected;
    },
    publish: ({ topic, payload, retain }) =>
      client.publishAsync(topic, payload, { qos: 1, retain }).then(() => undefined),
    announce: () => void announce(client, parts).catch(() => undefined),
    keepAlive: (seconds) => {
      client.options.keepalive = seconds;
    },
    stop: () => {
      client.stream.destroy();
      client.end(true);
    },
    leave: () => client.endAsync(!client.connected).catch(() => undefined),
  };
}

async function announce(client: MqttClient, parts: ConnectionParts): Promise<void> {
  const status = statusOut(parts.credential.deviceId, parts.now(), firmware, parts.settingsVersion(), parts.ofPlan());
  await client.publishAsync(status.topic, status.payload, { qos: 1, retain: status.retain });
}

async function greet(client: MqttClient, parts: ConnectionParts): Promise<void> {
  const { deviceId } = parts.credential;
  try {
    if (parts.quiet) return parts.ready();
    await client.subscribeAsync(deviceFilters(deviceId, parts.hasChildren), { qos: 1 });
    await announce(client, parts);
    parts.ready();
  } catch (thrown) {
    parts.failed(thrown instanceof Error ? thrown.message : String(thrown));
  }
}
