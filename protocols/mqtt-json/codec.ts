import { Compile } from 'typebox/compile';
import {
  AckMessage,
  CommandMessage,
  limits,
  QuickReadings,
  ReadingsMessage,
  SettingsMessage,
  StatusMessage,
} from './messages.ts';
import type { Capabilities, Said, SaidOfPlan, SaidReading } from '../wire.ts';
import { readTopic, type TopicAddress } from './topics.ts';

/** Why a message is refused; refusals are counted by this name. */
export const refusalReasons = [
  'topic',
  'tooLarge',
  'notJson',
  'tooDeep',
  'forbiddenName',
  'schema',
  'badTime',
] as const;
export type RefusalReason = (typeof refusalReasons)[number];

export type Decoded =
  | { readonly ok: true; readonly message: Said }
  | { readonly ok: false; readonly reason: RefusalReason; readonly detail: string };

/** Why a message cannot be read. */
export class Refused extends Error {
  readonly reason: RefusalReason;
  constructor(reason: RefusalReason, detail: string) {
    super(detail);
    this.reason = reason;
  }
}

const checkReadings = Compile(ReadingsMessage);
const checkQuickly = Compile(QuickReadings);
const checkStatus = Compile(StatusMessage);
const checkAck = Compile(AckMessage);
const checkCommand = Compile(CommandMessage);
const checkSettings = Compile(SettingsMessage);
const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Topic and bytes of a device become a message, or a refusal with its reason. Pure; never throws. */
export function decode(topic: string, payload: Uint8Array): Decoded {
  try {
    const address = readTopic(topic);
    if (!address) throw new Refused('topic', 'no topic of this protocol');
    return { ok: true, message: read(address, parseMessage(payload)) };
  } catch (thrown) {
    if (thrown instanceof Refused) return { ok: false, reason: thrown.reason, detail: thrown.message };
    throw thrown;
  }
}

/** The same for readings that came without a topic: a message of a child names it as `deviceId`. */
export function decodeReadings(speakerId: number, payload: Uint8Array): Decoded {
  try {
    const json = parseMessage(payload);
    const deviceId = namedIn(json) ?? speakerId;
    return {
      ok: true,
      message: read({ kind: 'readings', deviceId, viaId: deviceId === speakerId ? null : speakerId }, json),
    };
  } catch (thrown) {
    if (thrown instanceof Refused) return { ok: false, reason: thrown.reason, detail: thrown.message };
    throw thrown;
  }
}

function namedIn(json: unknown): number | undefined {
  if (typeof json !== 'object' || json === null || !('deviceId' in json)) return undefined;
  const named = String(json.deviceId);
  if (!/^[1-9]\d{0,14}$/.test(named)) throw new Refused('schema', '/deviceId is no id');
  return Number(named);
}

function read(address: TopicAddress, json: unknown): Said {
  const { deviceId, viaId } = address;
  switch (address.kind) {
    case 'readings': {
      const quick = quickReadings(json);
      if (quick) return { kind: 'readings', deviceId, viaId, ...quick };
      const message = checkedMessage(checkReadings, json);
      return {
        kind: 'readings',
        deviceId,
        viaId,
        sentAt: timeOf(message.sentAt),
        readings: decodedReadings(message),
        ...ofPlan(message),
      };
    }
    case 'status': {
      const message = checkedMessage(checkStatus, json);
      const { online, at, firmware, settingsVersion, clockAt } = message;
      return {
        kind: 'status',
        deviceId,
        viaId: null,
        online,
        at: at === undefined ? null : timeOf(at),
        firmware: text(firmware),
        settingsVersion: settingsVersion ?? null,
        ...ofPlan(message),
        ...(clockAt === undefined ? {} : { clockAt: timeOf(clockAt) }),
      };
    }
    case 'acks': {
      const { commandId, accepted, executedAt, error } = checkedMessage(checkAck, json);
      const at = executedAt === undefined || executedAt === null ? null : timeOf(executedAt);
      if (accepted && at === null) throw new Refused('schema', '/executedAt is required when accepted');
      return {
        kind: 'ack',
        deviceId,
        viaId,
        commandId: Number(commandId),
        accepted,
        executedAt: at,
        error: text(error),
      };
    }
    default:
      throw new Refused('topic', 'only the server publishes here');
  }
}

/** The readings of a checked message. */
export const decodedReadings = ({ readings }: ReadingsMessage): SaidReading[] =>
  readings.map(({ at, values, quality = 'measured' }) => ({ at: timeOf(at), values, quality }));

/**
 * The usual case: readings whose times are written as the server writes them. undefined: the slower check decides.
 */
function quickReadings(json: unknown): ({ sentAt: number; readings: SaidReading[] } & SaidOfPlan) | undefined {
  if (!checkQuickly.Check(json)) return undefined;
  const sentAt = plainTime(json.sentAt);
  const readings: SaidReading[] = [];
  for (const { at: text, values, quality = 'measured' } of json.readings) {
    const at = plainTime(text);
    if (at === undefined) return undefined;
    readings.push({ at, values, quality });
  }
  return sentAt === undefined ? undefined : { sentAt, readings, ...ofPlan(json) };
}

