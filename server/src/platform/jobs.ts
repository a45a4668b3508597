import type { Clock } from './clock.ts';

/** How one kind of background work is getting on in this process. */
export interface JobState {
  readonly name: string;
  /** Between the beginnings of two runs, milliseconds; of several timers the longest. */
  readonly everyMs: number;
  readonly runs: number;
  readonly failures: number;
  /** Milliseconds since 1970; null: it has not run yet. */
  readonly lastAt: number | null;
  readonly lastMs: number | null;
  readonly nextAt: number;
  /** Why the last run failed; null: it did not. */
  readonly error: string | null;
  /** When the run that is under way began. */
  readonly runningSince: number | null;
}

export interface Jobs {
  /** The clock of one part: what it does by it is written down under this name. */
  named(name: string): Clock;
  states(): JobState[];
}

interface Timer {
  everyMs: number;
  runs: number;
  failures: number;
  lastAt: number | null;
  lastMs: number | null;
  begunAt: number;
  error: string | null;
  runningSince: number | null;
}

/** Writes down when what is done by the clock ran, how long it took and why it failed. */
export function createJobs(clock: Clock): Jobs {
  const timers = new Map<string, Set<Timer>>();
  const now = () => clock.now().getTime();

  async function run(timer: Timer, work: () => void | Promise<void>): Promise<void> {
    const begun = now();
    timer.runningSince = begun;
    timer.begunAt = begun;
    try {
      await work();
      timer.error = null;
    } catch (thrown) {
      timer.failures += 1;
      timer.error = thrown instanceof Error ? thrown.message : String(thrown);
      throw thrown;
    } finally {
      timer.runs += 1;
      timer.lastAt = now();
      timer.lastMs = Math.max(0, timer.lastAt - begun);
      timer.runningSince = null;
    }
  }

  return {
    named: (name) => ({
      now: () => clock.now(),
      after: (milliseconds, work) => clock.after(milliseconds, work),
      every(milliseconds, work) {
        const timer: Timer = {
          everyMs: milliseconds,
          runs: 0,
          failures: 0,
          lastAt: null,
          lastMs: null,
          begunAt: now(),
          error: null,
          runningSince: null,
        };
        const own = timers.get(name) ?? new Set();
        timers.set(name, own.add(timer));
        const stop = clock.every(milliseconds, () => run(timer, work));
        return () => {
          own.delete(timer);
          stop();
        };
      },
    }),
    states: () => [...timers].filter(([, own]) => own.size > 0).map(([name, own]) => stateOf(name, [...own])),
  };
}

function stateOf(name: string, timers: readonly Timer[]): JobState {
  // A part with several timers is as good as its slowest one, and as bad as its last failure.
  const [slowest] = timers.toSorted((a, b) => b.everyMs - a.everyMs);
  const latest = timers
    .filter(({ lastAt }) => lastAt !== null)
    .toSorted((a, b) => (b.lastAt ?? 0) - (a.lastAt ?? 0))[0];
  const running = timers.map(({ runningSince }) => runningSince).filter((since) => since !== null);
  return {
    name,
    everyMs: slowest?.everyMs ?? 0,
    runs: timers.reduce((sum, one) => sum + one.runs, 0),
    failures: timers.reduce((sum, one) => sum + one.failures, 0),
    lastAt: latest?.lastAt ?? null,
    lastMs: latest?.lastMs ?? null,
    nextAt: Math.min(...timers.map((one) => one.begunAt + one.everyMs)),
    error: timers.find(({ error }) => error !== null)?.error ?? null,
    runningSince: running.length > 0 ? Math.min(...running) : null,
  };
}
