import type { PlanAbilities } from '../catalogue/lighting/plan/ability.ts';
import type { CompactPlan } from '../catalogue/lighting/plan/compact.ts';

/**
 * The port of the device protocols (decision record 42): what a wire does for the server, in our words. A wire is pure:
 * bytes in, what was said out. The link (`server/src/wires/link`) owns doors, connections and addresses.
 */

/** By which door the devices of a wire come in. */
export type Door = 'mqtt' | 'websocket' | 'tcp' | 'udp' | 'http' | 'sip';

export type Wire = BrokerWire | LineWire;

interface NamedWire {
  readonly name: string;
  readonly door: Door;
}

/** Whose message it is. `viaId`: the controller that speaks for the device; null: it speaks for itself. */
export interface Speaker {
  readonly deviceId: number;
  readonly viaId: number | null;
}

export interface SaidReading {
  readonly at: number;
  /** As it came, types checked, names and ranges not: the catalogue judges them. */
  readonly values: Readonly<Record<string, number | boolean | string | null>>;
  /** What the device says of it. */
  readonly quality: 'measured' | 'estimated' | 'stale';
  /** Codes of the device that the catalogue does not have: kept as they came. */
  readonly unmapped?: Unmapped;
}
export type Unmapped = Readonly<Record<string, number | boolean | string>>;

/** What a device can do of a plan; absent: it goes by the table alone. */
export interface Capabilities {
  readonly plan?: PlanAbilities;
  /** Of the largest settings message that it takes; absent: `mostSettingsBytes`. */
  readonly messageBytes?: number;
}
/** What a device says of its plan; absent: nothing. */
export interface SaidOfPlan {
  /** The plan that it has taken over; null: none. */
  readonly planHash?: string | null;
  readonly capabilities?: Capabilities;
  /** When its clock was last set. */
  readonly clockAt?: number;
}

/** What was measured. Times are epoch milliseconds by the device clock, here and below. */
export interface SaidReadings extends SaidOfPlan {
  readonly kind: 'readings';
  /** The connector, phase, head, loop or relay that is meant; absent: 0, the device itself. */
  readonly channel?: number;
  readonly sentAt: number;
  readonly readings: readonly SaidReading[];
}
/** The device came, or went. */
export interface SaidStatus extends SaidOfPlan {
  readonly kind: 'status';
  readonly online: boolean;
  /** null: the broker or the link says it in the name of the device. */
  readonly at: number | null;
  readonly firmware: string | null;
  readonly settingsVersion: number | null;
}
/** What became of a command. */
export interface SaidAck {
  readonly kind: 'ack';
  readonly commandId: number;
  readonly accepted: boolean;
  readonly executedAt: number | null;
  readonly error: string | null;
}
/** Something that is no measurement: kept as it came. */
export interface SaidRemark {
  readonly kind: 'hello' | 'event' | 'transaction';
  readonly channel?: number;
  readonly at: number;
  readonly texts: Unmapped;
}

export type Said = Speaker & (SaidReadings | SaidStatus | SaidAck | SaidRemark);
/** Why a message is refused, counted under this name; `detail`: one short line for the log. */
export interface Refusal {
  readonly ok: false;
  readonly reason: string;
  readonly detail: string;
}
export type Heard = { readonly ok: true; readonly message: Said } | Refusal;

/** Why a command or settings cannot be sent by this wire. */
export interface Unsupported {
  readonly unsupported: string;
}

/** A command on its way to one device. Times are epoch milliseconds by the server clock. */
export interface CommandOut extends Speaker {
  readonly commandId: number;
  readonly command: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly issuedAt: number;
  readonly expiresAt: number;
  readonly until: number | null;
  /** Grows with every message to anybody. */
  readonly turn: number;
  /** Server minus device clock, milliseconds: the device compares these times with its own clock. */
  readonly clockOffsetMs: number;
}

/** What a device does by itself. */
export interface SettingsOut {
  /** Changes whenever anything but `serverTime` changes. */
  readonly version: number;
  readonly serverTime: number;
  readonly timeZone: string;
  readonly latitude: number | null;
  readonly longitude: number | null;
  readonly sunOffsetMinutes: number;
  readonly table: { at: string; offsetMinutes: number; level: number }[];
  readonly reportSeconds: { lit: number; unlit: number };
  /** Followed instead of the table by devices that can. */
  readonly plan?: CompactPlan;
  /** Without a word of the server for so long the device says that it goes by its memory. */
  readonly fallbackMinutes?: number;
  /** Percent after power returns, until the device knows the time. */
  readonly powerUpLevel?: number;
  /** Seconds over which lamps spread each switch. */
  readonly stagger?: number;
  /** Seconds of `stagger` after which the lamps of its road begin: they spread over at most `roadStagger` from there. */
  readonly staggerFrom?: number;
  /** A device with a line of its own says that it is there at least so often, seconds. */
  readonly heartbeatSeconds?: number;
  /** How its light sensor is set. */
  readonly light?: { readonly lux: number; readonly sensitivity: number; readonly delayMinutes: number };
}
/** Settings of more bytes are not sent. */
export const mostSettingsBytes = 16_384;

/** The account of a device, which it signs in with wherever it signs in: user name and client id, always the same text. */
export const accountOf = (deviceId: number): string => `lampyris-${deviceId}`;
/** The device of an account; undefined: no device has it. */
export function deviceOfAccount(name: string): number | undefined {
  const id = /^lampyris-([1-9]\d{0,14})$/.exec(name)?.[1];
  return id === undefined ? undefined : Number(id);
}

