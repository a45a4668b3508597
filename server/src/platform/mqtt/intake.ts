import type { Duplex } from 'node:stream';

export interface IntakeLimits {
  readonly messages: number;
  readonly bytes: number;
  /** Bytes that sockets have handed over and that are not read yet, of all sockets together. */
  readonly bytesAhead: number;
}

/**
 * Bounds the work at once. Above it the broker reads from no socket until half of the work is done: what waits for the
 * database stays with the devices and in the network, not in memory. One chunk that was being read at that moment still
 * comes in. Of each socket at most one chunk more is taken off the network meanwhile. A sender that would make all of
 * these together too large is disconnected: nothing of it was acknowledged, and it comes again.
 */
export class Intake {
  readonly #limits: IntakeLimits;
  readonly #refused: () => void;
  readonly #held = new Set<Duplex>();
  readonly #resting = new Set<Duplex>();
  /** Bytes of each socket that are not read yet. */
  readonly #ahead = new Map<Duplex, number>();
  #messages = 0;
  #bytes = 0;
  #bytesAhead = 0;
  #open = true;

  /** `refused`: called for each connection that the intake ends. */
  constructor(limits: IntakeLimits, refused: () => void = () => undefined) {
    this.#limits = limits;
    this.#refused = refused;
  }

  get messages(): number {
    return this.#messages;
  }

  begin(bytes: number): void {
    this.#messages += 1;
    this.#bytes += bytes;
    if (this.#messages >= this.#limits.messages || this.#bytes >= this.#limits.bytes) this.#open = false;
  }

  end(bytes: number): void {
    this.#messages -= 1;
    this.#bytes -= bytes;
    if (this.#open || this.#messages > this.#limits.messages / 2 || this.#bytes > this.#limits.bytes / 2) return;
    this.#open = true;
    const held = [...this.#held];
    this.#held.clear();
    for (const socket of held) if (!socket.destroyed) socket.emit('readable');
  }

  /** The broker does not read from this socket for this time; its messages wait with their sender. */
  rest(socket: Duplex, milliseconds: number): void {
    if (this.#resting.has(socket)) return;
    this.#resting.add(socket);
    setTimeout(() => {
      this.#resting.delete(socket);
      if (!socket.destroyed) socket.emit('readable');
    }, milliseconds).unref();
  }

  isResting(socket: Duplex): boolean {
    return this.#resting.has(socket);
  }

  /** `read` of this socket returns nothing above the limits; `readable` is emitted again later. */
  guard(socket: Duplex): void {
    const read = socket.read.bind(socket);
    socket.read = (size?: number) => {
      if (this.#resting.has(socket)) return null;
      if (!this.#open) {
        this.#held.add(socket);
        return null;
      }
      const chunk: unknown = read(size);
      this.#count(socket, socket.readableLength);
      return chunk;
    };
    const push = socket.push.bind(socket);
    socket.push = (chunk: unknown, encoding?: BufferEncoding) => {
      const more = push(chunk, encoding);
      this.#count(socket, socket.readableLength);
      if (this.#bytesAhead > this.#limits.bytesAhead) {
        this.#refused();
        socket.destroy();
      }
      // Otherwise the network is not read until a reader asks.
      return more && this.#open && !this.#resting.has(socket);
    };
    socket.once('close', () => {
      this.#held.delete(socket);
      this.#count(socket, 0);
    });
  }

  #count(socket: Duplex, bytes: number): void {
    this.#bytesAhead += bytes - (this.#ahead.get(socket) ?? 0);
    if (bytes === 0) this.#ahead.delete(socket);
    else this.#ahead.set(socket, bytes);
  }
}
