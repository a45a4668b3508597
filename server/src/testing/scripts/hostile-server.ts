import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { build } from '../../build.ts';
import { readConfig } from '../../config.ts';
import { createSessions } from '../../people/sessions/index.ts';
import { startBus } from '../../platform/bus/index.ts';
import { systemClock } from '../../platform/clock.ts';
import { openDatabase } from '../../platform/db/index.ts';
import { createLog } from '../../platform/log.ts';
import { createRunning } from '../../platform/running.ts';

/**
 * The product in a process that tells its parent how long its event loop stood still, and what processor it took,
 * between `begin` and `end`.
 */
const dataDir = mkdtempSync(join(tmpdir(), 'lampyris-hostile-'));
const log = createLog('silent');
const running = createRunning(log);
const config = readConfig(
  { DATA_DIR: dataDir, PORT: '0', MQTT_PORT: '0', CAPTCHA: 'off', LOG_LEVEL: 'silent' },
  { demonstration: false },
);
const product = await build({ config, log, running, signal: new AbortController().signal });
const beside = await openDatabase({ databaseUrl: null, dataDir, log, share: true });
const bus = await startBus(beside.connection, log);
const sessions = createSessions({ db: beside.db, clock: systemClock(() => undefined), bus });
const token = await sessions.begin({ accountId: 1, remember: true, address: '127.0.0.1', userAgent: undefined });

const loop = monitorEventLoopDelay({ resolution: 1 });
let processor = process.cpuUsage();
process.on('message', (message) => {
  if (message === 'begin') {
    loop.disable();
    loop.reset();
    loop.enable();
    processor = process.cpuUsage();
    process.send?.({ begun: true });
  } else if (message === 'end') {
    const { user, system } = process.cpuUsage(processor);
    // A timer of one millisecond comes a millisecond late by itself.
    process.send?.({ blockMs: Math.max(0, loop.max / 1e6 - 1), processorMs: (user + system) / 1000 });
  } else {
    void running.stop().finally(() => {
      rmSync(dataDir, { recursive: true, force: true });
      process.exit(0);
    });
  }
});
process.send?.({ address: product.address, token, routes: product.routes });
