import {
  accountOf,
  type CommandOut,
  type Heard,
  type Introduction,
  type LineWire,
  type Refusal,
  type SaidOnLine,
  type SettingsOut,
  type Speaker,
  type Unsupported,
} from '../../../../protocols/wire.ts';
import type { Bus } from '../../platform/bus/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Db } from '../../platform/db/index.ts';
import { addressKey } from '../../platform/http/index.ts';
import type { Log } from '../../platform/log.ts';
import type { LinkEvent } from '../../platform/mqtt/index.ts';
import { reasonOf, StartError } from '../../platform/start-error.ts';
import { WrongPasswords } from '../../platform/wrong-passwords.ts';
import * as store from './addresses.store.ts';
import { Answers } from './answers.ts';
import { openTcpDoor, type Door, type DoorLimits, type Line, type LineEar, type LineEnd } from './tcp.ts';

export interface LinesParts {
  readonly wires: readonly LineWire[];
  readonly db: Db;
  readonly bus: Bus;
  readonly clock: Clock;
  readonly log: Log;
  /** What this process calls itself. */
  readonly process: string;
  /** Where the doors listen. */
  readonly host: string;
  /** Takes what devices say; resolves when it is stored or refused for good. */
  readonly hear: (speaker: Speaker, heard: Heard, slow: (milliseconds: number) => void) => Promise<void>;
  /** Called for everything that happens on connections. */
  readonly witness: (event: LinkEvent) => void;
  /** How long a process that was killed keeps its lines. */
  readonly leaseMs: number;
  readonly limits?: Partial<DoorLimits>;
}

/** The device is not connected to this process, or does not read: this process has no line to it any more. */
interface Away {
  readonly away: string;
}
/** Why one command was not sent; commands for other devices are. */
export type NotSent = Unsupported | Away;

/** Devices with a connection each, by the doors of their wires. */
export interface Lines {
  /** Whether this device comes by a door here, connected or not. */
  has(deviceId: number): boolean;
  /** Resolves when what the bus has said of addresses until now is known. */
  known(): Promise<unknown>;
  /** Resolves when the command is on its way, or says why not. */
  send(command: CommandOut): Promise<NotSent | undefined>;
  /** Keeps the settings for when the device comes, to whichever process. */
  set(deviceId: number, settings: SettingsOut | null): Promise<undefined>;
  /** The port of each door, by the name of its wire. */
  ports(): ReadonlyMap<string, number>;
  /** Opens the doors; returns how to close them. Throws StartError. */
  start(): Promise<() => Promise<void>>;
}

/** One device that is connected to this process. */
interface Connected {
  readonly wire: LineWire;
  readonly line: Line;
  readonly answers: Answers;
  /** Of the secret that was checked. */
  readonly hash: Buffer;
}

const doors: Partial<Record<LineWire['door'], typeof openTcpDoor>> = { tcp: openTcpDoor };
const tellEveryMs = 10_000;
/** Devices whose lines a beat corrects at once. */
const atOnce = 16;

export const createLines = (parts: LinesParts): Lines => new LineBook(parts);

class LineBook implements Lines {
  readonly #parts: LinesParts;
  readonly #doors = new Map<string, Door>();
  readonly #connected = new Map<number, Connected>();
  readonly #addressed = new Set<number>();
  readonly #wrongPasswords = new WrongPasswords();
  /** What is being written of the lines of a device: one thing after the other. */
  readonly #turns = new Map<number, Promise<unknown>>();
  #reading: Promise<unknown> = Promise.resolve();
  /** What beats found, and the bus, and what is not yet said of it. */
  readonly #correcting = new Set<Promise<void>>();
  #refusals = { count: 0, toldAt: Number.NEGATIVE_INFINITY };

  constructor(parts: LinesParts) {
    this.#parts = parts;
  }

  has(deviceId: number): boolean {
    return this.#addressed.has(deviceId);
  }

  known(): Promise<unknown> {
    return this.#reading;
  }

