import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { prepareFrom } from '../../../e2e/fixtures/prepared-database.ts';
import { createLog } from '../platform/log.ts';
import { startEmbedded } from '../platform/db/embedded.ts';
import { migrate } from '../platform/db/migrate.ts';

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
 * Starts one embedded PostgreSQL for a test run, with a migrated template database, and offers a copy of its folder;
 * stops and removes both afterwards.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const dataDir = mkdtempSync(join(tmpdir(), 'lampyris-test-'));
  const start = () =>
    startEmbedded({
      dataDir,
      role: 'npm test',
      log: createLog('error'),
      settings: ['fsync=off', 'full_page_writes=off', 'max_connections=300'],
    });
  const first = await start();
  const client = new pg.Client(first.connection);
  try {
    await client.connect();
    await migrate(client);
  } catch (thrown) {
    // Nobody else would stop it.
    await client.end().catch(() => undefined);
    await first.stop();
    rmSync(dataDir, { recursive: true, force: true });
    throw thrown;
  }
  await client.end();
  // Tests whose programs have a database of their own begin with a copy of what stands still for a moment.
  await first.stop();
  const forget = prepareFrom(dataDir);
  const database = await start();
  const { host, port, user } = database.connection;
  if (!host || !port || !user) throw new Error('the embedded database has no address');
  project.provide('testServer', { host, port, user });
  return async () => {
    await database.stop();
    forget();
    rmSync(dataDir, { recursive: true, force: true });
  };
}
