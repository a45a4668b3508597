import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import type { Config } from './config.ts';
import { createHeartbeat, type SystemHealth } from './shell/system-health/index.ts';
import { createMeters, floorMetrics, liveMetrics } from './figures.ts';
import type { Ingest } from './ingest/index.ts';
import type { Clock } from './platform/clock.ts';
import { checkoutFolder, type Database } from './platform/db/index.ts';
import { createJobs } from './platform/jobs.ts';
import { processName, type Leases } from './platform/leases/index.ts';
import type { Live } from './platform/live/index.ts';
import type { Log } from './platform/log.ts';
import { createRegistry, startMetrics, watchProcess, type MetricSource } from './platform/metrics/index.ts';
import type { Broker } from './platform/mqtt/index.ts';
import type { Running } from './platform/running.ts';

const { version } = JSON.parse(readFileSync(join(checkoutFolder, 'package.json'), 'utf8')) as { version: string };

/** What watches the process from its first moment: instruments, its own needs, and what it does by the clock. */
export function createWatch(clock: Clock, running: Running) {
  const registry = createRegistry();
  const own = watchProcess(registry, { version, node: process.version });
  running.add('watching', own.stop);
  return { registry, meters: createMeters(registry), jobs: createJobs(clock), longestDelayMs: own.longestDelayMs };
}
export type Watch = ReturnType<typeof createWatch>;

interface Parts {
  readonly config: Config;
  readonly log: Log;
  readonly running: Running;
  readonly clock: Clock;
  readonly database: Database;
  readonly watch: Watch;
  readonly leases: Leases;
  readonly ingest: Ingest;
  readonly broker: Broker;
  readonly live: Live;
  readonly health: SystemHealth;
  readonly port: number;
  /** What features measure. */
  readonly metrics: readonly MetricSource[];
}

/**
 * Begins to tell of this process in the database, to look at every subject, and to serve /metrics where a port is set
 * for it.
 */
export async function startWatching(parts: Parts): Promise<void> {
  const { config, log, running, clock, database, watch, leases, ingest, broker, live, health, port, metrics } = parts;
  const heartbeat = createHeartbeat({
    db: database.db,
    clock,
    log,
    pool: database.pool,
    usage: database.usage,
    broker,
    ingest: () => ingest.stats(),
    live: () => live.stats(),
    jobs: watch.jobs,
    leases: () => leases.held(),
    longestCommitMs: watch.meters.longestCommitMs,
    longestDelayMs: watch.longestDelayMs,
    identity: { id: processName, name: `${hostname()}:${port}`, pid: process.pid, version, startedAt: clock.now() },
    folders: { ...(config.databaseUrl === null ? { data: config.dataDir } : {}), files: config.filesFolder },
    certificate: config.tls?.cert ?? null,
  });
  running.add('heartbeat', await heartbeat.start());
  running.add('health', health.start());
  if (config.metricsPort === null) return;
  for (const declare of [
    ...floorMetrics({ database: database.usage, jobs: watch.jobs }),
    liveMetrics(live),
    ...metrics,
  ])
    declare(watch.registry);
  running.add(
    'metrics',
    await startMetrics({ host: config.host, port: config.metricsPort, text: () => watch.registry.text() }),
  );
}
