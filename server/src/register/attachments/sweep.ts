import type { Clock, Stop } from '../../platform/clock.ts';
import type { Db } from '../../platform/db/index.ts';
import { sweepUnkept, type Files } from '../../platform/files/index.ts';
import type { Log } from '../../platform/log.ts';

const sixHoursMs = 6 * 3_600_000;

/** Four times a day: takes away the files that no row has, whichever feature left them. Returns how to stop. */
export function startFileSweep({
  db,
  clock,
  files,
  log,
}: {
  readonly db: Db;
  readonly clock: Clock;
  readonly files: Files;
  readonly log: Log;
}): Stop {
  return clock.every(sixHoursMs, async () => {
    const removed = await sweepUnkept({ db, files }, clock.now());
    if (removed > 0) log.info({ removed }, 'files that no row had were taken away');
  });
}
