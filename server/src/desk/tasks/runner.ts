import type { Readable } from 'node:stream';
import pg from 'pg';
import type { Bus } from '../../platform/bus/index.ts';
import type { Clock, Stop } from '../../platform/clock.ts';
import type { Db } from '../../platform/db/index.ts';
import { removeUnkept, type Files } from '../../platform/files/index.ts';
import { Refusal } from '../../platform/http/index.ts';
import type { Log } from '../../platform/log.ts';
import type { TaskKinds } from './kind.ts';
import * as store from './tasks.store.ts';

export interface RunnerParts {
  readonly db: Db;
  /** For the connection that holds the lock of the task in work. */
  readonly connection: pg.ClientConfig;
  readonly bus: Bus;
  readonly clock: Clock;
  readonly files: Files;
  readonly log: Log;
  readonly kinds: TaskKinds;
}

const lookEveryMs = 5000;
const progressEveryMs = 1000;
const cleanEveryMs = 3_600_000;

/**
 * Runs what waits, one task at a time in this process. A task is run by whoever holds its lock; what runs according to
 * its row and has no holder was interrupted, by a kill too, and is marked so. Returns how to stop: the task in work is
 * interrupted then.
 */
export function startTaskRunner(parts: RunnerParts): () => Promise<void> {
  const { db, bus, clock, files, log } = parts;
  let stopped = false;
  let current: { readonly id: number; readonly abort: AbortController } | undefined;
  let work: Promise<void> | undefined;
  let again = false;

  async function sweep(): Promise<void> {
    for (const { id, accountId } of await store.failAbandoned(db, clock.now()))
      bus.publish('tasks.changed', { accountId, taskId: id });
  }

  async function runAll(): Promise<void> {
    await sweep();
    for (let id = await store.nextQueued(db); id !== undefined && !stopped; id = await store.nextQueued(db)) {
      const abort = new AbortController();
      current = { id, abort };
      if (!(await runLocked(parts, id, abort))) return;
      current = undefined;
    }
  }

  function wake(): void {
    // What was begun while the last look was under way may have been missed by it.
    again = work !== undefined;
    if (stopped || work) return;
    work = runAll()
      .catch((thrown: unknown) => log.error({ err: thrown, taskId: current?.id }, 'a task could not be run'))
      .finally(() => {
        work = undefined;
        current = undefined;
        if (again) wake();
      });
  }

  async function clean(): Promise<void> {
    await removeUnkept(parts, await store.deleteEndedBefore(db, new Date(clock.now().getTime() - store.keptMs)));
    await files.sweep(clock.now());
  }

  /** Somebody cancelled what is in work. */
  async function look(taskId: number): Promise<void> {
    const mine = current;
    if (mine?.id === taskId && !(await store.isRunning(db, taskId))) mine.abort.abort();
  }

  const stops: Stop[] = [
    bus.subscribe('tasks.changed', ({ taskId }) => {
      if (current === undefined) wake();
      else
        void look(taskId).catch((thrown: unknown) =>
          log.warn({ err: thrown, taskId }, 'a task could not be looked at'),
        );
    }),
    clock.every(lookEveryMs, () => wake()),
    clock.every(cleanEveryMs, clean),
  ];
  wake();
  return async () => {
    stopped = true;
    stops.forEach((stop) => stop());
    current?.abort.abort();
    await work;
  };
}

/** Runs one task under its lock; false when another process has it. */
async function runLocked(parts: RunnerParts, id: number, abort: AbortController): Promise<boolean> {
  const client = new pg.Client({ ...parts.connection, application_name: 'lampyris task' });
  // The lock is gone with its connection, and with it the right to go on.
  client.on('error', () => abort.abort());
  await client.connect();
  try {
    const { rows } = await client.query<{ taken: boolean }>(store.holdTask, [id]);
    if (rows[0]?.taken !== true) return false;
    const task = await store.beginTask(parts.db, id, parts.clock.now());
    if (task) await run(parts, task, abort);
    return true;
  } finally {
    await client.end().catch(() => undefined);
  }
}

async function run(parts: RunnerParts, task: store.StoredTask, abort: AbortController): Promise<void> {
  const { db, bus, clock, files, log, kinds } = parts;
  const tell = () => bus.publish('tasks.changed', { accountId: task.accountId, taskId: task.id });
  let done = 0;
  const stopProgress = clock.every(progressEveryMs, async () => {
    if (await store.noteProgress(db, task.id, done)) tell();
    else abort.abort();
  });
  tell();
  try {
    const made = await kinds[task.kind].run(
      task.params,
      task,
      (rows) => {
        done = rows;
      },
      abort.signal,
    );
    const kept = made && (await files.receive(until(abort.signal, made.content)));
    const isEnded = await store.endTask(db, task.id, {
      done,
      at: clock.now(),
      ...(kept ? { file: { key: kept.name, name: made.name, bytes: kept.bytes } } : {}),
    });
    if (!isEnded && kept) await removeUnkept(parts, [kept.name]);
  } catch (thrown) {
    if (!abort.signal.aborted && !(thrown instanceof Refusal))
      log.error({ err: thrown, taskId: task.id, kind: task.kind }, 'a task failed');
    await store.endTask(db, task.id, { done, at: clock.now(), error: errorOf(thrown, abort.signal.aborted) });
  } finally {
    stopProgress();
    tell();
  }
}

/** What a stream gives until somebody stops it; then at once an error, whatever the stream is waiting for. */
async function* until(signal: AbortSignal, source: Readable): AsyncGenerator<Uint8Array> {
  const stopped = Promise.withResolvers<never>();
  stopped.promise.catch(() => undefined);
  const stop = () => stopped.reject(new Error('the task was stopped'));
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop();
  // Nobody listens any more when it is destroyed.
  source.on('error', () => undefined);
  const chunks = source.iterator() as AsyncIterator<Uint8Array>;
  try {
    for (
      let next = await Promise.race([chunks.next(), stopped.promise]);
      next.done !== true;
      next = await Promise.race([chunks.next(), stopped.promise])
    )
      yield next.value;
  } finally {
    signal.removeEventListener('abort', stop);
    source.destroy();
  }
}

function errorOf(thrown: unknown, isStopped: boolean): NonNullable<store.Ending['error']> {
  if (isStopped) return { name: 'taskInterrupted', values: {} };
  if (!(thrown instanceof Refusal)) return { name: 'internal', values: {} };
  return {
    name: thrown.code,
    values: Object.fromEntries(Object.entries(thrown.values).filter(([, value]) => typeof value !== 'function')),
  };
}
