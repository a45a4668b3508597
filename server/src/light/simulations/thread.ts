import { Worker } from 'node:worker_threads';
import type { YearMonth } from '../../../../catalogue/lighting/plan/difference.ts';
import type { YearInput } from '../../../../catalogue/lighting/plan/year-input.ts';
import type { KeptFinding } from './simulations.types.ts';

/** A difference is computed in a thread of its own: a city takes seconds. */

export interface ThreadOrder {
  readonly input: YearInput;
  readonly ids: Float64Array;
  readonly classOf: Uint32Array;
}
export interface ThreadResult {
  readonly lamps: number;
  readonly months: readonly YearMonth[];
  /** Half percents, 144 a day; 255: the wall clock does not show the time. */
  readonly levels: Readonly<Record<'a' | 'b', Uint8Array>>;
  readonly findings: readonly { readonly finding: KeptFinding; readonly lamps: readonly number[] }[];
}
export type ThreadMessage =
  | { readonly done: number; readonly result?: never }
  | { readonly result: ThreadResult; readonly done?: never };

/** `done`: the share of the work, up to 1. */
export async function differInThread(
  order: ThreadOrder,
  progress: (done: number) => void,
  signal: AbortSignal,
): Promise<ThreadResult> {
  signal.throwIfAborted();
  const worker = new Worker(new URL('simulation-thread.ts', import.meta.url), {
    workerData: order,
    execArgv: [],
    name: 'simulation',
    resourceLimits: { maxOldGenerationSizeMb: 1024 },
  });
  const stop = Promise.withResolvers<never>();
  const abort = () => stop.reject(new Error('the simulation was stopped'));
  signal.addEventListener('abort', abort, { once: true });
  try {
    return await Promise.race([
      stop.promise,
      new Promise<ThreadResult>((resolve, reject) => {
        worker.on('message', ({ done, result }: ThreadMessage) => (result ? resolve(result) : progress(done)));
        worker.once('error', reject);
        worker.once('exit', () => reject(new Error('the thread of a simulation ended')));
      }),
    ]);
  } finally {
    signal.removeEventListener('abort', abort);
    await worker.terminate();
  }
}
