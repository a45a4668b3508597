import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type pg from 'pg';
import { forThread } from '../../platform/db/index.ts';
import type { DeviceScope } from '../../register/devices/index.ts';
import type { AskedSimulation } from './simulations.types.ts';

/** A simulation is done in a thread of its own, from the first lamp that is read to its result: a city takes seconds. */
export interface ThreadOrder {
  readonly simulationId: number;
  readonly asked: AskedSimulation;
  readonly caller: DeviceScope;
  /** So many are to be read. */
  readonly lamps: number;
  /** Its result bears this time. */
  readonly at: Date;
  readonly connection: pg.ClientConfig;
}
/** Shares of the work, up to 1. */
export interface ThreadAnswer {
  readonly done: number;
}

interface ThreadUse {
  readonly progress: (done: number) => void;
  readonly signal: AbortSignal;
}

/** Returns when the result is stored. */
export async function simulateInThread(order: ThreadOrder, { progress, signal }: ThreadUse): Promise<void> {
  signal.throwIfAborted();
  const worker = new Worker(new URL('simulation-thread.ts', import.meta.url), {
    workerData: { ...order, connection: forThread(order.connection) },
    execArgv: [],
    name: 'simulation',
    resourceLimits: { maxOldGenerationSizeMb: 1024 },
  });
  worker.on('message', ({ done }: ThreadAnswer) => progress(done));
  // An error may follow the signal, when nobody awaits the end any more; before it, the wait below rejects as well.
  worker.on('error', () => undefined);
  try {
    const [code] = (await once(worker, 'exit', { signal })) as [number];
    if (code !== 0) throw new Error(`the thread of a simulation ended with ${code}`);
  } finally {
    await worker.terminate();
  }
}
