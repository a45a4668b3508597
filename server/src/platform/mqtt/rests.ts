import { setTimeout as sleep } from 'node:timers/promises';

/** Who has to rest, whatever connection it speaks on: a device that comes again within its rest is let in when that is over. */
export class Rests {
  readonly #over = new Map<string, Promise<void>>();

  /** Begins a rest of so many milliseconds; one that goes on already is not made longer. */
  begin(username: string, clientId: string, milliseconds: number): void {
    const key = keyOf(username, clientId);
    if (!this.#over.has(key)) this.#over.set(key, sleep(milliseconds, undefined, { ref: false }).then(() => void this.#over.delete(key)));
  }

  /** When the rest is over; undefined: there is none. */
  over(username: string, clientId: string): Promise<void> | undefined {
    return this.#over.get(keyOf(username, clientId));
  }
}

const keyOf = (username: string, clientId: string): string => `${username}\n${clientId}`;
