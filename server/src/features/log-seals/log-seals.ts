import type { Clock, Stop } from '../../platform/clock.ts';
import type { Db } from '../../platform/db/index.ts';
import type { Log } from '../../platform/log.ts';
import { pruneLogs } from './retention.ts';
import { sealAll } from './sealer.ts';

/** Every row is sealed within 10 s (decisions 6): a round comes twice in that time. */
const sealEveryMs = 4000;
const pruneEveryMs = 3_600_000;

/** Seals the logs as they grow, says each new head in the structured log, and takes away what is older than the retention. */
export function startLogSeals({ db, clock, log }: { readonly db: Db; readonly clock: Clock; readonly log: Log }): Stop {
  const stops = [
    clock.every(sealEveryMs, async () => {
      for (const sealed of await sealAll(db)) log.info(sealed, 'log sealed');
    }),
    clock.every(pruneEveryMs, async () => {
      const gone = await pruneLogs(db, clock.now());
      if (Object.values(gone).some((count) => count > 0)) log.info(gone, 'old log rows taken away');
    }),
  ];
  return () => stops.forEach((stop) => stop());
}
