/** Runs at most this many pieces of work of one key at once; the others wait in order of arrival. */
export class InTurn {
  readonly #atOnce: number;
  readonly #keys = new Map<string, { running: number; readonly waiting: (() => void)[] }>();

  constructor(atOnce: number) {
    this.#atOnce = atOnce;
  }

  /** How many of a key wait. */
  waiting(key: string): number {
    return this.#keys.get(key)?.waiting.length ?? 0;
  }

  async run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const own = this.#keys.get(key) ?? { running: 0, waiting: [] };
    this.#keys.set(key, own);
    if (own.running >= this.#atOnce) await new Promise<void>((resolve) => own.waiting.push(resolve));
    else own.running += 1;
    try {
      return await work();
    } finally {
      const next = own.waiting.shift();
      // Who is next takes the place over.
      if (next) next();
      else if ((own.running -= 1) === 0) this.#keys.delete(key);
    }
  }
}
