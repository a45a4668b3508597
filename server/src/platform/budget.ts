export interface BudgetLimits {
  /** What may come at once. */
  readonly burst: number;
  /** What may come for ever. */
  readonly perSecond: number;
}

/** What somebody may ask for in time: a burst, and so much a second. Whoever takes more gets into debt, of one burst at most, and waits until it is paid. */
export class Budget {
  readonly #limits: BudgetLimits;
  #left: number;
  #at: number;

  /** Times are milliseconds of one clock that never goes back. */
  constructor(limits: BudgetLimits, now: number) {
    this.#limits = limits;
    this.#left = limits.burst;
    this.#at = now;
  }

  /** Takes so much, also more than is left; returns after how many milliseconds the debt is paid, 0: there is none. */
  take(cost: number, now: number): number {
    const { burst, perSecond } = this.#limits;
    this.#left = Math.max(-burst, Math.min(burst, this.#left + ((now - this.#at) / 1000) * perSecond) - cost);
    this.#at = now;
    return this.#left >= 0 ? 0 : Math.ceil((-this.#left / perSecond) * 1000);
  }

  /** Whether it has its whole burst again: then it need not be remembered. */
  isFull(now: number): boolean {
    const { burst, perSecond } = this.#limits;
    return this.#left + ((now - this.#at) / 1000) * perSecond >= burst;
  }
}
