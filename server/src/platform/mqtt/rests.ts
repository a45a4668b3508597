/** Who has to rest, by user name and client id: a device that comes again on a new connection rests on. */
export class Rests {
  readonly #until = new Map<string, number>();

  /** Begins a rest of this length; a rest under way does not become longer. */
  begin(username: string, clientId: string, milliseconds: number): void {
    const key = keyOf(username, clientId);
    if (this.#until.has(key)) return;
    this.#until.set(key, performance.now() + milliseconds);
    setTimeout(() => this.#until.delete(key), milliseconds).unref();
  }

  /** Milliseconds until the rest is over; 0: there is none. */
  left(username: string, clientId: string): number {
    return Math.max(0, (this.#until.get(keyOf(username, clientId)) ?? 0) - performance.now());
  }
}

const keyOf = (username: string, clientId: string): string => `${username}\n${clientId}`;
