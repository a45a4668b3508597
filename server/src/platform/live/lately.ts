/** How long a change is remembered (ms). */
export const keptMs = 60_000;
/** Overlap of a catch-up (ms): process clocks differ, and a hint waits up to 2 s. */
export const slackMs = 5000;

const mostKeys = 10_000;

/**
 * When something happened last of what is only hinted at, so that whoever begins to watch hears whether it did since
 * what it shows was read.
 */
export class Lately {
  readonly #at = new Map<string, number>();
  /** Nothing is known of what was before. */
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

  /** Something may have been missed: what is remembered begins anew. */
  forget(now: number): void {
    this.#at.clear();
    this.#from = now;
  }

  /**
   * Whether something happened since then, and a little before, for clocks of processes differ; true also when that is
   * too long ago to tell.
   */
  since(key: string, at: number): boolean {
    const from = at - slackMs;
    return !(from >= this.#from) || (this.#at.get(key) ?? Number.NEGATIVE_INFINITY) >= from;
  }
}
