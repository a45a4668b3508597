import type { Config } from './config.ts';
import { startBus } from './platform/bus/index.ts';
import { systemClock } from './platform/clock.ts';
import { openDatabase } from './platform/db/index.ts';
import { openFiles } from './platform/files/index.ts';
import { createRateWindows } from './platform/http/index.ts';
import { hasSecrets, openKeys } from './platform/keys/index.ts';
import { createLeases, processName } from './platform/leases/index.ts';
import type { Log } from './platform/log.ts';
import type { Running } from './platform/running.ts';
import { createSheets } from './platform/sheet/index.ts';
import { claimBroker } from './start-broker.ts';
import { createWatch } from './start-watching.ts';

export interface Surroundings {
  readonly config: Config;
  readonly log: Log;
  readonly running: Running;
  /** Aborted when the process is told to stop while it starts. */
  readonly signal: AbortSignal;
}
export type Floor = Awaited<ReturnType<typeof startFloor>>;

/** Technology that knows no lamps: what every wing stands on. */
export async function startFloor(surroundings: Surroundings) {
  const { config, log, running, signal } = surroundings;
  const clock = systemClock((thrown) => log.error({ err: thrown }, 'a timer failed'));
  const watch = createWatch(clock, running);
  const database = await openDatabase({
    databaseUrl: config.databaseUrl,
    dataDir: config.dataDir,
    baseDir: config.baseDir,
    log,
    signal,
  });
  running.add('database', (leftMs) => database.stop(leftMs));
  running.add('broker claim', await claimBroker({ config, log, database }));
  const keys = openKeys(config.secretKeyFile, { isFirstStart: !(await hasSecrets(database.db)) });
  const files = openFiles(config.filesFolder);
  const bus = await startBus(database.connection, log);
  running.add('bus', () => bus.stop());
  const leases = createLeases({
    connection: database.connection,
    clock,
    log,
    holder: processName,
    leaseMs: config.leaseSeconds * 1000,
    alone: config.databaseUrl === null,
  });
  running.add('leases', () => leases.stop());
  const rates = createRateWindows({ db: database.answering, clock });
  const sheets = createSheets({ connection: database.connection, clock, log });
  // `db`: the pool of work beside the requests; `answering`: the pool that answers people.
  return {
    ...surroundings,
    clock,
    watch,
    database,
    db: database.db,
    answering: database.answering,
    keys,
    files,
    bus,
    leases,
    rates,
    sheets,
    processName,
  };
}