/** What a checked message says of the plan, without the names that this server does not know. */
function ofPlan({ planHash, capabilities }: Pick<StatusMessage, 'planHash' | 'capabilities'>): SaidOfPlan {
  if (planHash === undefined && capabilities === undefined) return nothingSaid;
  return {
    ...(planHash === undefined ? {} : { planHash }),
    ...(capabilities === undefined ? {} : { capabilities: known(capabilities) }),
  };
}
const nothingSaid: SaidOfPlan = {};

function known({ plan, messageBytes }: Capabilities): Capabilities {
  const bytes = messageBytes === undefined ? {} : { messageBytes };
  if (!plan) return bytes;
  const { periods, calendar, light, cycle } = plan;
  return { plan: { periods, calendar, light, cycle }, ...bytes };
}

/** The server's messages, read at the device's end; undefined for anything that is not one. */
export const readCommand = (payload: Uint8Array): CommandMessage | undefined => readServer(checkCommand, payload);
export const readSettings = (payload: Uint8Array): SettingsMessage | undefined => readServer(checkSettings, payload);

function readServer<T>(checker: { Check(value: unknown): value is T }, payload: Uint8Array): T | undefined {
  try {
    const json = parseMessage(payload);
    return checker.Check(json) ? json : undefined;
  } catch {
    return undefined;
  }
}

/** Epoch milliseconds as the protocol writes them. */
export const timeText = (at: number): string => new Date(at).toISOString();
/** The bytes of a message. */
export const encode = (
  message: ReadingsMessage | StatusMessage | AckMessage | CommandMessage | SettingsMessage,
): Buffer => Buffer.from(JSON.stringify(message));

/** Bytes as JSON, nothing dangerous in it; throws Refused. */
export function parseMessage(payload: Uint8Array): unknown {
  if (payload.byteLength > limits.payloadBytes) throw new Refused('tooLarge', `${payload.byteLength} bytes`);
  // Before the parser sees it: depth is counted on the bytes.
  if (depthOf(payload) > limits.nesting) throw new Refused('tooDeep', `nested deeper than ${limits.nesting}`);
  try {
    const text = utf8.decode(payload);
    // A reviver is slow: it runs only where a dangerous name may occur, plain or escaped.
    return suspicious.test(text) ? JSON.parse(text, refuseDangerous) : JSON.parse(text);
  } catch (thrown) {
    if (thrown instanceof Refused) throw thrown;
    throw new Refused('notJson', thrown instanceof Error ? thrown.message.slice(0, 80) : 'not JSON');
  }
}

const suspicious = /\\u|__proto__|constructor|prototype/;

/** JSON.parse returns names without their escapes. */
function refuseDangerous(key: string, value: unknown): unknown {
  if (key === '__proto__' || key === 'constructor' || key === 'prototype') throw new Refused('forbiddenName', key);
  // PostgreSQL keeps no NUL.
  if (typeof value === 'string' && value.includes('\u0000')) throw new Refused('schema', 'a text contains NUL');
  return value;
}

function depthOf(bytes: Uint8Array): number {
  let depth = 0;
  let deepest = 0;
  let inText = false;
  for (let index = 0; index < bytes.length; index++) {
    const byte = bytes[index];
    if (inText) {
      if (byte === 0x5c) index++;
      else if (byte === 0x22) inText = false;
    } else if (byte === 0x22) inText = true;
    else if (byte === 0x7b || byte === 0x5b) deepest = Math.max(deepest, ++depth);
    else if (byte === 0x7d || byte === 0x5d) depth--;
  }
  return deepest;
}

interface Checker<T> {
  Check(value: unknown): value is T;
  Errors(value: unknown): { instancePath: string; message: string }[];
}

/** JSON that fits the schema; throws Refused with the fields that do not, as many as a line holds. */
export function checkedMessage<T>(checker: Checker<T>, json: unknown): T {
  if (checker.Check(json)) return json;
  const problems = new Map<string, string>();
  for (const { instancePath, message } of checker.Errors(json))
    if (!problems.has(instancePath)) problems.set(instancePath, `${instancePath || '/'} ${message}`);
  throw new Refused('schema', [...problems.values()].join('; ').slice(0, 160) || 'does not match the schema');
}

const plainPattern = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;

/** A time written in UTC with milliseconds; undefined: another form, or no time. */
function plainTime(text: string): number | undefined {
  if (text.length !== 24 || !plainPattern.test(text)) return undefined;
  const at = Date.parse(text);
  // Some parsers count a day that a month does not have into the next month: such times take the slower check.
  return Number.isNaN(at) || (Number(text.slice(8, 10)) > 28 && new Date(at).toISOString() !== text) ? undefined : at;
}

function timeOf(text: string): number {
  const at = Date.parse(text);
  if (!Number.isFinite(at)) throw new Refused('badTime', text.slice(0, 40));
  return at;
}

const text = (value: string | null | undefined): string | null =>
  value === undefined || value === null || value === '' ? null : value;
