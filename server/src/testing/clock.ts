import type { Clock, Stop } from '../platform/clock.ts';

export interface TestClock extends Clock {
  /** Moves the clock forward and runs, one after the other, what falls due on the way. */
  advance(milliseconds: number): Promise<void>;
  set(to: Date): void;
}

interface Timer {
  due: number;
  readonly everyMs: number | undefined;
  readonly run: () => void | Promise<void>;
}

/** A clock that stands still until a test moves it. */
export function testClock(start: Date = new Date()): TestClock {
  let now = start.getTime();
  const timers = new Set<Timer>();
  const add = (timer: Timer): Stop => {
    timers.add(timer);
    return () => void timers.delete(timer);
  };
  return {
    now: () => new Date(now),
    every: (milliseconds, run) => add({ due: now + milliseconds, everyMs: milliseconds, run }),
    after: (milliseconds, run) => add({ due: now + milliseconds, everyMs: undefined, run }),
    set: (to) => void (now = to.getTime()),
    async advance(milliseconds) {
      const end = now + milliseconds;
      for (;;) {
        const [next] = [...timers].filter(({ due }) => due <= end).sort((a, b) => a.due - b.due);
        if (!next) break;
        now = Math.max(now, next.due);
        if (next.everyMs === undefined) timers.delete(next);
        else next.due += next.everyMs;
        await next.run();
      }
      now = end;
    },
  };
}
