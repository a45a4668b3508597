/** Stops a timer, a subscription or a part; calling it twice does no harm. */
export type Stop = () => void;

export interface Clock {
  now(): Date;
  /** Calls `run` every `milliseconds` until stopped; a run that is still going on is not started a second time. */
  every(milliseconds: number, run: () => void | Promise<void>): Stop;
  /** Calls `run` once after `milliseconds`, unless stopped before. */
  after(milliseconds: number, run: () => void | Promise<void>): Stop;
}

/**
 * The machine's clock. What a timer throws goes to `onError` and never ends the process. Timers do not keep the process
 * alive.
 */
export function systemClock(onError: (thrown: unknown) => void): Clock {
  return {
    now: () => new Date(),
    every(milliseconds, run) {
      let running = false;
      const tick = async () => {
        if (running) return;
        running = true;
        try {
          await run();
        } catch (thrown) {
          onError(thrown);
        } finally {
          running = false;
        }
      };
      const timer = setInterval(() => void tick(), milliseconds);
      timer.unref();
      return () => clearInterval(timer);
    },
    after(milliseconds, run) {
      const timer = setTimeout(() => {
        Promise.resolve().then(run).catch(onError);
      }, milliseconds);
      timer.unref();
      return () => clearTimeout(timer);
    },
  };
}
