import { Budget } from '../platform/budget.ts';

/**
 * What one device, and each child of a controller for itself, may say: so many readings (or messages without any) at
 * once, and so many a second for ever. A lamp reports every quarter of an hour: the burst alone is two hundred days of
 * it, or two weeks of a report each minute; what three days of a report every ten seconds are more comes within ten
 * minutes.
 */
const allowed = { burst: 20_000, perSecond: 10 };
/** A socket rests no longer than this at once, so that its keep-alives are answered. */
const longestRestMs = 10_000;
/** So long somebody who had to rest is told of. */
const toldMs = 300_000;
const sweepAt = 20_000;

/**
 * Slows down who says too much: nothing is refused, it is read later. `now`: milliseconds of a clock that never goes
 * back.
 */
export class Budgets {
  readonly #now: () => number;
  readonly #devices = new Map<string, Budget>();
  readonly #slowed = new Map<number, number>();
  #sweepAt = sweepAt;
  /** How often somebody had to rest. */
  rests = 0;

  constructor(now: () => number) {
    this.#now = now;
  }

  /**
   * Notes what a device said of itself or of a child; returns for how long its speaker should not be read on,
   * milliseconds (0: go on).
   */
  take(deviceId: number, viaId: number | null, cost: number): number {
    const speakerId = viaId ?? deviceId;
    this.#take(`${speakerId}/${deviceId}`, cost);
    const debtMs = this.debtMs(deviceId, viaId);
    if (debtMs > 0) this.rested(speakerId);
    return Math.min(debtMs, longestRestMs);
  }

  /** What was said of somebody who is no child of the speaker counts as the speaker's own. */
  foreign(speakerId: number): void {
    this.#take(`${speakerId}/${speakerId}`, 1);
  }

  /**
   * How long it takes until what a device said of itself, or of a child, is paid, milliseconds; for who cannot be
   * slowed, only be told to come later (`rested` notes that he was).
   */
  debtMs(deviceId: number, viaId: number | null = null): number {
    const speakerId = viaId ?? deviceId;
    return Math.max(
      ...[deviceId, speakerId].map((id) => this.#devices.get(`${speakerId}/${id}`)?.take(0, this.#now()) ?? 0),
    );
  }

  /** Notes that a speaker had to rest. */
  rested(speakerId: number): void {
    this.rests += 1;
    this.#slowed.delete(speakerId);
    this.#slowed.set(speakerId, this.#now());
  }

  /** Who had to rest within the last five minutes, the latest first. */
  slowed(): number[] {
    const now = this.#now();
    for (const [deviceId, last] of this.#slowed) if (now - last > toldMs) this.#slowed.delete(deviceId);
    return [...this.#slowed.keys()].reverse();
  }

  #take(key: string, cost: number): number {
    const now = this.#now();
    let budget = this.#devices.get(key);
    if (!budget) {
      this.#sweep(now);
      budget = new Budget(allowed, now);
      this.#devices.set(key, budget);
    }
    return budget.take(cost, now);
  }

  /** Who has its whole burst again need not be remembered. */
  #sweep(now: number): void {
    if (this.#devices.size < this.#sweepAt) return;
    for (const [key, budget] of this.#devices) if (budget.isFull(now)) this.#devices.delete(key);
    this.#sweepAt = Math.max(sweepAt, this.#devices.size * 2);
  }
}
