import { setTimeout as sleep } from 'node:timers/promises';
import { Budget } from '../budget.ts';
import { InTurn } from '../in-turn.ts';

/** Refused sign-ins of one address: devices of a whole district may stand behind one, and some of them may be set up wrongly. */
const refusals = { burst: 300, perSecond: 5 };
/** Of an address that guesses: how long each of its sign-ins takes, one after the other, and how many may wait. */
const pauseMs = 100;
const mostWaiting = 200;
const mostAddresses = 10_000;

/**
 * Bounds what guessing costs. An address with too many refused sign-ins has its next ones checked one after the other, ten a second: devices behind it are let in more slowly, never
 * shut out by their neighbour.
 */
export class WrongPasswords {
  readonly #addresses = new Map<string, Budget>();
  readonly #turns = new InTurn(1);

  /** Runs the check, perhaps later; undefined: too many wait already, and it was not run. */
  async check<T>(address: string, work: () => Promise<T>): Promise<T | undefined> {
    const budget = this.#addresses.get(address);
    if (!budget || budget.take(0, performance.now()) === 0) return await work();
    if (this.#turns.waiting(address) >= mostWaiting) return undefined;
    return await this.#turns.run(address, async () => {
      await sleep(pauseMs, undefined, { ref: false });
      return await work();
    });
  }

  /** A sign-in was refused. */
  refused(address: string): void {
    const now = performance.now();
    const budget = this.#addresses.get(address) ?? new Budget(refusals, now);
    budget.take(1, now);
    this.#addresses.set(address, budget);
    if (this.#addresses.size <= mostAddresses) return;
    for (const [key, one] of this.#addresses) if (one.isFull(now)) this.#addresses.delete(key);
    for (const key of this.#addresses.keys()) {
      if (this.#addresses.size <= mostAddresses) break;
      this.#addresses.delete(key);
    }
  }
}