/** The account that the unknown devices of a batch share. */
export const accountOfBatch = (batchId: number): string => `lampyris-batch-${batchId}`;
/** The batch of an account; undefined for one of a device. */
export function batchOfAccount(name: string): number | undefined {
  const id = /^lampyris-batch-([1-9]\d{0,14})$/.exec(name)?.[1];
  return id === undefined ? undefined : Number(id);
}

// --- behind a broker: who speaks is identified by the account, and by the place where it publishes

/** Something to publish. */
export interface Outgoing {
  readonly topic: string;
  readonly payload: Buffer;
  readonly retain: boolean;
}

/** Topic filters in MQTT notation (`+` is one level). A subscription is allowed when one of them covers it. */
export interface TopicRights {
  readonly publish: readonly string[];
  readonly subscribe: readonly string[];
  /** Why something beyond these is refused; undefined: it belongs to another device. */
  readonly reasonFor?: (topic: string) => string | undefined;
}

/** Where devices find the broker. */
export interface BrokerAddress {
  readonly host: string;
  readonly port: number;
  readonly tlsPort: number | null;
  readonly secure: boolean;
  readonly builtIn: boolean;
}

/** An unknown device of a batch. */
export interface Newcomer {
  readonly batchId: number;
  readonly serial: string;
}
export interface NewcomerPlace extends Newcomer {
  readonly kind: 'hello' | 'readings' | 'provision';
}
export interface NewcomerHello {
  readonly secret: string;
  readonly family?: string;
  readonly model?: string;
  readonly firmware?: string;
  readonly name?: string;
  readonly longitude?: number;
  readonly latitude?: number;
}
export type NewcomerHeard =
  | {
      readonly ok: true;
      readonly message:
        | { readonly kind: 'hello'; readonly hello: NewcomerHello }
        | { readonly kind: 'readings'; readonly readings: readonly SaidReading[] };
    }
  | Refusal;

/** A protocol whose devices come by an MQTT broker. */
export interface BrokerWire extends NamedWire {
  readonly door: 'mqtt';
  /** Everything of this wire on a shared broker stands below it. */
  readonly prefix: string;
  /** What the server listens to. `ordered`: to be taken in the order in which it was sent. */
  readonly filters: {
    readonly devices: readonly string[];
    readonly ordered: readonly string[];
    readonly newcomers: readonly string[];
  };
  /** What a device may do with its account. */
  rightsOf(deviceId: number, speaksForOthers?: boolean): TopicRights;
  /** Where the readings of a device are published. */
  placeOf(speaker: Speaker): string;
  /** The device that publishes there; undefined: no device does. */
  speakerAt(topic: string): Speaker | undefined;
  hear(topic: string, payload: Uint8Array): Heard;
  /** Readings that came without a topic, signed by a device or by the controller that speaks for it. */
  hearReadings(signedBy: number, payload: Uint8Array): Heard;
  say(command: CommandOut): Outgoing | Unsupported;
  /** `null` takes the settings away. Those that are too large are not sent. */
  set(speaker: Speaker, settings: SettingsOut | null): Outgoing | Unsupported;
  /** How large they are as a message; at most `mostSettingsBytes`. */
  settingsBytes(settings: SettingsOut): number;
  /** The description of the protocol, for those who build devices. */
  describe(version: string, broker: BrokerAddress): Readonly<Record<string, unknown>>;
  readonly newcomers: {
    isSerial(text: string): boolean;
    /** null: any member of the batch, for brokers that cannot bind a right to the client id. */
    rightsOf(batchId: number, serial: string | null): TopicRights;
    placeAt(topic: string): NewcomerPlace | undefined;
    hear(place: NewcomerPlace, payload: Uint8Array): NewcomerHeard;
    /** Tells a claimed device which one it is. */
    welcome(newcomer: Newcomer, deviceId: number): Outgoing;
  };
}

// --- on a line of its own: who speaks is identified by the first frame

/** What a device calls itself, and what proves it. */
export interface Introduction {
  readonly ok: true;
  readonly address: string;
  readonly secret: Uint8Array;
}

/** What a device answers to what was sent under this number. */
interface SaidAnswer extends Omit<SaidAck, 'kind' | 'commandId'> {
  readonly kind: 'answer';
  readonly number: number;
}
export type SaidOnLine = SaidReadings | SaidRemark | SaidAnswer;
export type HeardOnLine =
  | {
      readonly ok: true;
      readonly said: readonly SaidOnLine[];
      /** Sent back once what was said is stored. */
      readonly reply?: Uint8Array;
    }
  | Refusal;

/** A protocol whose devices keep a connection each. */
export interface LineWire extends NamedWire {
  readonly door: Exclude<Door, 'mqtt'>;
  /** Where its door listens; 0: any free port. */
  readonly port: number;
  readonly mostFrameBytes: number;
  /** How long the frame is that begins here; 0: that needs more bytes. */
  frameLength(bytes: Uint8Array): number | Refusal;
  /** Who speaks, by the first frame. */
  identify(frame: Uint8Array): Introduction | Refusal;
  hear(frame: Uint8Array): HeardOnLine;
  /** `number`: 1 to 65,535, the same when a command is repeated. The answer names it. */
  say(command: CommandOut, number: number): Uint8Array | Unsupported;
  set(settings: SettingsOut): Uint8Array | Unsupported;
}
