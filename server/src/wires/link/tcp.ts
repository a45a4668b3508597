import { createServer, type AddressInfo, type Socket } from 'node:net';
import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import type { LineWire, Refusal } from '../../../../protocols/wire.ts';
import { Budget } from '../../platform/budget.ts';
import type { Clock } from '../../platform/clock.ts';
import { addressKey, plainAddress } from '../../platform/http/index.ts';
import { listenProblem, StartError } from '../../platform/start-error.ts';

/** What a door takes. */
const limits = {
  connections: 20_000,
  /** Of one address; of those that have not said who they are, of all addresses. */
  ofAddress: 2000,
  strangers: 1000,
  strangersOfAddress: 100,
  /** Until the first frame is whole, and each later one once it has begun. */
  introductionMs: 10_000,
  frameMs: 30_000,
  /** A device that is silent for so long is gone. */
  idleMs: 15 * 60_000,
  /** Of one connection; what comes faster is read later. */
  bytes: { burst: 262_144, perSecond: 32_768 },
  introductionBytes: 4096,
  /** Frames of one connection in work at once. */
  frames: 32,
  /** Sent and not taken by the device: so much, for so long. */
  unreadBytes: 262_144,
  unreadMs: 5000,
} as const;
export type DoorLimits = {
  readonly [Name in keyof typeof limits]: (typeof limits)[Name] extends number ? number : (typeof limits)[Name];
};

/** Why a connection ended, in the words of the connection log. */
export type LineEnd = 'network' | 'keepAlive' | 'signedOff' | 'revoked' | 'takenOver' | 'packetTooLarge';

/** One connection of a device. */
export interface Line {
  readonly from: string;
  /** Resolves when the bytes are on their way; rejects when the device does not read: then the connection has ended. */
  send(bytes: Uint8Array): Promise<void>;
  /** Reads nothing more for so long. */
  rest(milliseconds: number): void;
  end(why: LineEnd): void;
}

/** What becomes of the frames of one connection. */
export interface LineEar {
  /** The device is known: its frames need not be taken one after the other any more. */
  isKnown(): boolean;
  take(frame: Uint8Array): Promise<void>;
  /** Bytes that are no frame; the connection ends. */
  refused(refusal: Refusal): void;
  ended(why: LineEnd): void;
}

export interface Door {
  readonly port: number;
  stop(): Promise<void>;
}

interface DoorParts {
  readonly wire: Pick<LineWire, 'name' | 'port' | 'mostFrameBytes' | 'frameLength'>;
  readonly host: string;
  /** Measures how long a device does not read. */
  readonly clock: Clock;
  readonly limits?: Partial<DoorLimits> | undefined;
  /** Called for every connection that is taken. */
  readonly opened: (line: Line) => LineEar;
}