  ports(): ReadonlyMap<string, number> {
    return new Map([...this.#doors].map(([name, { port }]) => [name, port]));
  }

  async send(command: CommandOut): Promise<NotSent | undefined> {
    const deviceId = command.viaId ?? command.deviceId;
    const connected = this.#connected.get(deviceId);
    if (!connected) return this.#away(deviceId, 'the device is not connected to this process');
    const { wire, line, answers } = connected;
    const frame = this.#frameOf(wire, command, answers.numberOf(command));
    if ('unsupported' in frame) return frame;
    try {
      await line.send(frame);
    } catch (thrown) {
      line.end('network');
      return this.#away(deviceId, reasonOf(thrown));
    }
    return undefined;
  }

  async set(deviceId: number, settings: SettingsOut | null): Promise<undefined> {
    await store.keepSettings(this.#parts.db, deviceId, settings);
    this.#parts.bus.publish('line.set', { deviceId });
  }

  async start(): Promise<() => Promise<void>> {
    const { wires, db, bus, clock, log, process, host, leaseMs, limits } = this.#parts;
    if (wires.length === 0) return () => Promise.resolve();
    await this.#readAddresses();
    await this.#beat();
    for (const wire of wires) {
      const open = doors[wire.door];
      if (!open) throw new StartError(`There is no ${wire.door} door for ${wire.name} in this version.`);
      this.#doors.set(wire.name, await open({ wire, host, clock, limits, opened: (line) => this.#open(wire, line) }));
      log.info({ wire: wire.name, port: this.#doors.get(wire.name)?.port }, 'devices can connect');
    }
    const stale = (thrown: unknown): void =>
      log.warn({ reason: reasonOf(thrown) }, 'what is known of the lines of devices is not fresh');
    const stops = [
      clock.every(leaseMs / 3, () => this.#beat()),
      bus.subscribe('credentials.changed', ({ ids }) => {
        for (const id of ids) this.#connected.get(id)?.line.end('revoked');
        this.#reading = this.#reading.then(() => this.#readAddresses(ids)).catch(stale);
      }),
      bus.subscribe('bus.resumed', () => {
        this.#reading = this.#reading.then(() => this.#readAddresses()).catch(stale);
        void this.#compare([...this.#connected.keys()]).catch(stale);
      }),
      bus.subscribe('line.taken', ({ deviceId, process: taker }) => {
        if (taker !== process && this.#connected.has(deviceId)) void this.#compare([deviceId]).catch(stale);
      }),
      bus.subscribe('line.set', ({ deviceId }) => {
        const connected = this.#connected.get(deviceId);
        if (connected)
          void store
            .findSettings(db, deviceId)
            .then((settings) => this.#tell(connected, settings))
            .catch(stale);
      }),
    ];
    return async () => {
      stops.forEach((stop) => stop());
      await Promise.all([...this.#doors.values()].map((door) => door.stop()));
      await Promise.all(this.#correcting);
      await Promise.allSettled(this.#turns.values());
      await store.holdNone(db, process);
    };
  }

  #frameOf(wire: LineWire, command: CommandOut, number: number): Uint8Array | Unsupported {
    try {
      return wire.say(command, number);
    } catch (thrown) {
      const { commandId, deviceId } = command;
      this.#parts.log.error({ err: thrown, wire: wire.name, commandId, deviceId }, 'a wire failed at a command');
      return { unsupported: 'wireFailed' };
    }
  }

  /** Rejects while the table cannot say so: its commands would be claimed here again and again. */
  async #away(deviceId: number, away: string): Promise<Away> {
    await this.#leave(deviceId);
    // A device that has no address any more is sent its commands by the broker.
    await this.#readAddresses([deviceId]);
    return { away };
  }

  /** Without a connection this process is not the holder either. */
  #leave(deviceId: number): Promise<void> {
    return this.#inTurn(deviceId, async () => {
      if (this.#connected.has(deviceId)) return;
      if (await store.leaveLine(this.#parts.db, deviceId, this.#parts.process))
        this.#correct([deviceId], (id) => this.#lost(id));
    });
  }

  /** Says that this process is there, and corrects what the table has of its lines, and of lost ones. */
  async #beat(): Promise<void> {
    const { db, process, leaseMs } = this.#parts;
    const back = await store.holdLines(db, process, leaseMs, [...this.#connected.keys()]);
    this.#correct(back, (deviceId) => this.#back(deviceId));
    const left = await store.findLeft(db, process, [...this.#connected.keys()]);
    this.#correct(left, (deviceId) => this.#leave(deviceId));
    this.#correct(await store.freeLost(db), (deviceId) => this.#lost(deviceId));
  }

  /** Another process said that the device is offline: it is not. */
  #back(deviceId: number): Promise<void> {
    return this.#inTurn(deviceId, async () => {
      const connected = this.#connected.get(deviceId);
      if (!connected) return;
      const account = accountOf(deviceId);
      const address = connected.line.from;
      this.#parts.witness({ kind: 'connected', username: account, clientId: account, address });
      await this.#say(deviceId, true);
    });
  }

  /** The connection of the device is lost; unless it came back meanwhile, it is offline. */
  #lost(deviceId: number): Promise<void> {
    return this.#inTurn(deviceId, async () => {
      if ((await store.findHolder(this.#parts.db, deviceId)) === null) await this.#gone(deviceId, 'network', '');
    });
  }

  /** Ends connections that are not this process's any more; the bus is a hint, the table says it. */
  async #compare(deviceIds: readonly number[]): Promise<void> {
    const { db, process } = this.#parts;
    // What is just being taken stands in the table first.
    await Promise.all(deviceIds.flatMap((deviceId) => this.#turns.get(deviceId) ?? []));
    const asked = deviceIds.flatMap((deviceId) => {
      const connected = this.#connected.get(deviceId);
      return connected ? [{ deviceId, connected, hash: connected.hash }] : [];
    });
    if (asked.length === 0) return;
    const outdated = new Map(
      (await store.findOutdated(db, process, asked)).map(({ deviceId, why }) => [deviceId, why]),
    );
    for (const { deviceId, connected } of asked) {
      const why = outdated.get(deviceId);
      // A newer connection of the device was not asked about.
      if (why && this.#connected.get(deviceId) === connected) connected.line.end(why);
    }
  }

  /** Corrects some lines at once, and is not waited for: a beat that takes long loses its own lease. */
  #correct(deviceIds: readonly number[], correct: (deviceId: number) => Promise<void>): void {
    if (deviceIds.length === 0) return;
    const waiting = deviceIds.values();
    const work = async (): Promise<void> => {
      for (const deviceId of waiting)
        await correct(deviceId).catch((thrown: unknown) =>
          this.#parts.log.warn({ deviceId, reason: reasonOf(thrown) }, 'a line could not be corrected'),
        );
    };
    const correcting = Promise.all(Array.from({ length: atOnce }, work)).then(() => {
      this.#correcting.delete(correcting);
    });
    this.#correcting.add(correcting);
  }

  async #readAddresses(ids?: readonly number[]): Promise<void> {
    const found = await store.findAddressed(
      this.#parts.db,
      this.#parts.wires.map(({ name }) => name),
      ids,
    );
    for (const id of ids ?? [...this.#addressed]) this.#addressed.delete(id);
    for (const id of found) this.#addressed.add(id);
  }

  #open(wire: LineWire, line: Line): LineEar {
    let deviceId: number | undefined;
    let connected: Connected | undefined;
    let gone = false;
    const take = async (frame: Uint8Array): Promise<void> => {
      if (connected && deviceId !== undefined) return this.#hear(deviceId, connected, frame);
      const found = await this.#identify(wire, line, frame);
      if (found === undefined || gone) return;
      deviceId = found.deviceId;
      connected = await this.#welcome(deviceId, { wire, line, answers: new Answers(), hash: found.hash });
    };
    return {
      isKnown: () => connected !== undefined,
      take: (frame) =>
        take(frame).catch((thrown: unknown) => {
          this.#refused(wire, line, reasonOf(thrown));
          throw thrown;
        }),
      refused: (refusal) => {
        this.#refused(wire, line, refusal.reason);
        if (deviceId !== undefined)
          void this.#parts.hear({ deviceId, viaId: null }, refusal, () => undefined).catch(() => undefined);
      },
      ended: (why) => {
        gone = true;
        if (deviceId === undefined || this.#connected.get(deviceId)?.line !== line) return;
        this.#connected.delete(deviceId);
        void this.#left(deviceId, why, line.from);
      },
    };
  }

  /** The device of the first frame; undefined: it is none, and the connection has ended. */
  async #identify(wire: LineWire, line: Line, frame: Uint8Array): Promise<store.Proof | undefined> {
    const introduction = wire.identify(frame);
    const refuse = (reason: string): undefined => {
      this.#refused(wire, line, reason);
      line.end('network');
    };
    if (!introduction.ok) return refuse(introduction.reason);
    const found = await this.#check(wire, line, introduction);
    if (found === undefined) return refuse('unknownUser');
    if (found.right) return found;
    const account = accountOf(found.deviceId);
    this.#parts.witness({
      kind: 'denied',
      username: account,
      clientId: account,
      address: line.from,
      reason: 'wrongPassword',
    });
    return refuse('wrongPassword');
  }

  async #check(wire: LineWire, line: Line, { address, secret }: Introduction) {
    const [from, name] = [addressKey(line.from), `${wire.name}/${address}`];
    const found = await this.#wrongPasswords.check(from, name, () =>
      store.findByAddress(this.#parts.db, wire.name, address, secret),
    );
    if (found?.right) this.#wrongPasswords.passed(from, name);
    else this.#wrongPasswords.refused(from, name);
    return found;
  }

  /** The device is who it says: it is connected here from now on, and nowhere else. */
  async #welcome(deviceId: number, connected: Connected): Promise<Connected> {
    const { db, bus, process, witness } = this.#parts;
    const { line } = connected;
    const before = this.#connected.get(deviceId);
    this.#connected.set(deviceId, connected);
    this.#addressed.add(deviceId);
    before?.line.end('takenOver');
    const account = accountOf(deviceId);
    const event = { username: account, clientId: account, address: line.from };
    if (before) witness({ kind: 'takenOver', ...event, before: before.line.from });
    witness({ kind: 'connected', ...event });
    await this.#inTurn(deviceId, async () => {
      const taken = await store.takeLine(db, { deviceId, hash: connected.hash }, process);
      if (!taken) return line.end('revoked');
      bus.publish('line.taken', { deviceId, process });
      await this.#say(deviceId, true);
      await this.#tell(connected, taken.settings);
    });
    return connected;
  }

  async #left(deviceId: number, why: LineEnd, from: string): Promise<void> {
    const { db, process, log } = this.#parts;
    // Another connection has the device: it is not gone.
    if (why === 'takenOver') return;
    await this.#inTurn(deviceId, async () => {
      // New credentials took the row away, and this process with it.
      if (
        (await store.leaveLine(db, deviceId, process)) ||
        (why === 'revoked' && (await store.findHolder(db, deviceId)) === null)
      )
        await this.#gone(deviceId, why, from);
    }).catch((thrown: unknown) =>
      log.warn({ deviceId, reason: reasonOf(thrown) }, 'the end of a line could not be written down'),
    );
  }

  #inTurn(deviceId: number, work: () => Promise<void>): Promise<void> {
    const before = this.#turns.get(deviceId) ?? Promise.resolve();
    const turn = before.catch(() => undefined).then(work);
    const settled = turn
      .catch(() => undefined)
      .finally(() => {
        if (this.#turns.get(deviceId) === settled) this.#turns.delete(deviceId);
      });
    this.#turns.set(deviceId, settled);
    return turn;
  }

  async #gone(deviceId: number, reason: LineEnd, address: string): Promise<void> {
    const account = accountOf(deviceId);
    this.#parts.witness({ kind: 'disconnected', username: account, clientId: account, address, reason });
    await this.#say(deviceId, false);
  }

  /** What the link says in the name of a device. */
  #say(deviceId: number, online: boolean): Promise<void> {
    const message = { kind: 'status', online, at: null, firmware: null, settingsVersion: null } as const;
    const speaker = { deviceId, viaId: null };
    return this.#parts.hear(speaker, { ok: true, message: { ...speaker, ...message } }, () => undefined);
  }

