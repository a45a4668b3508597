import { Worker } from 'node:worker_threads';
import type { YearMonth } from '../../../../catalogue/lighting/plan/difference.ts';
import { handOver, type Order, type Question } from './order.ts';
import type { KeptFinding } from './simulations.types.ts';

/** A difference is computed in a thread of its own: a city takes seconds. */

export interface ThreadResult {
  readonly lamps: number;
  readonly months: readonly YearMonth[];
  /** Half percents, 144 a day; 255: the wall clock does not show the time. */
  readonly levels: Readonly<Record<'a' | 'b', Uint8Array>>;
  /** The gravest first. */
  readonly findings: readonly KeptFinding[];
}
/** `done`: the share of the work, up to 1. */
export type ThreadAnswer =
  | { readonly done: number; readonly result?: never; readonly lamps?: never }
  | { readonly result: ThreadResult; readonly done?: never; readonly lamps?: never }
  | { readonly lamps: Uint8Array; readonly done?: never; readonly result?: never };

interface ThreadUse {
  readonly progress: (done: number) => void;
  readonly signal: AbortSignal;
  /**
   * The lamps of a finding stay in the thread until they are asked for: all of them at once may be more than a city.
   * They come as the database takes them: writing a million ids so would hold the event loop.
   */
  readonly keep: (result: ThreadResult, lampsOf: (place: number) => Promise<Uint8Array>) => Promise<void>;
}

export async function differInThread(order: Order, { progress, signal, keep }: ThreadUse): Promise<void> {
  signal.throwIfAborted();
  const worker = new Worker(new URL('simulation-thread.ts', import.meta.url), {
    execArgv: [],
    name: 'simulation',
    resourceLimits: { maxOldGenerationSizeMb: 1024 },
  });
  const failed = Promise.withResolvers<never>();
  const result = Promise.withResolvers<ThreadResult>();
  let asked = Promise.withResolvers<Uint8Array>();
  const abort = () => failed.reject(new Error('the simulation was stopped'));
  signal.addEventListener('abort', abort, { once: true });
  worker.on('message', (answer: ThreadAnswer) => {
    if (answer.result) result.resolve(answer.result);
    else if (answer.lamps) asked.resolve(answer.lamps);
    else progress(answer.done);
  });
  worker.once('error', failed.reject);
  worker.once('exit', () => failed.reject(new Error('the thread of a simulation ended')));
  const ask = (question: Question, transfer: readonly ArrayBuffer[] = []) =>
    worker.postMessage(question, [...transfer]);
  try {
    const [found] = await Promise.race([
      failed.promise,
      Promise.all([result.promise, handOver({ postMessage: ask }, order)]),
    ]);
    await keep(found, (lampsOf) => {
      asked = Promise.withResolvers();
      ask({ lampsOf });
      return Promise.race([failed.promise, asked.promise]);
    });
  } finally {
    signal.removeEventListener('abort', abort);
    await worker.terminate();
  }
}