/** Listens for the devices of one wire. Throws StartError. */
export async function openTcpDoor(parts: DoorParts): Promise<Door> {
  const { wire, host, limits: own = {} } = parts;
  const bounds: DoorLimits = { ...limits, ...own };
  const open = new Set<Connection>();
  const strangers = new Set<Connection>();
  const openOf = new PerAddress();
  const strangersOf = new PerAddress();
  const server = createServer({ noDelay: true, keepAlive: true }, (socket) => {
    socket.on('error', () => undefined);
    const from = plainAddress(socket.remoteAddress ?? '');
    const key = addressKey(from);
    if (
      open.size >= bounds.connections ||
      strangers.size >= bounds.strangers ||
      openOf.count(key) >= bounds.ofAddress ||
      strangersOf.count(key) >= bounds.strangersOfAddress
    )
      return void socket.destroy();
    const known = (): void => {
      if (strangers.delete(connection)) strangersOf.remove(key);
    };
    const connection = new Connection(socket, from, parts, bounds, known);
    open.add(connection);
    openOf.add(key);
    strangers.add(connection);
    strangersOf.add(key);
    socket.once('close', () => {
      known();
      open.delete(connection);
      openOf.remove(key);
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', (thrown) => {
      const { message } = listenProblem(thrown, 'PORT', host, wire.port);
      reject(new StartError(`The door of ${wire.name}: ${message}`));
    });
    server.listen(wire.port, host, resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    async stop() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      for (const connection of open) connection.end('network');
      await closed;
    },
  };
}

/** How many connections each address has. */
class PerAddress {
  readonly #counts = new Map<string, number>();

  count(key: string): number {
    return this.#counts.get(key) ?? 0;
  }

  add(key: string): void {
    this.#counts.set(key, this.count(key) + 1);
  }

  remove(key: string): void {
    const left = this.count(key) - 1;
    if (left > 0) this.#counts.set(key, left);
    else this.#counts.delete(key);
  }
}

class Connection implements Line {
  readonly from: string;
  readonly #socket: Socket;
  readonly #wire: DoorParts['wire'];
  readonly #clock: Clock;
  readonly #limits: DoorLimits;
  readonly #ear: LineEar;
  readonly #budget: Budget;
  readonly #known: () => void;
  #bytes: Buffer = Buffer.alloc(0);
  #restUntil = 0;
  #patience: NodeJS.Timeout | undefined;
  #ended = false;

  constructor(socket: Socket, from: string, parts: DoorParts, bounds: DoorLimits, known: () => void) {
    this.from = from;
    this.#socket = socket;
    this.#wire = parts.wire;
    this.#clock = parts.clock;
    this.#limits = bounds;
    this.#budget = new Budget(bounds.bytes, performance.now());
    this.#ear = parts.opened(this);
    this.#known = known;
    this.#waitFor(bounds.introductionMs);
    socket.setTimeout(bounds.idleMs, () => this.end('keepAlive'));
    socket.on('data', (chunk) => {
      socket.pause();
      void this.#read(chunk).catch(() => this.end('network'));
    });
    socket.once('end', () => this.end('signedOff'));
    socket.once('close', () => this.end('network'));
  }

  isKnown(): boolean {
    return this.#ear.isKnown();
  }

  send(bytes: Uint8Array): Promise<void> {
    return new Promise((resolve, reject) => {
      const refuse = (): void => {
        reject(new Error('the device does not read'));
        this.end('network');
      };
      if (this.#ended || this.#socket.writableLength > this.#limits.unreadBytes) return refuse();
      const stop = this.#clock.after(this.#limits.unreadMs, refuse);
      this.#socket.write(bytes, (thrown) => {
        stop();
        if (thrown) reject(thrown);
        else resolve();
      });
    });
  }

  rest(milliseconds: number): void {
    this.#restUntil = Math.max(this.#restUntil, performance.now() + milliseconds);
  }

  end(why: LineEnd): void {
    if (this.#ended) return;
    this.#ended = true;
    clearTimeout(this.#patience);
    this.#socket.destroy();
    this.#ear.ended(why);
  }

  #waitFor(milliseconds: number): void {
    clearTimeout(this.#patience);
    this.#patience = setTimeout(() => this.end('keepAlive'), milliseconds).unref();
  }

  /** The next bytes; nothing more is read meanwhile. */
  async #read(chunk: Buffer): Promise<void> {
    this.rest(this.#budget.take(chunk.length, performance.now()));
    const wasWhole = this.#bytes.length === 0;
    this.#bytes = wasWhole ? chunk : Buffer.concat([this.#bytes, chunk]);
    for (;;) {
      const frames = this.#cut(this.isKnown() ? this.#limits.frames : 1);
      if (frames === undefined) return;
      if (frames.length === 0) break;
      clearTimeout(this.#patience);
      this.#patience = undefined;
      await Promise.all(frames.map((frame) => this.#ear.take(frame)));
      // Others have their turn between two handfuls of frames.
      await setImmediate();
      if (this.#ended) return;
      if (this.isKnown()) this.#known();
    }
    if (this.isKnown() && this.#bytes.length > 0 && this.#patience === undefined) this.#waitFor(this.#limits.frameMs);
    const restMs = this.#restUntil - performance.now();
    if (restMs > 0) await sleep(restMs, undefined, { ref: false });
    this.#socket.resume();
  }

  /** Whole frames at the head of what was read; undefined: these bytes are none, and the connection has ended. */
  #cut(most: number): Buffer[] | undefined {
    const frames: Buffer[] = [];
    const longest = this.isKnown()
      ? this.#wire.mostFrameBytes
      : Math.min(this.#wire.mostFrameBytes, this.#limits.introductionBytes);
    while (frames.length < most && this.#bytes.length > 0) {
      const length = this.#wire.frameLength(this.#bytes);
      if (typeof length !== 'number') return this.#refuse(length, 'network');
      if (length > longest || (length === 0 && this.#bytes.length >= longest)) {
        const detail = `${Math.max(length, this.#bytes.length)} > ${longest} bytes`;
        return this.#refuse({ ok: false, reason: 'tooLarge', detail }, 'packetTooLarge');
      }
      if (length === 0 || length > this.#bytes.length) break;
      frames.push(this.#bytes.subarray(0, length));
      this.#bytes = this.#bytes.subarray(length);
    }
    return frames;
  }

  #refuse(refusal: Refusal, why: LineEnd): undefined {
    this.#ear.refused(refusal);
    this.end(why);
  }
}
