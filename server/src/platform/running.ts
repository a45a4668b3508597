import type { Log } from './log.ts';

/** Parts that run, stopped in the reverse order of their start. */
export interface Running {
  /** Notes how to stop a part that was just started. */
  add(name: string, stop: () => void | Promise<void>): void;
  /** Stops everything once; a part that fails to stop is logged and never keeps the others running. */
  stop(): Promise<void>;
}

export function createRunning(log: Log): Running {
  const parts: { name: string; stop: () => void | Promise<void> }[] = [];
  let stopped: Promise<void> | undefined;
  const stopAll = async () => {
    for (let part = parts.pop(); part; part = parts.pop()) {
      try {
        await part.stop();
      } catch (thrown) {
        log.error({ err: thrown, part: part.name }, 'a part did not stop cleanly');
      }
    }
  };
  return {
    add: (name, stop) => void parts.push({ name, stop }),
    stop: () => (stopped ??= stopAll()),
  };
}
