import type { Walk } from './walk.ts';

/** What the rules of a device were walked with: with another rated power or place they begin at idle. */
interface Walker {
  readonly id: number;
  readonly ratedWatts: number | null;
  readonly workAreaId: number;
}
interface Kept extends Walk {
  readonly ratedWatts: number | null;
  readonly workAreaId: number;
}

/**
 * How far the rules of each device came, so that a reading is judged by itself and not with three hours of others.
 * Memory of the one process that judges: what is not in it is walked again from the history. Of more than `most`
 * devices the ones kept longest are let go.
 */
export class Walks {
  readonly #kept = new Map<number, Kept>();
  readonly #most: number;

  constructor(most: number) {
    this.#most = most;
  }

  get({ id, ratedWatts, workAreaId }: Walker): Walk | undefined {
    const kept = this.#kept.get(id);
    return kept?.ratedWatts === ratedWatts && kept.workAreaId === workAreaId ? kept : undefined;
  }

  keep({ id, ratedWatts, workAreaId }: Walker, walk: Walk | undefined): void {
    if (!walk) return void this.#kept.delete(id);
    this.#kept.set(id, { to: walk.to, states: walk.states, ratedWatts, workAreaId });
    if (this.#kept.size > this.#most)
      for (const oldest of this.#kept.keys()) {
        this.#kept.delete(oldest);
        break;
      }
  }

  clear(): void {
    this.#kept.clear();
  }
}
