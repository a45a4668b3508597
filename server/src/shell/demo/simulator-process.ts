import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Clock } from '../../platform/clock.ts';
import { checkoutFolder } from '../../platform/db/index.ts';
import type { Log } from '../../platform/log.ts';

export interface SimulatorParts {
  readonly handoverFile: string;
  readonly lamps: number;
  readonly log: Log;
  readonly clock: Clock;
}

export interface RunningSimulator {
  /** null while it is between two lives. */
  readonly pid: () => number | null;
  stop(): Promise<void>;
}

const longestPauseMs = 60_000;
/** A life of this length makes the next pause short again, ms. */
const soundLifeMs = 60_000;
const graceMs = 5000;

/**
 * Runs the simulator beside the server, starts it again when it dies, and ends with it. It ends by itself when the
 * server is killed.
 */
export function startSimulator(parts: SimulatorParts): RunningSimulator {
  const { log, clock } = parts;
  let child: ChildProcess | undefined;
  let stopping = false;
  let pauseMs = 1000;
  let callOff = (): void => undefined;

  const start = (): void => {
    const began = clock.now().getTime();
    const running = launch(parts);
    child = running;
    running.once('error', (thrown) => log.error({ err: thrown }, 'the simulator cannot be started'));
    running.once('exit', (code, signal) => {
      if (child === running) child = undefined;
      if (stopping) return;
      pauseMs = clock.now().getTime() - began > soundLifeMs ? 1000 : Math.min(longestPauseMs, pauseMs * 2);
      log.warn({ code, signal, againInSeconds: pauseMs / 1000 }, 'the simulator ended');
      callOff = clock.after(pauseMs, start);
    });
  };
  start();
  return {
    pid: () => child?.pid ?? null,
    async stop() {
      stopping = true;
      callOff();
      const running = child;
      if (!running || running.exitCode !== null) return;
      // Not 'close': it does not come when the channel was closed from this side.
      const ended = once(running, 'exit');
      // The whole demonstration ends: its devices say good-bye instead of being lost, all of them, in the night's
      // events.
      if (running.connected) running.disconnect();
      else running.kill('SIGTERM');
      const timer = setTimeout(() => running.kill('SIGKILL'), graceMs);
      await ended;
      clearTimeout(timer);
    },
  };
}

function launch({ handoverFile, lamps, log }: SimulatorParts): ChildProcess {
  // A small heap: thousands of lamps leave much rubbish and keep little.
  const megabytes = 120 + Math.ceil(lamps / 150);
  const flags = [`--max-old-space-size=${megabytes}`, '--max-semi-space-size=2'];
  const { PATH = '', TZ } = process.env;
  const child = spawn(process.execPath, [...flags, join(checkoutFolder, 'simulator/main.ts'), handoverFile], {
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    env: { PATH, ...(TZ === undefined ? {} : { TZ }) },
  });
  if (child.stdout)
    createInterface({ input: child.stdout }).on('line', (line) => log.info(fieldsOf(line), 'simulator'));
  if (child.stderr)
    createInterface({ input: child.stderr }).on('line', (line) => log.warn({ line: line.slice(0, 500) }, 'simulator'));
  return child;
}

function fieldsOf(line: string): Record<string, unknown> {
  try {
    const json: unknown = JSON.parse(line);
    if (typeof json === 'object' && json !== null) return { said: json };
  } catch {
    // Not one of its own lines.
  }
  return { said: line.slice(0, 500) };
}
