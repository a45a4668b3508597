/** How long a change is remembered (ms). */
export const keptMs = 60_000;
/** Overlap of a catch-up (ms): process clocks differ, and a hint waits up to 2 s. */
export const slackMs = 5000;

const mostKeys = 10_000;

/** The last time of each hint, so that a new subscriber learns whether it came since its data was read. */
export class Lately {
  readonly #at = new Map<string, number>();
  /** Nothing before this time is known. */
  #from: number;

  constructor(now: number) {
    this.#from = now;
  }

  note(key: string, at: number): void {
    this.#at.delete(key);
    this.#at.set(key, at);
    for (const [oldest, then] of this.#at) {
      if (then >= at - keptMs && this.#at.size <= mostKeys) break;
      this.#at.delete(oldest);
      this.#from = Math.max(this.#from, then + 1);
    }
  }

  /** Something may have been missed: the memory starts again. */
  forget(now: number): void {
    this.#at.clear();
    this.#from = now;
  }

  /**
   * Whether it came since then, or shortly before, because process clocks differ; also true if that is too long ago to
   * know.
   */
  since(key: string, at: number): boolean {
    const from = at - slackMs;
    return !(from >= this.#from) || (this.#at.get(key) ?? Number.NEGATIVE_INFINITY) >= from;
  }
}
