import { keptMs, slackMs } from '../../platform/live/index.ts';

const mostIds = 200_000;

/** Which devices changed in the last minute, so that whoever was away for a moment hears of those alone. */
export class Recent {
  #bundles: { readonly at: number; readonly ids: readonly number[] }[] = [];
  #count = 0;
  /** Nothing is known of what was before. */
  #from: number;

  constructor(now: number) {
    this.#from = now;
  }

  add(at: number, ids: readonly number[]): void {
    this.#bundles.push({ at, ids });
    this.#count += ids.length;
    while (this.#bundles[0] && (this.#bundles[0].at < at - keptMs || this.#count > mostIds)) {
      this.#from = this.#bundles[0].at + 1;
      this.#count -= this.#bundles[0].ids.length;
      this.#bundles.shift();
    }
  }

  /** Something may have been missed: what is remembered begins anew. */
  forget(now: number): void {
    this.#bundles = [];
    this.#count = 0;
    this.#from = now;
  }

  /**
   * What changed since then, and a little before, for clocks of processes differ; null: that is too long ago to tell.
   */
  since(at: number): ReadonlySet<number> | null {
    const from = at - slackMs;
    if (!Number.isFinite(at) || from < this.#from) return null;
    return new Set(this.#bundles.flatMap((bundle) => (bundle.at >= from ? bundle.ids : [])));
  }

  /**
   * Whether this one changed since then, or a little before; null: that is too long ago to tell. Nothing is collected
   * for it: everybody with a page of a device asks when a server has come back.
   */
  has(id: number, at: number): boolean | null {
    const from = at - slackMs;
    if (!Number.isFinite(at) || from < this.#from) return null;
    return this.#bundles.some((bundle) => bundle.at >= from && bundle.ids.includes(id));
  }
}
