import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { connect, type MqttClient } from 'mqtt';
import { encode, timeText } from '../../protocols/mqtt-json/codec.ts';
import type { Outgoing } from '../../protocols/wire.ts';
import { ackOut, deviceFilters, hear, lastWill, readingsOut, statusOut } from '../../protocols/mqtt-json/device.ts';
import type { SettingsMessage } from '../../protocols/mqtt-json/messages.ts';
import { planFromCompact } from '../../catalogue/lighting/plan/compact.ts';
import { programmeOfTable } from '../../catalogue/lighting/plan/table.ts';
import { isLamp } from '../../catalogue/lighting/families.ts';
import { capabilitiesOf } from '../lamp/plan.ts';
import { allAbilities } from '../lamp/spec.ts';
import { newcomerTopic, readProvision } from '../../protocols/mqtt-json/newcomers.ts';
import { createMeter } from './measure.ts';
import type { Options } from './options.ts';

type Say = (what: string, more?: Readonly<Record<string, unknown>>) => void;
interface Memory {
  readonly secret: string;
  readonly deviceId?: number;
}

const reconnectMs = 3000;

/**
 * Plays one device until it is stopped: a registered one, or one that waits to be claimed and then goes on as itself.
 * Returns how to stop.
 */
export function playDevice(options: Options, say: Say): () => Promise<void> {
  let stop = (): Promise<void> => Promise.resolve();
  const asDevice = (user: string, password: string, deviceId: number): void => {
    stop = speak(options, { user, password, deviceId }, say);
  };
  const { newcomer } = options;
  if (newcomer === null) {
    asDevice(options.user, options.password, Number(/^lampyris-(\d+)$/.exec(options.user)?.[1] ?? 0));
  } else {
    const memory = remember(newcomer.memoryFile);
    if (memory.deviceId !== undefined) asDevice(`lampyris-${memory.deviceId}`, memory.secret, memory.deviceId);
    else {
      stop = knock(options, newcomer, memory.secret, say, (deviceId) => {
        writeFileSync(newcomer.memoryFile, JSON.stringify({ ...memory, deviceId }), { mode: 0o600 });
        void stop().then(() => asDevice(`lampyris-${deviceId}`, memory.secret, deviceId));
      });
    }
  }
  return () => stop();
}

/** What it keeps over a power cut; chosen the first time. */
function remember(file: string): Memory {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Memory;
  } catch {
    const memory = { secret: randomBytes(32).toString('base64url') };
    writeFileSync(file, JSON.stringify(memory), { mode: 0o600 });
    return memory;
  }
}

const send = (client: MqttClient, { topic, payload, retain }: Outgoing) =>
  client.publishAsync(topic, payload, { qos: 1, retain }).catch(() => undefined);

/** Comes with the batch's account, says hello, reports, and waits to be told who it is. */
function knock(
  options: Options,
  { batchId, serial }: NonNullable<Options['newcomer']>,
  secret: string,
  say: Say,
  claimed: (deviceId: number) => void,
): () => Promise<void> {
  const { broker, user, password, family, everyMs } = options;
  const meter = createMeter(family, Math.random);
  const topic = (kind: 'hello' | 'readings' | 'provision'): string => newcomerTopic({ batchId, serial, kind });
  const client = connect(broker, {
    clientId: serial,
    username: user,
    password,
    protocolVersion: 4,
    clean: true,
    reconnectPeriod: reconnectMs,
    resubscribe: false,
  });
  const publish = (kind: 'hello' | 'readings', message: object) =>
    send(client, { topic: topic(kind), payload: Buffer.from(JSON.stringify(message)), retain: false });
  const report = async (): Promise<void> => {
    if (!client.connected) return;
    // Said each time: an answer that was lost comes again.
    await publish('hello', { secret, family, model: 'lampyris-sim', firmware: '1.0' });
    const at = timeText(Date.now());
    await publish('readings', { sentAt: at, readings: [{ at, values: meter.read() }] });
    say('waiting to be claimed', { serial });
  };
  client.on(
    'connect',
    () =>
      void client.subscribeAsync(topic('provision'), { qos: 1 }).then(report, (thrown: Error) => say(thrown.message)),
  );
  client.on('message', (_topic, payload) => {
    const told = readProvision(payload);
    if (!told) return;
    say('claimed', { clientId: told.clientId });
    claimed(Number(told.deviceId));
  });
  client.on('error', (thrown) => say(thrown.message));
  const timer = setInterval(() => void report(), everyMs);
  return async () => {
    clearInterval(timer);
    await client.endAsync(!client.connected).catch(() => undefined);
  };
}

/** Speaks as a registered device: its link, its readings, and what it is told to do. */
function speak(
  { broker, family, everyMs }: Options,
  { user, password, deviceId }: { user: string; password: string; deviceId: number },
  say: Say,
): () => Promise<void> {
  const meter = createMeter(family, Math.random);
  const address = { deviceId, viaId: null };
  const capabilities = isLamp(family) ? capabilitiesOf({ obedience: 'plan', abilities: allAbilities }) : undefined;
  let settings: SettingsMessage | null = null;
  /** What it says of its plan. */
  const ofPlan = () => (capabilities ? { capabilities, planHash: settings?.plan?.hash ?? null } : {});
  const announce = () =>
    send(client, statusOut(deviceId, Date.now(), 'lampyris-sim 1.0', settings?.version ?? null, ofPlan()));
  const adopt = async (told: SettingsMessage): Promise<void> => {
    if (!capabilities) return;
    settings = told;
    const { plan, table, latitude, longitude, timeZone, sunOffsetMinutes } = told;
    const place = latitude === null || longitude === null ? null : { latitude, longitude, timeZone, sunOffsetMinutes };
    meter.follow(plan && place ? planFromCompact(plan, place, programmeOfTable(table)) : null);
    say('settings', { version: told.version, plan: plan?.hash ?? 'none' });
    await announce();
    await report();
  };
  const will = lastWill(deviceId);
  const client = connect(broker, {
    clientId: user,
    username: user,
    password,
    protocolVersion: 4,
    clean: true,
    reconnectPeriod: reconnectMs,
    resubscribe: false,
    will: { topic: will.topic, payload: will.payload, qos: 1, retain: true },
  });
  const report = async (): Promise<void> => {
    if (!client.connected) return;
    const now = Date.now();
    for (const out of readingsOut(address, now, [{ at: now, values: meter.read() }], ofPlan())) await send(client, out);
    say('reported', { clientId: user });
  };
  client.on(
    'connect',
    () =>
      void (async () => {
        await client.subscribeAsync(deviceFilters(deviceId, false), { qos: 1 });
        await announce();
        await report();
      })().catch((thrown: Error) => say(thrown.message)),
  );
  client.on('message', (topic, payload) => {
    const message = hear(topic, payload);
    if (message?.kind === 'settings') void adopt(message.settings);
    if (message?.kind !== 'command') return;
    const { until } = message.command;
    const error = meter.obey(message.command.command, message.command.args, until === null ? null : Date.parse(until));
    say('command', { command: message.command.command, ...message.command.args });
    void send(
      client,
      ackOut(address, message.command.commandId, error === null ? { executedAt: Date.now() } : { error }),
    ).then(report);
  });
  client.on('error', (thrown) => say(thrown.message));
  const timer = setInterval(() => void report(), everyMs);
  return async () => {
    clearInterval(timer);
    if (client.connected)
      await send(client, { ...statusOut(deviceId, Date.now(), '', null), payload: encode({ online: false }) });
    await client.endAsync(!client.connected).catch(() => undefined);
  };
}
