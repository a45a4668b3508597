import type { Duplex } from 'node:stream';

export interface IntakeLimits {
  readonly messages: number;
  readonly bytes: number;
  /** What sockets have handed over and nobody has read, of all of them together. */
  readonly bytesAhead: number;
}

/**
 * How much may be in work at once. Above it no socket is read on, whoever it belongs to, until half of it is done: what
 * waits for the database stays with the devices and in the network, not in memory. One chunk that was being read when
 * it became too much still comes in. Of each socket at most one chunk more is taken off the network meanwhile; what
 * would make all of these together too much costs its sender the connection: nothing of it was acknowledged, and it
 * comes again.
 */
export class Intake {
  readonly #limits: IntakeLimits;
  readonly #refused: () => void;
  readonly #held = new Set<Duplex>();
  readonly #resting = new Set<Duplex>();
  /** How much of each socket waits to be read. */
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

  /** This socket is not read on for so many milliseconds; what it sends waits with its sender. */
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

  /** Lets `read` of this socket tell that there is nothing while it is too much; it is told `readable` again later. */
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
      // Else the network is left alone until somebody reads.
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
