import type { Clock, Stop } from '../../platform/clock.ts';
import type { Db } from '../../platform/db/index.ts';
import type { Log } from '../../platform/log.ts';
import { pruneLogs } from './retention.ts';
import { sealAll } from './sealer.ts';

/** Every row is sealed within 10 s: a round comes twice in that time. */
const sealEveryMs = 4000;
const pruneEveryMs = 3_600_000;

export interface LogSealsParts {
  readonly db: Db;
  readonly log: Log;
}

/** Seals what is settled and says the new heads in the structured log. */
export async function sealLogs({ db, log }: LogSealsParts, patienceMs?: number): Promise<void> {
  for (const sealed of await sealAll(db, patienceMs)) log.info(sealed, 'log sealed');
}

/**
 * Seals the logs as they grow, says each new head in the structured log, and takes away what is older than the
 * retention.
 */
export function startLogSeals({ db, clock, log }: LogSealsParts & { readonly clock: Clock }): Stop {
  const stops = [
    clock.every(sealEveryMs, () => sealLogs({ db, log })),
    clock.every(pruneEveryMs, async () => {
      const gone = await pruneLogs(db, clock.now());
      if (Object.values(gone).some((count) => count > 0)) log.info(gone, 'old log rows taken away');
    }),
  ];
  return () => stops.forEach((stop) => stop());
}
