import { setTimeout as sleep } from 'node:timers/promises';
import { InTurn } from './in-turn.ts';

/** A line for each key: its work runs one after the other, at a fixed distance, and only a limited number may wait. */
export class WaitingLine {
  readonly #pauseMs: number;
  readonly #turns = new InTurn(1);

  constructor(pauseMs: number) {
    this.#pauseMs = pauseMs;
  }

  /** Runs the work in its turn; undefined: too many of the key wait already, and it was not run. */
  async run<T>(key: string, most: number, work: () => Promise<T>): Promise<T | undefined> {
    if (this.#turns.waiting(key) >= most) return undefined;
    return await this.#turns.run(key, async () => {
      await sleep(this.#pauseMs, undefined, { ref: false });
      return await work();
    });
  }
}
