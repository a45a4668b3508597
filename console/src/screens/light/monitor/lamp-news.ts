import type { LampDelta } from '../../../../../contract/live.ts';
import { lampStates } from '../../../../../contract/light/lamps.ts';
import type { Lamp } from '../../../parts/lamp/lamp.ts';

/**
 * What the socket said about lamps since their rows were fetched. Rows on the screen take it over without a new
 * request; a row fetched later than the news wins.
 */
export class LampNews {
  private readonly byId = new Map<number, LampDelta>();
  private readonly listeners = new Set<() => void>();
  private timer: ReturnType<typeof setTimeout> | null = null;
  private count = 0;

  take(deltas: readonly LampDelta[]): void {
    for (const delta of deltas) this.byId.set(delta[0], delta);
    // At most two repaints of a table a second, however many lamps report.
    this.timer ??= setTimeout(() => {
      this.timer = null;
      this.count++;
      for (const listener of this.listeners) listener();
    }, 500);
  }

  subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  };

  version = (): number => this.count;

  /** The row with the news in it. */
  over(lamp: Lamp): Lamp {
    const delta = this.byId.get(lamp.id);
    if (!delta) return lamp;
    const [, state, level, fault, online, at, power] = delta;
    if (at !== null && lamp.at !== null && new Date(lamp.at).getTime() > at) return lamp;
    return {
      ...lamp,
      state: lampStates[state] ?? lamp.state,
      level: level < 0 ? null : level,
      fault: fault as Lamp['fault'],
      online,
      at: at === null ? lamp.at : new Date(at).toISOString(),
      power,
    };
  }

  dispose(): void {
    if (this.timer !== null) clearTimeout(this.timer);
    this.listeners.clear();
  }
}
