/**
 * Collects items for a few milliseconds and hands them over together; while one batch is in work the next one fills.
 * Each item's promise settles with its batch. That keeps the order, and a slow database slows the senders: nobody is
 * acknowledged early.
 */
export class Batcher<T> {
  readonly #work: (items: readonly T[]) => Promise<void>;
  readonly #windowMs: number;
  readonly #most: number;
  #waiting: { item: T; resolve: () => void; reject: (thrown: unknown) => void }[] = [];
  #timer: NodeJS.Timeout | undefined;
  #busy: Promise<void> | undefined;

  /** `work` gets 1 to `most` items after at most `windowMs`. */
  constructor(
    work: (items: readonly T[]) => Promise<void>,
    { windowMs, most }: { readonly windowMs: number; readonly most: number },
  ) {
    this.#work = work;
    this.#windowMs = windowMs;
    this.#most = most;
  }

  add(item: T): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ item, resolve, reject });
      if (this.#waiting.length >= this.#most) this.#flush();
      else this.#timer ??= setTimeout(() => this.#flush(), this.#windowMs);
    });
  }

  get waiting(): number {
    return this.#waiting.length;
  }

  /** Resolves when everything handed in so far is settled. */
  async drained(): Promise<void> {
    while (this.#busy || this.#waiting.length > 0) {
      this.#flush();
      await this.#busy;
    }
  }

  #flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#busy || this.#waiting.length === 0) return;
    const taken = this.#waiting.splice(0, this.#most);
    this.#busy = this.#work(taken.map(({ item }) => item))
      .then(
        () => taken.forEach(({ resolve }) => resolve()),
        (thrown: unknown) => taken.forEach(({ reject }) => reject(thrown)),
      )
      .finally(() => {
        this.#busy = undefined;
        this.#flush();
      });
  }
}
