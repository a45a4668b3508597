import type { Config } from './config.ts';
import { prepareInstallation, watchInitialPassword, type Installation } from './features/installation/index.ts';
import { startBus } from './platform/bus/index.ts';
import { systemClock } from './platform/clock.ts';
import { openDatabase } from './platform/db/index.ts';
import { openFiles } from './platform/files/index.ts';
import { openKeys } from './platform/keys/index.ts';
import type { Log } from './platform/log.ts';
import type { Running } from './platform/running.ts';

export interface Surroundings {
  readonly config: Config;
  readonly log: Log;
  readonly running: Running;
  /** Aborted when the process is told to stop while it starts. */
  readonly signal: AbortSignal;
}

export interface Product {
  /** Where a browser finds it. */
  readonly address: string;
  readonly installation: Installation;
}

/**
 * The composition root: every part of one process, created once, in this order, by name; stopped in the reverse order.
 * Throws StartError for what an operator can mend.
 */
export async function build({ config, log, running, signal }: Surroundings): Promise<Product> {
  const clock = systemClock((thrown) => log.error({ err: thrown }, 'a timer failed'));
  const database = await openDatabase({ databaseUrl: config.databaseUrl, dataDir: config.dataDir, log, signal });
  running.add('database', database.stop);
  const { db, connection } = database;
  const keys = openKeys(config.secretKeyFile);
  const files = openFiles(config.filesFolder);
  const bus = await startBus(connection, log);
  running.add('bus', bus.stop);

  const installation = await prepareInstallation({ db, dataDir: config.dataDir, adminPassword: config.adminPassword, menu: [], hash: async (x) => x, refusal: () => undefined });
  running.add('first password', watchInitialPassword(db, installation, clock));
  void keys;
  void files;
  return { address: `http://${config.host}:${config.port}`, installation };
}
