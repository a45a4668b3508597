import type { Clock } from '../../platform/clock.ts';
import type { Db } from '../../platform/db/index.ts';
import type { Log } from '../../platform/log.ts';
import { fillWords } from './search.store.ts';

const batch = 500;
const hour = 3_600_000;

/** Gives words to every row that has none yet, a batch at a time, until all have them or `gone` says so. */
export async function fillSearchWords(db: Db, gone: () => boolean = () => false): Promise<void> {
  for (const table of ['road', 'device'] as const) {
    for (let after: number | null = 0; after !== null && !gone();) after = await fillWords(db, table, after, batch);
  }
}

/**
 * At the start and every hour: rows of before the search, and of whoever wrote past the program. Returns the stop
 * function.
 */
export function startFillingSearchWords({
  db,
  clock,
  log,
}: {
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Log;
}): () => Promise<void> {
  let stopped = false;
  let running: Promise<void> | undefined;
  const run = (): void => {
    running ??= fillSearchWords(db, () => stopped)
      .catch((thrown: unknown) => log.error({ err: thrown }, 'search words were not filled'))
      .finally(() => {
        running = undefined;
      });
  };
  run();
  const stopTimer = clock.every(hour, run);
  return async () => {
    stopped = true;
    stopTimer();
    await running;
  };
}
