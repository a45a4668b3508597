import type { Clock } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import { newcomerAt, speakerAt } from '../wires/link/index.ts';
import type { Outcome } from './outcome.ts';

const sampleEveryMs = 10_000;

/** Told of every refusal; must return at once. */
export type Witness = (reason: string, example: { readonly topic: string; readonly detail?: string }) => void;

/** The latest refusal of a reason that went to the log. */
export interface Example {
  readonly reason: string;
  readonly at: number;
  readonly topic: string;
  readonly detail: string | null;
}

/**
 * Counts what was refused by reason; of each reason one example every 10 s goes to the log, with how many there were.
 */
export class Refusals {
  readonly counts: Record<string, number> = {};
  readonly examples = new Map<string, Example>();
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #told: Witness | undefined;
  readonly #sampled = new Map<string, { at: number; count: number }>();

  constructor(clock: Clock, log: Log, told?: Witness) {
    this.#clock = clock;
    this.#log = log;
    this.#told = told;
  }

  /**
   * `whose`: who waits to be told of it, and of which reading of the message it is said. `mistake`: what this program
   * stumbled over; it is an error then.
   */
  add(
    reason: string,
    example: { readonly topic: string; readonly detail?: string; readonly mistake?: unknown },
    whose?: { readonly reading: number | null; readonly outcome: Outcome | null },
  ): void {
    const count = (this.counts[reason] ?? 0) + 1;
    this.counts[reason] = count;
    this.#told?.(reason, example);
    whose?.outcome?.problems.push({ reading: whose.reading, reason, detail: example.detail ?? null });
    const now = this.#clock.now().getTime();
    const last = this.#sampled.get(reason);
    if (last && now - last.at < sampleEveryMs) return;
    this.#log[example.mistake === undefined ? 'warn' : 'error'](
      {
        reason,
        count: count - (last?.count ?? 0),
        ...speakerOf(example.topic),
        topic: example.topic.slice(0, 120),
        detail: example.detail,
        err: example.mistake,
      },
      'messages of devices were refused',
    );
    this.#sampled.set(reason, { at: now, count });
    this.examples.set(reason, {
      reason,
      at: now,
      topic: example.topic.slice(0, 120),
      detail: example.detail?.slice(0, 200) ?? null,
    });
  }
}

/** Whose example it is, by its topic. */
function speakerOf(topic: string): { deviceId?: number; viaId?: number; batchId?: number; serial?: string } {
  const device = speakerAt(topic);
  if (device) return { deviceId: device.deviceId, ...(device.viaId === null ? {} : { viaId: device.viaId }) };
  const newcomer = newcomerAt(topic);
  return newcomer ? { batchId: newcomer.batchId, serial: newcomer.serial } : {};
}
