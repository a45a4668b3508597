export interface BudgetLimits {
  /** Cost allowed at once. */
  readonly burst: number;
  /** Cost allowed continuously. */
  readonly perSecond: number;
}

/**
 * A budget over time: a burst, and an amount a second. A caller above it owes at most one burst, and waits until the
 * debt is paid.
 */
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

  /** Takes a cost, also above the rest; returns the milliseconds until the debt is paid, 0: there is none. */
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

/** One budget for each key. At the limit of keys the one unused for longest is forgotten. */
export class Budgets {
  readonly #limits: BudgetLimits;
  readonly #most: number;
  readonly #budgets = new Map<string, Budget>();

  constructor(limits: BudgetLimits, most: number) {
    this.#limits = limits;
    this.#most = most;
  }

  /** Takes a cost; returns the milliseconds until the debt of the key is paid. */
  take(key: string, cost: number, now: number): number {
    const budget = this.#budgets.get(key) ?? new Budget(this.#limits, now);
    this.#budgets.delete(key);
    this.#budgets.set(key, budget);
    if (this.#budgets.size > this.#most) {
      const [oldest] = this.#budgets.keys();
      if (oldest !== undefined) this.#budgets.delete(oldest);
    }
    return budget.take(cost, now);
  }

  /** Milliseconds until the debt of the key is paid; 0: it has none. */
  owed(key: string, now: number): number {
    return this.#budgets.get(key)?.take(0, now) ?? 0;
  }
}
