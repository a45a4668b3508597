import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from './log.ts';

/** Stops one part. `leftMs`: milliseconds until the process ends, whatever is still under way. */
export type StopPart = (leftMs: number) => void | Promise<void>;

/**
 * How long a stop may take, milliseconds. `parts`: from then on no part is waited for but the last one; `all`: then the
 * process ends.
 */
export interface StopPatience {
  readonly parts: number;
  readonly all: number;
}

/** Parts that run, stopped in the reverse order of their start. */
export interface Running {
  /** Notes how to stop a part that was just started; once the stop has begun it is stopped at once. */
  add(name: string, stop: StopPart): void;
  /** Stops everything once; a part that fails to stop, or is late, is logged and never keeps the others running. */
  stop(patience?: StopPatience): Promise<void>;
}

/** What a part still gets when time is up: enough to close what it holds. */
const momentMs = 20;

/** `last`: the name of the part that is always waited for. */
export function createRunning(log: Log, last = ''): Running {
  const parts: { name: string; stop: StopPart }[] = [];
  const timeIsUp = Promise.withResolvers<false>();
  let isLate = false;
  let endsAt = Number.POSITIVE_INFINITY;
  let stopped: Promise<void> | undefined;

  async function stopOne({ name, stop }: (typeof parts)[number]): Promise<void> {
    const stopping = (async () => stop(endsAt - performance.now()))().catch((thrown: unknown) =>
      log.error({ err: thrown, part: name }, 'a part did not stop cleanly'),
    );
    if (name === last) return stopping;
    const inTime = await Promise.race([stopping.then(() => true), isLate ? sleep(momentMs, false) : timeIsUp.promise]);
    if (!inTime) log.warn({ part: name }, 'a part did not stop in time');
  }

  async function stopAll(): Promise<void> {
    for (let part = parts.pop(); part; part = parts.pop()) await stopOne(part);
  }

  function limit({ parts: most, all }: StopPatience): void {
    endsAt = performance.now() + all;
    setTimeout(() => {
      isLate = true;
      timeIsUp.resolve(false);
    }, most).unref();
  }

  return {
    add(name, stop) {
      if (stopped) stopped = Promise.all([stopped, stopOne({ name, stop })]).then(() => undefined);
      else parts.push({ name, stop });
    },
    stop(patience) {
      if (patience && !stopped) limit(patience);
      return (stopped ??= stopAll());
    },
  };
}
