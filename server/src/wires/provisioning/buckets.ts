/** Lets through `burst` at once and `perSecond` afterwards, for each key; keys that rest are forgotten. */
export class Buckets {
  readonly #burst: number;
  readonly #perSecond: number;
  readonly #levels = new Map<string, { left: number; at: number }>();

  constructor(burst: number, perSecond: number) {
    this.#burst = burst;
    this.#perSecond = perSecond;
  }

  /** Whether one more may pass at this time (epoch milliseconds). */
  take(key: string, now: number): boolean {
    if (this.#levels.size > 20_000) this.#forget(now);
    const known = this.#levels.get(key);
    const left = known ? Math.min(this.#burst, known.left + ((now - known.at) / 1000) * this.#perSecond) : this.#burst;
    this.#levels.set(key, { left: left >= 1 ? left - 1 : left, at: now });
    return left >= 1;
  }

  #forget(now: number): void {
    const full = (this.#burst / this.#perSecond) * 1000;
    for (const [key, { at }] of this.#levels) if (now - at > full) this.#levels.delete(key);
  }
}
