import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { isAlive } from '../platform/db/cluster.ts';

/** A child process of a test: its lines as they come, and how it ended. */
export interface Child {
  readonly process: ChildProcess;
  /**
   * Waits for the first line (of either output) that matches, past ones included; throws with everything said when it
   * ends before.
   */
  line(pattern: RegExp): Promise<string>;
  /** Exit code, or the signal's name. */
  readonly ended: Promise<number | NodeJS.Signals>;
  /** Everything said so far. */
  said(): string;
}

export interface ChildOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** Closed unless told. */
  readonly stdin?: 'pipe';
}

/** Runs `program` with a small environment plus `env`. */
export function startChild(
  program: string,
  args: readonly string[],
  { env = {}, cwd = process.cwd(), stdin }: ChildOptions = {},
): Child {
  const { PATH = '', HOME = '/', NODE_COMPILE_CACHE = '' } = process.env;
  const child = spawn(program, args, { cwd, env: { PATH, HOME, NODE_COMPILE_CACHE, ...env }, stdio: 'pipe' });
  if (stdin === undefined) child.stdin.end();
  const lines: string[] = [];
  const waiting = new Set<() => void>();
  const wake = () => waiting.forEach((check) => check());
  for (const stream of [child.stdout, child.stderr]) {
    createInterface({ input: stream }).on('line', (text) => {
      lines.push(text);
      wake();
    });
  }
  let over = false;
  const ended = once(child, 'close').then(([code, signal]: (number | NodeJS.Signals | null)[]) => {
    over = true;
    wake();
    return (signal ?? code ?? 1) as number | NodeJS.Signals;
  });
  return {
    process: child,
    ended,
    said: () => lines.join('\n'),
    line: (pattern) =>
      new Promise((resolve, reject) => {
        const check = () => {
          const found = lines.find((text) => pattern.test(text));
          if (found === undefined && !over) return;
          waiting.delete(check);
          if (found === undefined) reject(new Error(`ended without a line matching ${pattern}:\n${lines.join('\n')}`));
          else resolve(found);
        };
        waiting.add(check);
        check();
      }),
  };
}

/** Runs one of our TypeScript files in a process of its own. */
export function startScript(file: string, args: readonly string[] = [], options: ChildOptions = {}): Child {
  return startChild(process.execPath, [file, ...args], options);
}

/** Whether a process goes on: not one that ended and was not asked for its outcome yet. */
export function isRunning(pid: number): boolean {
  try {
    return isAlive(pid) && !/^State:\tZ/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}
