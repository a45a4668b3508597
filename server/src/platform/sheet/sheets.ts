import { Readable } from 'node:stream';
import { Worker } from 'node:worker_threads';
import type pg from 'pg';
import { errors, type ErrorName } from '../../../../contract/errors.ts';
import type { Clock } from '../clock.ts';
import { forThread } from '../db/index.ts';
import { refuse } from '../http/refuse.ts';
import type { Log } from '../log.ts';
import type { SheetFormat, SheetKind, SheetMessage, SheetOrder } from './kind.ts';

export interface SheetsParts {
  /** For the worker's own connection. */
  readonly connection: pg.ClientConfig;
  readonly clock: Clock;
  readonly log: Log;
}

export interface Sheets {
  /**
   * The sheet (default: a workbook) as a stream of bytes, read from the database and written by a thread of its own, no
   * faster than the reader takes it; `written` gets the number of rows written. The stream ends with a refusal of the
   * rows as such; with `exportStopped` if the thread dies or the reader takes nothing for two minutes. Destroying the
   * stream ends thread and query.
   */
  stream<P>(kind: SheetKind<P>, params: P, written?: (rows: number) => void, format?: SheetFormat): Readable;
  /** Ends what is under way; nothing is begun any more. */
  stop(): Promise<void>;
}

/**
 * Interval of the checks (ms). A reader that took nothing between two checks, although there was something, is dropped.
 */
const lookEveryMs = 60_000;
const bufferedBytes = 256 * 1024;
/** What a thread may hold: rows wait in batches, bytes in pieces, whatever their number. */
const resourceLimits = { maxOldGenerationSizeMb: 80, maxYoungGenerationSizeMb: 6 };

/** Writes sheets away from the thread that answers requests (decision record 17). */
export function createSheets(parts: SheetsParts): Sheets {
  const open = new Map<Readable, Promise<void>>();
  let stopped = false;
  return {
    stream(kind, params, written = () => undefined, format = 'xlsx') {
      if (stopped) throw refuse('notReady');
      const { stream, ended } = startWorker(
        parts,
        { kind: { module: kind.module, name: kind.name }, format, params, connection: forThread(parts.connection) },
        written,
      );
      open.set(stream, ended);
      void ended.then(() => open.delete(stream));
      return stream;
    },
    async stop() {
      stopped = true;
      const all = [...open];
      for (const [stream] of all) stream.destroy(refuse('notReady'));
      await Promise.all(all.map(([, ended]) => ended));
    },
  };
}

/** One thread and the stream that it fills; `ended` when the thread is gone. */
function startWorker(
  { clock, log }: SheetsParts,
  order: SheetOrder,
  written: (rows: number) => void,
): { stream: Readable; ended: Promise<void> } {
  const worker = new Worker(new URL('./sheet-worker.ts', import.meta.url), {
    workerData: order,
    resourceLimits,
    execArgv: [],
    name: 'sheet',
  });
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  const more = () => worker.postMessage('more', []);
  let owed = 0;
  let out = 0;
  let hasEnded = false;
  let pushed = 0;
  let takenBefore = -1;
  const stream = new Readable({
    highWaterMark: bufferedBytes,
    read() {
      for (; owed > 0; owed -= 1) more();
    },
    destroy(error, done) {
      stopLooking();
      void worker.terminate().then(() => done(error));
    },
  });
  /** Why stands in the log alone. */
  const giveUp = (reason: unknown) => {
    if (stream.destroyed) return;
    log.error({ err: reason, sheet: order.kind }, 'a sheet could not be written to its end');
    stream.destroy(refuse('exportStopped'));
  };
  const stopLooking = clock.every(lookEveryMs, () => {
    const taken = pushed - stream.readableLength;
    if (stream.readableLength > 0 && taken === takenBefore) giveUp(new Error('nobody takes what was written'));
    takenBefore = taken;
  });
  worker.on('message', (message: SheetMessage) => {
    if (stream.destroyed) return;
    if (message.type === 'failed') return void stream.destroy(errorOf(message));
    if (message.rows > out) written(message.rows);
    out = message.rows;
    if (message.type === 'end') {
      hasEnded = true;
      stream.push(null);
      return;
    }
    pushed += message.bytes.length;
    if (stream.push(message.bytes)) more();
    else owed += 1;
  });
  worker.on('error', giveUp);
  worker.on('exit', (code) => {
    if (!hasEnded) giveUp(new Error(`the thread of a sheet ended with ${code}`));
    end();
  });
  return { stream, ended };
}

function errorOf({ refusal, reason }: Extract<SheetMessage, { type: 'failed' }>): Error {
  return refusal && isError(refusal.code)
    ? refuse(refusal.code, refusal.values)
    : new Error('the rows of a sheet could not be read', { cause: reason });
}

const isError = (name: string): name is ErrorName => Object.hasOwn(errors, name);