  async #tell({ wire, line }: Connected, settings: SettingsOut | null): Promise<void> {
    const frame = settings && wire.set(settings);
    if (frame !== null && !('unsupported' in frame)) await line.send(frame);
  }

  async #hear(deviceId: number, { wire, line, answers }: Connected, frame: Uint8Array): Promise<void> {
    const heard = wire.hear(frame);
    const slow = (milliseconds: number): void => line.rest(milliseconds);
    if (!heard.ok) return this.#parts.hear({ deviceId, viaId: null }, heard, slow);
    await Promise.all(
      heard.said.map((said) => {
        const { speaker, message } = inOurWords(deviceId, answers, said);
        return this.#parts.hear(speaker, message, slow);
      }),
    );
    if (heard.reply) await line.send(heard.reply);
  }

  /** Counts a connection that cannot go on; of many there is a line in the log every 10 s. */
  #refused({ name }: LineWire, { from }: Line, reason: string): void {
    this.#refusals.count += 1;
    const now = performance.now();
    if (now - this.#refusals.toldAt < tellEveryMs) return;
    this.#parts.log.warn(
      { wire: name, address: from, reason, count: this.#refusals.count },
      'connections to a door of devices were refused',
    );
    this.#refusals = { count: 0, toldAt: now };
  }
}

/** An answer becomes the acknowledgement of the command that was sent under its number. */
function inOurWords(deviceId: number, answers: Answers, said: SaidOnLine): { speaker: Speaker; message: Heard } {
  const own = { deviceId, viaId: null };
  if (said.kind !== 'answer') return { speaker: own, message: { ok: true, message: { ...own, ...said } } };
  const { number, accepted, executedAt, error } = said;
  const asked = answers.asked(number);
  if (!asked) {
    const refusal: Refusal = { ok: false, reason: 'schema', detail: `nothing was asked under the number ${number}` };
    return { speaker: own, message: refusal };
  }
  const speaker = { deviceId: asked.deviceId, viaId: asked.viaId };
  return { speaker, message: { ok: true, message: { kind: 'ack', ...asked, accepted, executedAt, error } } };
}
