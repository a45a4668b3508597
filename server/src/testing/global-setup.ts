import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { copyPreparedDatabase, prepareDatabase } from '../../../e2e/fixtures/prepared-database.ts';
import { createLog } from '../platform/log.ts';
import { startEmbedded } from '../platform/db/embedded.ts';

/** Where the run's one PostgreSQL listens; its database `lampyris` is the migrated template. */
export interface TestServer {
  readonly host: string;
  readonly port: number;
  readonly user: string;
}

declare module 'vitest' {
  interface ProvidedContext {
    testServer: TestServer;
  }
}

/**
 * Starts one embedded PostgreSQL for a test run, with a migrated template database, from the prepared folder; stops and
 * removes it afterwards.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const forget = prepareDatabase();
  const dataDir = mkdtempSync(join(tmpdir(), 'lampyris-test-'));
  const remove = () => {
    forget();
    rmSync(dataDir, { recursive: true, force: true });
  };
  try {
    copyPreparedDatabase(dataDir);
    const database = await startEmbedded({
      dataDir,
      role: 'npm test',
      log: createLog('error'),
      settings: ['fsync=off', 'full_page_writes=off', 'max_connections=300'],
    });
    const { host, port, user } = database.connection;
    if (!host || !port || !user) throw new Error('the embedded database has no address');
    project.provide('testServer', { host, port, user });
    return async () => {
      await database.stop();
      remove();
    };
  } catch (thrown) {
    remove();
    throw thrown;
  }
}
