/**
 * Lets so many tasks run at a time, in order: a backlog of a whole city goes out behind what is live, not in front of
 * it.
 */
export interface Window {
  run(task: () => Promise<void>): Promise<void>;
  /** Resolves when nothing is running or waiting. */
  idle(): Promise<void>;
}

export function createWindow(width: number): Window {
  const waiting: (() => void)[] = [];
  const resting: (() => void)[] = [];
  let running = 0;
  return {
    async run(task) {
      if (running >= width) await new Promise<void>((resolve) => waiting.push(resolve));
      else running++;
      try {
        await task();
      } finally {
        const next = waiting.shift();
        // The place is handed on, so that nobody who comes later overtakes.
        if (next) next();
        else if (--running === 0) for (const rest of resting.splice(0)) rest();
      }
    },
    idle: () => (running === 0 ? Promise.resolve() : new Promise((resolve) => resting.push(resolve))),
  };
}
