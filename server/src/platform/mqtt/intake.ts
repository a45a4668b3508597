import type { Duplex } from 'node:stream';

export interface IntakeLimits { readonly messages: number; readonly bytes: number }

/**
 * How much may be in work at once. Above it no socket is read on, whoever it belongs to, until half of it is done: what waits for the database
 * stays with the devices and in the network, not in memory. One chunk that was being read when it became too much still comes in.
 */
export class Intake {
  readonly #limits: IntakeLimits;
  readonly #held = new Set<Duplex>();
  #messages = 0;
  #bytes = 0;
  #open = true;

  constructor(limits: IntakeLimits) {
    this.#limits = limits;
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

  /** Lets `read` of this socket tell that there is nothing while it is too much; it is told `readable` again later. */
  guard(socket: Duplex): void {
    const read = socket.read.bind(socket);
    socket.read = (size?: number) => {
      if (this.#open) return read(size) as unknown;
      this.#held.add(socket);
      return null;
    };
    socket.once('close', () => this.#held.delete(socket));
  }
}
