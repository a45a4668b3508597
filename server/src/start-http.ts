import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Desk } from './desk/index.ts';
import type { Floor } from './floor.ts';
import type { People } from './people/index.ts';
import { checkoutFolder, createUsability } from './platform/db/index.ts';
import { createHttp, type Binding } from './platform/http/index.ts';
import { createLive, type Hint } from './platform/live/index.ts';
import { listenProblem } from './platform/start-error.ts';
import type { Shell } from './shell/index.ts';
import type { Link } from './start-link.ts';
import { tryCalls } from './try-calls.ts';

/** HTTP, and from the same origin the built console. Returns where a browser finds it, and its live connections. */
export async function startHttp(
  floor: Floor,
  { operations }: Desk,
  { sessions }: People,
  { broker }: Link,
  { topicsOf }: Shell,
  bindings: readonly Binding[],
  hints: readonly Hint[],
) {
  const { config, log, running, signal, clock, watch, answering, database, bus } = floor;
  const consoleFolder = join(checkoutFolder, 'console/dist');
  const usability = createUsability(database.connection);
  running.add('readiness', () => usability.stop());
  const app = await createHttp(
    {
      config,
      log,
      clock,
      db: answering,
      dryRun: tryCalls(database),
      authenticate: sessions.authenticate,
      operations,
      stopping: signal,
      notReady: async () => (await usability.ask()) ?? broker.problem() ?? undefined,
      served: watch.meters.served,
      untold: (what) => log.error({ defect: what }, 'a call does not declare its rules'),
      ...(existsSync(join(consoleFolder, 'index.html')) ? { consoleFolder } : {}),
    },
    bindings,
  );
  try {
    await app.listen({ host: config.host, port: config.port });
  } catch (thrown) {
    throw listenProblem(thrown, 'PORT', config.host, config.port);
  }
  running.add('http', () => app.close());
  const { topics, start } = topicsOf(hints);
  const live = createLive({
    topics,
    clock,
    bus,
    log,
    allowedOrigins: config.allowedOrigins,
    trustedProxies: config.trustedProxies,
    authenticate: (token, address) => sessions.authenticate(token, { background: true, address }),
    callers: sessions.callers,
  });
  live.attach(app.server);
  running.add('live topics', start());
  running.add('live', () => live.stop());
  const bound = app.server.address();
  const port = bound !== null && typeof bound === 'object' ? bound.port : config.port;
  return {
    address: `${config.tls ? 'https' : 'http'}://${config.host.includes(':') ? `[${config.host}]` : config.host}:${port}`,
    live,
    port,
  };
}
